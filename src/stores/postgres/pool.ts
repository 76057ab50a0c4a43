import type pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { sqlText } from './sql-text.ts';
import type { Connections } from './connections.ts';
import { StatementError, WRITES } from '../database.ts';
import { asNothingDone, asStatementFailure, endsConnection, hasLost, isReadOnly, sqlStateOf } from './failures.ts';

/** How long a conflicting transaction is retried, and the longest pause, in milliseconds. */
const REPEAT_FOR = 3_000;
const LONGEST_REPEAT_PAUSE = 50;

/**
 * Settings of each transaction, sent with its statements: poolers in transaction mode refuse or
 * lose session settings. Times are in milliseconds. With row_security off, a statement fails if a
 * policy would hide rows (https://www.postgresql.org/docs/current/ddl-rowsecurity.html).
 */
const SESSION_SETTINGS = [
  'SET LOCAL lock_timeout = 2000',
  'SET LOCAL statement_timeout = 5000',
  'SET LOCAL row_security = off',
];
/**
 * Replaces synchronous_commit=off, with which a crash loses commits. Keeps every other value: they
 * are durable on this server, and some are stronger
 * (https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT).
 */
const MAKE_DURABLE = `SELECT CASE current_setting('synchronous_commit') WHEN 'off'
  THEN set_config('synchronous_commit', 'on', true) ELSE current_setting('synchronous_commit') END`;
/** How long the value of synchronous_commit is reused, in milliseconds. */
const DURABLE_FOR = 1_000;
/**
 * A commit that is written to the write-ahead log and waits for standbys, as that of a delete does.
 * Engines without this function get no trial of a commit.
 */
const COMMIT_TRIAL = [
  ...SESSION_SETTINGS,
  MAKE_DURABLE,
  "SELECT pg_logical_emit_message(true, 'plant-store', '')",
  'COMMIT',
];
const UNDEFINED_FUNCTION = '42883';
const READ_ONLY = 'SET TRANSACTION READ ONLY';

/** A row as the server's texts, which keeps int8 exact. */
type TextRow = readonly (string | null)[];

/** The result of a statement. */
export interface Result {
  readonly rows: readonly TextRow[];
  /** The columns of the rows, with the object ids of their types. */
  readonly columns: readonly { readonly name: string; readonly type: number }[];
}

/** Runs one statement. */
export type Query = (text: string, values?: readonly (string | null)[]) => Promise<Result>;

/** Runs transactions on the connections to one database. */
export class Pool {
  readonly #connections: Connections;
  #durability = MAKE_DURABLE;
  #durableUntil = 0;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /**
   * Runs statements in one transaction, sent as one message, durable once the promise resolves.
   * Retries it after conflicts (40001, 40P01). @returns the result of each.
   * Rejects with the server's error, and with a StoreError without a connection.
   * @param settings settings of this transaction in addition to the usual ones.
   */
  async queries(
    statements: readonly string[],
    settings: readonly string[] = [],
    send = sendStatements,
  ): Promise<readonly Result[]> {
    const durable = performance.now() < this.#durableUntil ? this.#durability : MAKE_DURABLE;
    const message = [...SESSION_SETTINGS, ...settings, durable, ...statements].join(';');
    const results = await repeat(() => this.#connections.use((client) => send(client, message)));
    // A SET returns no rows.
    const found = results.at(-statements.length - 1)?.rows[0]?.[0];
    if (typeof found === 'string') {
      this.#durability = sqlText`SET LOCAL synchronous_commit = ${found}`;
      this.#durableUntil = performance.now() + DURABLE_FOR;
    }
    return results.slice(-statements.length);
  }

  /** The same for one statement. */
  async query(statement: string, settings?: readonly string[]): Promise<Result> {
    return lastOf(await this.queries([statement], settings));
  }

  /** The same for one statement that changes nothing. Rejects with a StatementError if it would. */
  async read(statement: string, settings: readonly string[]): Promise<Result> {
    return lastOf(await this.queries([statement], [READ_ONLY, ...settings], sendRead));
  }

  /** Runs a statement, rolls it back, and commits a transaction that changes no table. */
  trial(statement: string): Promise<void> {
    return this.#connections.use(async (client) => {
      try {
        await sendStatements(
          client,
          ['BEGIN', ...SESSION_SETTINGS, statement, 'ROLLBACK', 'BEGIN', ...COMMIT_TRIAL].join(';'),
        );
      } catch (error) {
        if (!endsConnection(error)) await sendStatements(client, 'ROLLBACK');
        if (sqlStateOf(error) !== UNDEFINED_FUNCTION) throw error;
      }
    });
  }
}

/** Retries a transaction after a conflict, with a random pause to avoid the same conflict. */
async function repeat<T>(transaction: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + REPEAT_FOR;
  for (;;) {
    try {
      return await transaction();
    } catch (error) {
      if (!hasLost(error) || performance.now() > deadline) throw error;
      await pause(Math.random() * LONGEST_REPEAT_PAUSE);
    }
  }
}

/** Sends a statement, or several in one message. @returns the result of each. */
async function sendStatements(
  client: pg.ClientBase,
  text: string,
  values: readonly (string | null)[] = [],
): Promise<readonly Result[]> {
  const query = { text, values: [...values], rowMode: 'array' as const, types: AS_TEXT };
  const results = await client.query<(string | null)[]>(query);
  // An array for several statements (https://node-postgres.com/features/queries), unlike its types.
  return [results].flat().map(({ rows, fields }) => ({
    rows,
    columns: fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })),
  }));
}

/** Tells a write in a read-only transaction from a server that takes no writes, which is left. */
async function sendRead(client: pg.ClientBase, text: string): Promise<readonly Result[]> {
  try {
    return await sendStatements(client, text);
  } catch (cause) {
    // Reads are allowed on a read-only server too.
    throw isReadOnly(cause) ? new StatementError(WRITES, { cause }) : cause;
  }
}

/** Runs statements on one connection, with values as the server's texts. */
export function queryOf(client: pg.ClientBase): Query {
  // A migration may have several statements.
  return async (text, values) => lastOf(await sendStatements(client, text, values));
}

function lastOf(results: readonly Result[]): Result {
  const last = results.at(-1);
  if (last === undefined) throw new TypeError('There is no result.');
  return last;
}

const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** Rejects with a StoreError or StatementError on a failed read: nothing was changed. */
export async function awaitRead<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asStatementFailure(error, asNothingDone);
  }
}
