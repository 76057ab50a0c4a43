/** One thing that a client may notice. */
export interface Change {
  /** The operation, such as `DELETE /plants/{id}`, or the part of the contract. */
  readonly place: string;
  readonly text: string;
  readonly breaking: boolean;
}
