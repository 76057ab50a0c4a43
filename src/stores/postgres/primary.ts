import pg from 'pg';
import { demandsPrimary, serversOf } from '../database-url.ts';
import { isUnreachable, ReadOnlyServerError } from './failures.ts';

/** Timeout of a connection and of its response, in milliseconds. */
const PROBE_TIMEOUT = 2_000;

/** The name of each connection, by which one finds the statements of the others that hang. */
export const APPLICATION_NAME = 'plant-store';

/** A server of the database's URL. */
export interface DatabaseServer {
  /** A URL with a single host. */
  readonly url: string;
}

/**
 * The server that all pools of a process use. Once one of them meets a read-only server, all close
 * their connections to it: what it knows may be old.
 */
export class Primary {
  readonly #url: string;
  #server: DatabaseServer;
  #moving: Promise<void> | undefined;
  #leaving: Promise<void> | undefined;

  /** @param found the first of the URL's servers to use. */
  constructor(url: string, found: string) {
    this.#url = url;
    this.#server = { url: found };
  }

  /** Another object once the pools must connect again, even to the same URL. */
  get server(): DatabaseServer {
    return this.#server;
  }

  /** Resolves once the search that follows a read-only server has ended. */
  async settled(): Promise<void> {
    await this.#leaving;
  }

  /** Leaves a server that takes no writes; behind a proxy, a new connection may reach another. */
  leave(server: DatabaseServer): void {
    if (server !== this.#server) return;
    this.#server = { ...server };
    this.#leaving = this.#move();
  }

  /** Searches for another server than this one. @returns true if there is one. */
  async moveFrom(server: DatabaseServer): Promise<boolean> {
    if (server === this.#server) await this.#move();
    return server !== this.#server;
  }

  /** Moves to the server that takes writes, once for all that wait. */
  #move(): Promise<void> {
    return (this.#moving ??= this.#findPrimary().finally(() => (this.#moving = undefined)));
  }

  async #findPrimary(): Promise<void> {
    if (serversOf(this.#url).length === 1) return;
    const url = await findServer(this.#url).catch(() => this.#server.url);
    if (url !== this.#server.url) this.#server = { url };
  }
}

/**
 * Finds the server to connect to: the first that takes writes, or the only one if the URL does not
 * demand that.
 * @returns a URL with a single host. If there is none, rejects with the first error that waiting
 * does not resolve, otherwise with an AggregateError of all.
 */
export async function findServer(url: string): Promise<string> {
  const servers = serversOf(url);
  if (!demandsPrimary(url)) return servers[0] ?? url;
  const errors: Error[] = [];
  for (const server of servers) {
    try {
      await requirePrimary(server);
      return server;
    } catch (error) {
      // Safe: pg and Node throw nothing else.
      errors.push(error as Error);
    }
  }
  throw errors.find((error) => !isUnreachable(error)) ?? new AggregateError(errors);
}

/** Rejects unless a server takes writes, as libpq's target_session_attrs=read-write does. */
async function requirePrimary(server: string): Promise<void> {
  const [isReadOnly] = (await askServer(server, 'SHOW transaction_read_only')) ?? [];
  if (isReadOnly !== 'off') throw new ReadOnlyServerError(`${new URL(server).host} takes no writes`);
}

/** Runs a statement on a connection of its own. @returns its first row, or undefined. */
export async function askServer(server: string, statement: string): Promise<readonly string[] | undefined> {
  const client = new pg.Client({
    connectionString: server,
    connectionTimeoutMillis: PROBE_TIMEOUT,
    query_timeout: PROBE_TIMEOUT,
    fallback_application_name: APPLICATION_NAME,
  });
  // The pending query rejects with this error too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<string[]>({ text: statement, rowMode: 'array' })).rows[0];
  } finally {
    // Not awaited: a frozen server never closes its side.
    void client.end();
  }
}
