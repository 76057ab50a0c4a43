import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { asNothingDone, endsConnection, isBusy, isReadOnly, isRefusedOne } from './failures.ts';
import { APPLICATION_NAME, askServer, type Primary, type DatabaseServer } from './primary.ts';

/** Timeout of a response, in milliseconds; longer than statement_timeout. */
const ANSWER_TIMEOUT = 7_000;
/** Timeout for getting a connection, in milliseconds. */
const CONNECT_TIMEOUT = 2_000;
/** The longest pause between two attempts, in milliseconds. */
const LONGEST_RETRY_PAUSE = 50;
/** How often an abandoned connection is asked after, in milliseconds: a lost one never answers. */
const ABANDONED_FOR = 30_000;
/** Has a row while statements of this program hang in the server: commits have no time limit. */
const HANGING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND usename = session_user
  AND state = 'active' AND application_name = current_setting('application_name')
  AND query_start < now() - interval '${ABANDONED_FOR} milliseconds' LIMIT 1`;

/**
 * The connections of a pool to the server that takes writes. A statement without a response is
 * abandoned, but its connection keeps its place in the pool until the server has ended it:
 * otherwise a server whose commits hang would get more and more connections.
 */
export class Connections {
  readonly #primary: Primary;
  readonly #max: number;
  readonly #onLost: (error: Error) => void;
  readonly #answerTimeout: number;
  readonly #abandoned = new Set<() => void>();
  #server: DatabaseServer;
  #pool: pg.Pool;
  #asking: Promise<boolean> | undefined;
  #isClosed = false;

  /**
   * @param max maximum number of connections.
   * @param onLost receives the error of an idle connection that ended; the next use reconnects.
   * @param answerTimeout maximum wait for a response, in milliseconds.
   */
  constructor(primary: Primary, max: number, onLost: (error: Error) => void, answerTimeout = ANSWER_TIMEOUT) {
    this.#primary = primary;
    this.#server = primary.server;
    this.#max = max;
    this.#onLost = onLost;
    this.#answerTimeout = answerTimeout;
    this.#pool = this.#open();
  }

  /** Runs work on a connection. Rejects with a StoreError without a connection. */
  async use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const { client, server } = await this.#connect();
    const result = work(client);
    const answered = result.then(
      () => true,
      (error: unknown) => {
        if (isReadOnly(error)) {
          this.#primary.leave(server);
          this.#follow();
        }
        return !endsConnection(error);
      },
    );
    const isUsable = await settledWithin(this.#answerTimeout, answered);
    if (isUsable === undefined) {
      this.#abandon(client, answered);
      throw new Error(`no answer within ${this.#answerTimeout} ms`);
    }
    client.release(!isUsable);
    return result;
  }

  /** Waits for running work, then closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const end of this.#abandoned) end();
    await this.#pool.end();
  }

  #open(): pg.Pool {
    const pool = new pg.Pool({
      connectionString: this.#server.url,
      max: this.#max,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      keepAlive: true,
      fallback_application_name: APPLICATION_NAME,
    });
    // An unhandled 'error' event ends the process (https://node-postgres.com/apis/pool#error).
    pool.on('error', this.#onLost);
    // The pool does not listen to a client in use. Its statement rejects with the same error.
    pool.on('connect', (client) => client.on('error', ignore));
    return pool;
  }

  async #connect(): Promise<{ readonly client: pg.PoolClient; readonly server: DatabaseServer }> {
    const deadline = performance.now() + CONNECT_TIMEOUT;
    for (let isFirst = true; ; isFirst = false) {
      await this.#primary.settled();
      this.#follow();
      const server = this.#server;
      try {
        return { client: await this.#pool.connect(), server };
      } catch (error) {
        // An open connection may become idle soon, or another client may disconnect.
        if (isRefusedOne(error) && performance.now() < deadline) await pause(Math.random() * LONGEST_RETRY_PAUSE);
        else if (!isFirst || !(await this.#primary.moveFrom(server))) throw asNothingDone(error);
      }
    }
  }

  /** Moves to the current primary. Closes the idle connections to the one before it, at once. */
  #follow(): void {
    if (this.#server === this.#primary.server || this.#isClosed) return;
    const old = this.#pool;
    this.#server = this.#primary.server;
    this.#pool = this.#open();
    void old.end();
  }

  /**
   * Keeps the place of a connection until it is answered or closed. Gives it up if the connection
   * is lost, that is, if no statement hangs in the server.
   */
  #abandon(client: pg.PoolClient, answered: Promise<boolean>): void {
    let timer: NodeJS.Timeout | undefined;
    const end = (isUsable = false): void => {
      clearTimeout(timer);
      if (this.#abandoned.delete(end)) client.release(!isUsable);
    };
    const wait = (): void => {
      timer = setTimeout(() => {
        void this.#hangs().then((hangs) => {
          if (!hangs) end();
          else if (this.#abandoned.has(end)) wait();
        });
      }, ABANDONED_FOR);
    };
    this.#abandoned.add(end);
    void answered.then(end);
    if (this.#isClosed) end();
    else wait();
  }

  /** True while statements hang in the server, or it has no room to say so; asked once for all. */
  #hangs(): Promise<boolean> {
    return (this.#asking ??= askServer(this.#server.url, HANGING)
      .then((row) => row !== undefined, isBusy)
      .finally(() => (this.#asking = undefined)));
  }
}

function ignore(): void {}

/** The result of work, or undefined after so many milliseconds. */
async function settledWithin<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((done) => {
    timer = setTimeout(() => {
      done(undefined);
    }, milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
