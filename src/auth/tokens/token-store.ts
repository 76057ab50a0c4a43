/** What is known of an access token; the token itself is not. Times are milliseconds since 1970 UTC. */
export interface TokenRecord {
  readonly name: string;
  readonly createdAt: number;
  /** The token is invalid from this moment on; null: it does not expire. */
  readonly expiresAt: number | null;
  /** null: the token is not revoked. */
  readonly revokedAt: number | null;
  /** null: never used. Kept to the minute. */
  readonly lastUsedAt: number | null;
}

/** Where access tokens are kept. Every method rejects with a StoreError when the store cannot answer. */
export interface TokenStore {
  /** Looks a token up by its SHA-256. */
  findToken(hash: string): Promise<TokenRecord | undefined>;
  /** Adds a token. @returns false, and changes nothing, when the name is taken. */
  createToken(token: { name: string; hash: string; createdAt: number; expiresAt: number | null }): Promise<boolean>;
  /** Removes a token by its SHA-256, as if it had never been; harmless when there is none. */
  removeToken(hash: string): Promise<void>;
  /** Revokes a token. @returns false when there is none of this name; one revoked before keeps its first time. */
  revokeToken(name: string, at: number): Promise<boolean>;
  /** Notes that a token was used. */
  markTokenUsed(name: string, at: number): Promise<void>;
  /** All tokens, by name. */
  listTokens(): Promise<readonly TokenRecord[]>;
}
