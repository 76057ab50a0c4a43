import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { serversOf } from '../database-url.ts';
import { asNothingDone, endsConnection, isReadOnly, isRefusedOne } from './failures.ts';
import { findServer } from './find-server.ts';

/** Timeout for getting a connection, in milliseconds. */
const CONNECT_TIMEOUT = 2_000;
/** The longest pause between two attempts, in milliseconds. */
const LONGEST_PAUSE = 50;
/**
 * How long an abandoned connection keeps its place if the server neither answers nor closes it, in
 * milliseconds: a server that lost its network never does.
 */
const ABANDONED_FOR = 30_000;

/**
 * The connections of a pool to the server that takes writes. A statement without a response is
 * abandoned, but its connection keeps its place in the pool until the server has ended it:
 * otherwise a server whose commits hang would get more and more connections.
 */
export class Connections {
  readonly #url: string;
  readonly #max: number;
  readonly #onLost: (error: Error) => void;
  readonly #answerTimeout: number;
  readonly #abandoned = new Set<() => void>();
  #server: string;
  #pool: pg.Pool;
  #moving: Promise<boolean> | undefined;
  #isClosed = false;

  /**
   * @param server the first of the URL's servers to use.
   * @param max maximum number of connections.
   * @param onLost receives the error of an idle connection that ended.
   * @param answerTimeout maximum wait for a response, in milliseconds.
   */
  constructor(url: string, server: string, max: number, onLost: (error: Error) => void, answerTimeout: number) {
    this.#url = url;
    this.#server = server;
    this.#max = max;
    this.#onLost = onLost;
    this.#answerTimeout = answerTimeout;
    this.#pool = this.#open();
  }

  /** Runs work on a connection. Rejects with a StoreError without a connection. */
  async use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    const pool = this.#pool;
    const result = work(client);
    const answered = result.then(
      () => true,
      (error: unknown) => {
        if (isReadOnly(error)) this.#leave(pool);
        return !endsConnection(error);
      },
    );
    const isUsable = await within(this.#answerTimeout, answered);
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
      connectionString: this.#server,
      max: this.#max,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      keepAlive: true,
      fallback_application_name: 'plant-store',
    });
    // An unhandled 'error' event ends the process (https://node-postgres.com/apis/pool#error).
    pool.on('error', this.#onLost);
    // The pool does not listen to a client in use. Its statement rejects with the same error.
    pool.on('connect', (client) => client.on('error', ignore));
    return pool;
  }

  async #connect(): Promise<pg.PoolClient> {
    const deadline = performance.now() + CONNECT_TIMEOUT;
    await this.#moving;
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await this.#pool.connect();
      } catch (error) {
        // An open connection may become idle soon, or another client may disconnect.
        if (isRefusedOne(error) && performance.now() < deadline) await pause(Math.random() * LONGEST_PAUSE);
        else if (!isFirst || !(await this.#move())) throw asNothingDone(error);
      }
    }
  }

  /** Leaves a server that takes no writes: its idle connections close at once. */
  #leave(pool: pg.Pool): void {
    if (pool !== this.#pool || this.#isClosed) return;
    this.#replace();
    void this.#move();
  }

  #replace(): void {
    const old = this.#pool;
    this.#pool = this.#open();
    void old.end();
  }

  /** Moves to the server that takes writes, once for all that wait. @returns true if it moved. */
  #move(): Promise<boolean> {
    return (this.#moving ??= this.#find().finally(() => (this.#moving = undefined)));
  }

  async #find(): Promise<boolean> {
    if (serversOf(this.#url).length === 1) return false;
    const server = await findServer(this.#url).catch(() => this.#server);
    if (server === this.#server || this.#isClosed) return false;
    this.#server = server;
    this.#replace();
    return true;
  }

  /** Keeps the place of a connection until it is answered, closed or given up. */
  #abandon(client: pg.PoolClient, answered: Promise<boolean>): void {
    const end = (isUsable = false): void => {
      clearTimeout(timer);
      if (this.#abandoned.delete(end)) client.release(!isUsable);
    };
    const timer = setTimeout(end, this.#isClosed ? 0 : ABANDONED_FOR);
    this.#abandoned.add(end);
    void answered.then(end);
  }
}

function ignore(): void {}

/** The result of work, or undefined after so many milliseconds. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
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
