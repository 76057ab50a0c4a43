import { Connections } from './connections.ts';
import { Pool } from './pool.ts';
import type { Primary } from './primary.ts';

/** The pools of one database. Work in one waits for no connection of another. */
export class Pools {
  readonly #primary: Primary;
  readonly #onLost: (error: Error) => void;
  readonly #opened: Connections[] = [];
  readonly #ofWorkers = new Map<number, Pool>();

  /** @param onLost receives the errors of idle connections that ended. */
  constructor(primary: Primary, onLost: (error: Error) => void) {
    this.#primary = primary;
    this.#onLost = onLost;
  }

  /**
   * Adds a pool of at most `max` connections.
   * @param answerTimeout maximum wait for a response, in milliseconds.
   */
  open(max: number, answerTimeout?: number): Pool {
    const connections = new Connections(this.#primary, max, this.#onLost, answerTimeout);
    this.#opened.push(connections);
    return new Pool(connections);
  }

  /** The pool of a worker, with at most `max` connections, opened when it is used first. */
  ofWorker(worker: number, max: number): Pool {
    const found = this.#ofWorkers.get(worker) ?? this.open(max);
    this.#ofWorkers.set(worker, found);
    return found;
  }

  /** Waits for running work, then closes all connections. */
  async close(): Promise<void> {
    await Promise.all(this.#opened.map((connections) => connections.close()));
  }
}
