import { serversOf } from '../database-url.ts';
import { findServer } from './find-server.ts';

/** A server of the database's URL. */
export interface Server {
  /** A URL with a single host. */
  readonly url: string;
}

/**
 * The server that all pools of a process use. Once one of them meets a read-only server, all close
 * their connections to it: what it knows may be old.
 */
export class Primary {
  readonly #url: string;
  #server: Server;
  #moving: Promise<void> | undefined;
  #leaving: Promise<void> | undefined;

  /** @param found the first of the URL's servers to use. */
  constructor(url: string, found: string) {
    this.#url = url;
    this.#server = { url: found };
  }

  /** Another object once the pools must connect again, even to the same URL. */
  get server(): Server {
    return this.#server;
  }

  /** Resolves once the search that follows a read-only server has ended. */
  async settled(): Promise<void> {
    await this.#leaving;
  }

  /** Leaves a server that takes no writes; behind a proxy, a new connection may reach another. */
  leave(server: Server): void {
    if (server !== this.#server) return;
    this.#server = { ...server };
    this.#leaving = this.#move();
  }

  /** Searches for another server than this one. @returns true if there is one. */
  async moveFrom(server: Server): Promise<boolean> {
    if (server === this.#server) await this.#move();
    return server !== this.#server;
  }

  /** Moves to the server that takes writes, once for all that wait. */
  #move(): Promise<void> {
    return (this.#moving ??= this.#find().finally(() => (this.#moving = undefined)));
  }

  async #find(): Promise<void> {
    if (serversOf(this.#url).length === 1) return;
    const url = await findServer(this.#url).catch(() => this.#server.url);
    if (url !== this.#server.url) this.#server = { url };
  }
}
