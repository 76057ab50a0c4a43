import type { TokenRecord, TokenStore } from '../../auth/tokens/token-store.ts';
import { read, type SqliteDatabase } from './database.ts';

interface Row {
  name: string;
  created_at: bigint;
  expires_at: bigint | null;
  revoked_at: bigint | null;
  last_used_at: bigint | null;
}

/** Access tokens in SQLite. */
export function sqliteTokens({ connection, transaction }: SqliteDatabase): TokenStore {
  const columns = 'name, created_at, expires_at, revoked_at, last_used_at';
  const find = connection.prepare<[string], Row>(`SELECT ${columns} FROM tokens WHERE hash = ?`);
  const list = connection.prepare<[], Row>(`SELECT ${columns} FROM tokens ORDER BY name`);
  const create = connection.prepare<[string, string, bigint, bigint | null]>(
    'INSERT INTO tokens (name, hash, created_at, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO NOTHING',
  );
  const remove = connection.prepare<[string]>('DELETE FROM tokens WHERE hash = ?');
  const revoke = connection.prepare<[bigint, string]>(
    'UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE name = ?',
  );
  const use = connection.prepare<[bigint, string]>('UPDATE tokens SET last_used_at = ? WHERE name = ?');

  return {
    findToken: (hash) =>
      read(() => {
        const row = find.get(hash);
        return row && record(row);
      }),
    listTokens: () => read(() => list.all().map(record)),
    createToken: ({ name, hash, createdAt, expiresAt }) =>
      transaction(
        () => create.run(name, hash, BigInt(createdAt), expiresAt === null ? null : BigInt(expiresAt)).changes === 1,
      ),
    removeToken: (hash) =>
      transaction(() => {
        remove.run(hash);
      }),
    revokeToken: (name, at) => transaction(() => revoke.run(BigInt(at), name).changes === 1),
    markTokenUsed: (name, at) =>
      transaction(() => {
        use.run(BigInt(at), name);
      }),
  };
}

/** Times are milliseconds, well within the safe integers. */
function record(row: Row): TokenRecord {
  const time = (value: bigint | null): number | null => (value === null ? null : Number(value));
  return {
    name: row.name,
    createdAt: Number(row.created_at),
    expiresAt: time(row.expires_at),
    revokedAt: time(row.revoked_at),
    lastUsedAt: time(row.last_used_at),
  };
}
