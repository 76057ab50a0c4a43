import type { TokenStore } from '../../auth/tokens/token-store.ts';
import { Name, sql, type Database } from '../database.ts';
import { storedTokens, TOKEN_COLUMNS, tokenRecord, type TokenRow } from '../tokens.ts';

const TABLE = 'tokens';

/** Access tokens in SQLite. */
export function sqliteTokens(database: Database): TokenStore {
  const [columns, table] = [new Name(TOKEN_COLUMNS), new Name(TABLE)];
  return {
    ...storedTokens(database, TABLE),
    findToken: async (hash) => {
      const [row] = await database.read<TokenRow>(sql`SELECT ${columns} FROM ${table} WHERE hash = ${hash}`);
      return row && tokenRecord(row);
    },
  };
}
