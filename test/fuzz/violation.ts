/** A promise that the service broke. */
export class Violation extends Error {
  override readonly name = 'Violation';
  /** What was sent on each connection that may have caused it. */
  readonly sent: readonly Buffer[];

  constructor(message: string, sent: readonly Buffer[]) {
    super(message);
    this.sent = sent;
  }

  /** What went wrong and how to repeat it. */
  describe(seed: number): string {
    const sent = this.sent.map((bytes) => `sent: ${showBytes(bytes)}`);
    return [`npm run test:fuzz -- --seed ${seed}`, this.message, ...sent].join('\n');
  }
}

/** Bytes as text on one line: printable ASCII as it is, all else as \xNN. */
export function showBytes(bytes: Buffer): string {
  return Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
}
