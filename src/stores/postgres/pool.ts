import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from './sql.ts';
import { asNothingDone, asStoreError, endsConnection, hasLost, isRefusedOne } from './failures.ts';

/** For a connection, new or in use, in milliseconds. */
const CONNECT_TIMEOUT = 2_000;
/** For an answer, in milliseconds: longer than a statement may take. */
const ANSWER_TIMEOUT = 7_000;
/** How long a statement that lost against others is repeated, and the longest pause in between; in milliseconds. */
const REPEAT_FOR = 3_000;
const LONGEST_PAUSE = 50;

/**
 * What holds for each transaction, set in the message of its statements: poolers in transaction mode refuse or
 * forget what is set for a connection. Times are in milliseconds. Without row_security, PostgreSQL fails a
 * statement from which a policy would hide rows (https://www.postgresql.org/docs/current/ddl-rowsecurity.html).
 */
const SETTINGS = [
  'SET LOCAL lock_timeout = 2000',
  'SET LOCAL statement_timeout = 5000',
  'SET LOCAL row_security = off',
];
/**
 * With synchronous_commit=off the server acknowledges commits that a crash may lose. Every other value is durable on
 * this server, and stays, so that a stronger one is not weakened
 * (https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT).
 */
const MAKE_DURABLE = `SELECT CASE current_setting('synchronous_commit') WHEN 'off'
  THEN set_config('synchronous_commit', 'on', true) ELSE current_setting('synchronous_commit') END`;
/** For how long, in milliseconds, what it gave is set again in its place, which costs less. */
const DURABLE_FOR = 1_000;

/** Rows as arrays of what the server wrote, which keeps int8 exact. */
export type Row = readonly (string | null)[];

/** What came of a statement. */
export interface Result {
  readonly rows: readonly Row[];
  /** How many rows it has inserted, updated or deleted. */
  readonly count: number;
}

/** Runs one statement. */
export type Query = (text: string, values?: readonly (string | null)[]) => Promise<Result>;

/** Connections to a database. */
export interface Pool {
  /**
   * Runs statements in one transaction, sent as one message and durable when the promise resolves; it is repeated
   * while it loses against others (40001, 40P01). @returns what came of each.
   * It rejects with the error of the server, and with a StoreError when there is no connection.
   * @param settings what is set for this transaction beside what always is.
   */
  readonly queries: (statements: readonly string[], settings?: readonly string[]) => Promise<readonly Result[]>;
  /** The same for one statement. */
  readonly query: (statement: string, settings?: readonly string[]) => Promise<Result>;
  /** Runs a statement in a transaction that is rolled back. */
  readonly trial: (statement: string) => Promise<void>;
  /** Waits for the statements that run, and closes all connections. */
  readonly close: () => Promise<void>;
}

/**
 * @param max the connections at most.
 * @param onLost is told of a connection that ended while nobody used it; the next statement opens another.
 * @param answerTimeout without an answer for this long a connection is given up; in milliseconds.
 */
export function openPool(
  url: string,
  max: number,
  onLost: (error: Error) => void,
  answerTimeout = ANSWER_TIMEOUT,
): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    query_timeout: answerTimeout,
    keepAlive: true,
    fallback_application_name: 'plant-store',
  });
  let durability = MAKE_DURABLE;
  let durableUntil = 0;
  // Without a listener the process would end (https://node-postgres.com/apis/pool#error).
  pool.on('error', onLost);

  async function connect(): Promise<pg.PoolClient> {
    const deadline = performance.now() + CONNECT_TIMEOUT;
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        // One of those that are open may be free soon, or somebody else's is closed.
        if (!isRefusedOne(error) || performance.now() > deadline) throw asNothingDone(error);
        await pause(Math.random() * LONGEST_PAUSE);
      }
    }
  }

  async function session<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connect();
    // The statement that waits for its answer is told too; without a listener the process would end.
    client.on('error', ignore);
    let isUsable = true;
    try {
      return await work(client);
    } catch (error) {
      isUsable = !endsConnection(error);
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(!isUsable);
    }
  }

  async function queries(statements: readonly string[], settings: readonly string[] = []): Promise<readonly Result[]> {
    const durable = performance.now() < durableUntil ? durability : MAKE_DURABLE;
    const message = [...SETTINGS, ...settings, durable, ...statements].join(';');
    const results = await repeat(() => session((client) => send(client, message)));
    // A SET gives no rows.
    const found = results.at(-statements.length - 1)?.rows[0]?.[0];
    if (typeof found === 'string') {
      durability = sql`SET LOCAL synchronous_commit = ${found}`;
      durableUntil = performance.now() + DURABLE_FOR;
    }
    return results.slice(-statements.length);
  }

  async function query(statement: string, settings?: readonly string[]): Promise<Result> {
    const [result] = await queries([statement], settings);
    if (result === undefined) throw new TypeError('There is no result.');
    return result;
  }

  async function trial(client: pg.ClientBase, statement: string): Promise<void> {
    try {
      await send(client, ['BEGIN', ...SETTINGS, statement].join(';'));
    } catch (error) {
      if (!endsConnection(error)) await send(client, 'ROLLBACK');
      throw error;
    }
    await send(client, 'ROLLBACK');
  }

  return {
    query,
    queries,
    trial: (statement) => session((client) => trial(client, statement)),
    close: () => pool.end(),
  };
}

function ignore(): void {}

/** Repeats a transaction that was rolled back because of others, after a random pause: two that met once should not meet again. */
async function repeat<T>(transaction: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + REPEAT_FOR;
  for (;;) {
    try {
      return await transaction();
    } catch (error) {
      if (!hasLost(error) || performance.now() > deadline) throw error;
      await pause(Math.random() * LONGEST_PAUSE);
    }
  }
}

/** Sends statements in one message. @returns what came of each. */
async function send(client: pg.ClientBase, message: string): Promise<readonly Result[]> {
  const results = await client.query<(string | null)[]>({ text: message, rowMode: 'array', types: AS_TEXT });
  // An array for several statements (https://node-postgres.com/features/queries), which its types do not say.
  return [results].flat().map(({ rows, rowCount }) => ({ rows, count: rowCount ?? 0 }));
}

/** Statements on a connection, with results as the server wrote them. */
export function queryOf(client: pg.ClientBase): Query {
  return async (text, values = []) => {
    const { rows, rowCount } = await client.query<(string | null)[]>({
      text,
      values: [...values],
      rowMode: 'array',
      types: AS_TEXT,
    });
    return { rows, count: rowCount ?? 0 };
  };
}

const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** Rejects with a StoreError when something cannot be read, which has changed nothing, whatever became of it. */
export async function read<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asNothingDone(error);
  }
}

/** Rejects with what a statement's failure means for its work. */
export async function orStoreError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asStoreError(error);
  }
}
