/** The initial content of a new store. */
export interface Sample {
  readonly plants: readonly bigint[];
  readonly tokenName: string;
  readonly tokenHash: string;
}
