import type { TokenRecord, TokenStore } from '../../auth/tokens/token-store.ts';
import { Batches } from '../group-commit.ts';
import { orStoreError, read, type Pool, type Row } from './pool.ts';
import { sql } from './sql.ts';

/**
 * Access tokens in PostgreSQL.
 * @param lookUps the pool for look-ups, in batches: a flood of unknown tokens uses no other
 * connection.
 */
export function postgresTokens({ query }: Pool, lookUps: Pool): TokenStore {
  const batches = new Batches((hashes: readonly string[]) => findTokens(lookUps, hashes));
  return {
    findToken: (hash) => batches.add(hash),
    listTokens: async () => {
      const statement = 'SELECT name, created_at, expires_at, revoked_at, last_used_at FROM plant_store_tokens';
      const { rows } = await read(query(statement));
      // Sorted here, since the database's collation is unknown.
      return rows.map(record).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    createToken: async ({ name, hash, createdAt, expiresAt }) => {
      const statement = sql`INSERT INTO plant_store_tokens (name, hash, created_at, expires_at)
        VALUES (${name}, ${hash}, ${createdAt}, ${expiresAt}) ON CONFLICT (name) DO NOTHING`;
      return (await orStoreError(query(statement))).count === 1;
    },
    removeToken: async (hash) => {
      await orStoreError(query(sql`DELETE FROM plant_store_tokens WHERE hash = ${hash}`));
    },
    revokeToken: async (name, at) => {
      const statement = sql`UPDATE plant_store_tokens SET revoked_at = coalesce(revoked_at, ${at}) WHERE name = ${name}`;
      return (await orStoreError(query(statement))).count === 1;
    },
    markTokenUsed: async (name, at) => {
      await orStoreError(query(sql`UPDATE plant_store_tokens SET last_used_at = ${at} WHERE name = ${name}`));
    },
  };
}

/** Looks tokens up in one statement. @returns a function from a hash to its token. */
async function findTokens(
  { query }: Pool,
  hashes: readonly string[],
): Promise<(hash: string) => TokenRecord | undefined> {
  const statement = sql`SELECT name, created_at, expires_at, revoked_at, last_used_at, hash
    FROM plant_store_tokens WHERE hash = ANY(${hashes})`;
  const { rows } = await read(query(statement));
  const found = new Map(rows.map((row) => [row[5], record(row)]));
  return (hash) => found.get(hash);
}

/** Times are milliseconds, well within the safe integers. */
function record([name, createdAt, expiresAt, revokedAt, lastUsedAt]: Row): TokenRecord {
  const time = (value: string | null | undefined): number | null =>
    value === null || value === undefined ? null : Number(value);
  return {
    name: name ?? '',
    createdAt: Number(createdAt),
    expiresAt: time(expiresAt),
    revokedAt: time(revokedAt),
    lastUsedAt: time(lastUsedAt),
  };
}
