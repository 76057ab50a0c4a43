import type { TokenRecord, TokenStore } from '../auth/tokens/token-store.ts';
import { Name, sql, type Database, type Row } from './database.ts';

/** The columns of a token's record; times are milliseconds, well within the safe integers. */
export interface TokenRow extends Row {
  readonly name: string;
  readonly created_at: bigint;
  readonly expires_at: bigint | null;
  readonly revoked_at: bigint | null;
  readonly last_used_at: bigint | null;
}

/** Access tokens in a table of this name. */
export function storedTokens({ read, write }: Database, tableName: string): TokenStore {
  const [columns, table] = [new Name(TOKEN_COLUMNS), new Name(tableName)];
  return {
    findToken: async (hash) => {
      const [row] = await read<TokenRow>(sql`SELECT ${columns} FROM ${table} WHERE hash = ${hash}`);
      return row && tokenRecord(row);
    },
    listTokens: async () => {
      const rows = await read<TokenRow>(sql`SELECT ${columns} FROM ${table}`);
      // Sorted here, since the collation of the database is unknown.
      return rows.map(tokenRecord).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    createToken: async ({ name, hash, createdAt, expiresAt }) => {
      const [created = []] = await write(sql`INSERT INTO ${table} (name, hash, created_at, expires_at)
        VALUES (${name}, ${hash}, ${BigInt(createdAt)}, ${expiresAt === null ? null : BigInt(expiresAt)})
        ON CONFLICT (name) DO NOTHING RETURNING name`);
      return created.length === 1;
    },
    removeToken: async (hash) => {
      await write(sql`DELETE FROM ${table} WHERE hash = ${hash}`);
    },
    revokeToken: async (name, at) => {
      const [revoked = []] = await write(sql`UPDATE ${table} SET revoked_at = coalesce(revoked_at, ${BigInt(at)})
        WHERE name = ${name} RETURNING name`);
      return revoked.length === 1;
    },
    markTokenUsed: async (name, at) => {
      await write(sql`UPDATE ${table} SET last_used_at = ${BigInt(at)} WHERE name = ${name}`);
    },
  };
}

/** The columns of {@link tokenRecord}. */
export const TOKEN_COLUMNS = 'name, created_at, expires_at, revoked_at, last_used_at';

/** The record of a row. */
export function tokenRecord(row: TokenRow): TokenRecord {
  const time = (value: bigint | null): number | null => (value === null ? null : Number(value));
  return {
    name: row.name,
    createdAt: Number(row.created_at),
    expiresAt: time(row.expires_at),
    revokedAt: time(row.revoked_at),
    lastUsedAt: time(row.last_used_at),
  };
}
