import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { asNothingDone, asStoreError, endsConnection, hasLost, isRefusedOne } from './failures.ts';

/** Times in milliseconds. */
const TIMES = {
  /** For a connection, be it a new one or one that is in use. */
  connectionTimeoutMillis: 2_000,
  /** For a row that somebody else has locked. */
  lock_timeout: 2_000,
  /** For a statement, as the server counts; without an answer for longer than this, the connection is given up. */
  statement_timeout: 5_000,
  query_timeout: 7_000,
} as const;
/** How long a statement that lost against others is repeated, and the longest pause in between; in milliseconds. */
const REPEAT_FOR = 3_000;
const LONGEST_PAUSE = 50;

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
   * Runs a statement in a transaction of its own, durable when the promise resolves; it is repeated while it loses against others (40001, 40P01).
   * It rejects with the error of the server, and with a StoreError when there is no connection.
   */
  readonly query: Query;
  /** Runs `work` in one transaction, durable when the promise resolves. It is repeated and rejects as `query` does. */
  readonly transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>;
  /** Runs `work` in a transaction that is rolled back. */
  readonly trial: (work: (query: Query) => Promise<unknown>) => Promise<void>;
  /** Waits for the statements that run, and closes all connections. */
  readonly close: () => Promise<void>;
}

/**
 * @param max the connections at most.
 * @param onLost is told of a connection that ended while nobody used it; the next statement opens another.
 */
export function openPool(url: string, max: number, onLost: (error: Error) => void): Pool {
  // The pool waits for it (https://node-postgres.com/apis/pool), which its types do not say.
  const onConnect: (client: pg.ClientBase) => unknown = requireDurability;
  const pool = new pg.Pool({
    connectionString: url,
    max,
    ...TIMES,
    keepAlive: true,
    fallback_application_name: 'plant-store',
    onConnect,
  });
  // Without a listener the process would end (https://node-postgres.com/apis/pool#error).
  pool.on('error', onLost);

  async function connect(): Promise<pg.PoolClient> {
    const deadline = performance.now() + TIMES.connectionTimeoutMillis;
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

  async function session<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = await connect();
    // The statement that waits for its answer is told too; without a listener the process would end.
    client.on('error', ignore);
    let isUsable = true;
    try {
      return await work(queryOf(client));
    } catch (error) {
      isUsable = !endsConnection(error);
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(!isUsable);
    }
  }

  async function transaction<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
    const result = await uncommitted(query, work);
    await query('COMMIT');
    return result;
  }

  return {
    query: (text, values) => repeat(() => session((query) => query(text, values))),
    transaction: (work) => repeat(() => session((query) => transaction(query, work))),
    trial: (work) =>
      session(async (query) => {
        await uncommitted(query, work);
        await query('ROLLBACK');
      }),
    close: () => pool.end(),
  };
}

/** Begins a transaction. Whatever ends it before its COMMIT is sent, nothing is done: a server that has lost its client rolls back by itself. */
async function uncommitted<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  try {
    await query('BEGIN');
    return await work(query);
  } catch (error) {
    if (endsConnection(error)) throw asNothingDone(error);
    await query('ROLLBACK').catch((cause: unknown) => Promise.reject(asNothingDone(cause)));
    throw error;
  }
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

/**
 * Statements on a connection, with results as the server wrote them.
 * @param timeout how long to wait for an answer, in milliseconds; by default as long as the connection's.
 */
export function queryOf(client: pg.ClientBase, timeout?: number): Query {
  return async (text, values = []) => {
    const result = await client.query<(string | null)[]>({
      text,
      values: [...values],
      rowMode: 'array',
      types: AS_TEXT,
      ...(timeout !== undefined && { query_timeout: timeout }),
    });
    return { rows: result.rows, count: result.rowCount ?? 0 };
  };
}

const AS_TEXT = { getTypeParser: () => (text: string) => text };

/**
 * A server whose default is synchronous_commit=off acknowledges commits that a crash may lose
 * (https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT).
 */
async function requireDurability(client: pg.ClientBase): Promise<void> {
  // Whoever waits for the connection waits for this too.
  const query = queryOf(client, TIMES.connectionTimeoutMillis);
  const { rows } = await query('SHOW synchronous_commit');
  if (rows[0]?.[0] === 'off') await query('SET synchronous_commit = on');
}

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
