/** The stored data of an access token, without the token. Times are milliseconds since 1970 UTC. */
export interface TokenRecord {
  readonly name: string;
  readonly createdAt: number;
  /** When the token expires; null: never. */
  readonly expiresAt: number | null;
  /** When the token was revoked; null: it is not revoked. */
  readonly revokedAt: number | null;
  /** When the token was last used, to the minute; null: never. */
  readonly lastUsedAt: number | null;
}

/** A store of access tokens. Each method rejects with a StoreError if the store is unavailable. */
export interface TokenStore {
  /** Looks a token up by its SHA-256. */
  findToken(hash: string): Promise<TokenRecord | undefined>;
  /** Adds a token. @returns false, without a change, if the name is taken. */
  createToken(token: { name: string; hash: string; createdAt: number; expiresAt: number | null }): Promise<boolean>;
  /** Deletes a token by its SHA-256; does nothing if it does not exist. */
  removeToken(hash: string): Promise<void>;
  /** Revokes a token. A revoked one keeps its first time. @returns false if the name is unknown. */
  revokeToken(name: string, at: number): Promise<boolean>;
  /** Stores the time of a token's last use. */
  markTokenUsed(name: string, at: number): Promise<void>;
  /** All tokens, sorted by name. */
  listTokens(): Promise<readonly TokenRecord[]>;
}
