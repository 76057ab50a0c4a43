/** Something that must not happen, whatever is sent. */
export class Violation extends Error {
  override readonly name = 'Violation';
  /** What was sent on each connection that may have caused it. */
  readonly sent: readonly Buffer[];

  constructor(message: string, sent: readonly Buffer[]) {
    super(message);
    this.sent = sent;
  }
}
