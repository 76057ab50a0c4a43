import type { TokenRecord, TokenStore } from '../../auth/token-store.ts';
import { orStoreError, read, type Pool, type Row } from './pool.ts';

const COLUMNS = 'name, created_at, expires_at, revoked_at, last_used_at';

/** Access tokens in PostgreSQL. */
export function postgresTokens({ query }: Pool): TokenStore {
  return {
    findToken: async (hash) => {
      const { rows } = await read(query(`SELECT ${COLUMNS} FROM plant_store_tokens WHERE hash = $1`, [hash]));
      return rows[0] && record(rows[0]);
    },
    listTokens: async () => {
      const { rows } = await read(query(`SELECT ${COLUMNS} FROM plant_store_tokens`));
      // Here, and not by whatever collation the database has.
      return rows.map(record).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    createToken: async ({ name, hash, createdAt, expiresAt }) => {
      const text = `INSERT INTO plant_store_tokens (name, hash, created_at, expires_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (name) DO NOTHING`;
      const values = [name, hash, String(createdAt), expiresAt === null ? null : String(expiresAt)];
      return (await orStoreError(query(text, values))).count === 1;
    },
    removeToken: async (hash) => {
      await orStoreError(query('DELETE FROM plant_store_tokens WHERE hash = $1', [hash]));
    },
    revokeToken: async (name, at) => {
      const text = 'UPDATE plant_store_tokens SET revoked_at = coalesce(revoked_at, $1::bigint) WHERE name = $2';
      return (await orStoreError(query(text, [String(at), name]))).count === 1;
    },
    markTokenUsed: async (name, at) => {
      await orStoreError(query('UPDATE plant_store_tokens SET last_used_at = $1 WHERE name = $2', [String(at), name]));
    },
  };
}

/** Times are milliseconds, far within the range that a number holds exactly. */
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
