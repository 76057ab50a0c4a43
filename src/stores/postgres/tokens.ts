import type { TokenRecord, TokenStore } from '../../auth/tokens/token-store.ts';
import type { Database } from '../database.ts';
import { Batches } from '../batches.ts';
import { storedTokens, TOKEN_COLUMNS, tokenRecord, type TokenRow } from '../tokens.ts';
import { awaitRead, type Pool } from './pool.ts';
import { sqlText } from './sql-text.ts';
import { rowsOf } from './statements.ts';

const TABLE = 'plant_store_tokens';

/**
 * Access tokens in PostgreSQL.
 * @param lookUps the pool for look-ups, in batches: a flood of unknown tokens uses no other
 * connection.
 */
export function postgresTokens(statements: Database, lookUps: Pool): TokenStore {
  const batches = new Batches((hashes: readonly string[]) => findTokens(lookUps, hashes));
  return { ...storedTokens(statements, TABLE), findToken: (hash) => batches.enqueue(hash) };
}

/** Looks tokens up in one statement. @returns a function from a hash to its token. */
async function findTokens(pool: Pool, hashes: readonly string[]): Promise<(hash: string) => TokenRecord | undefined> {
  const statement = `SELECT ${TOKEN_COLUMNS}, hash FROM ${TABLE} WHERE hash = ${sqlText`ANY(${hashes})`}`;
  // Safe: these are the columns of the statement.
  const rows = rowsOf(await awaitRead(pool.query(statement))) as readonly (TokenRow & { readonly hash: string })[];
  const found = new Map(rows.map((row) => [row.hash, tokenRecord(row)]));
  return (hash) => found.get(hash);
}
