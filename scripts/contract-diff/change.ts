/** One thing that a client may notice. */
export interface Change {
  /** The operation, such as `DELETE /plants/{id}`, or the part of the contract. */
  readonly place: string;
  readonly text: string;
  readonly breaking: boolean;
  /** oasdiff's name of the check; '' for what was found here. */
  readonly id: string;
  /** What changed: a parameter, header, property or status; '' for what oasdiff found, which names it in its text. */
  readonly subject: string;
  /** The checks of oasdiff that speak of the same thing, so that it is listed once. */
  readonly kind: RegExp;
}
