/** What a store that is created holds from its first moment on. */
export interface Sample {
  readonly plants: readonly bigint[];
  readonly tokenName: string;
  readonly tokenHash: string;
}
