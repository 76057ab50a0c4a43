import { performance } from 'node:perf_hooks';

/** How many go on together at most: the response to the first of them may wait for all others. */
const LARGEST_GROUP = 16;
/** How long the first of them may have waited when another one comes, in milliseconds. */
const LONGEST_WAIT = 2;

/**
 * Lets requests that come to one point of their lifecycle at about the same time go on together.
 * The code of a step that runs for many requests in turn is in the processor's caches, and a proxy
 * in front is woken once for many responses.
 */
export class Gathering {
  readonly #waitsForIteration: boolean;
  /** Resolves when those who wait go on. */
  #departure: Promise<void> | undefined;
  #depart: () => void = () => undefined;
  #isScheduled = false;
  #count = 0;
  /** When the first of them came, by `performance.now()`. */
  #begunAt = 0;

  /**
   * @param until the end of what a request waits for that comes alone: its task, or the iteration
   * of the event loop. Node.js reads each socket in a task of its own.
   */
  constructor(until: 'task' | 'iteration') {
    this.#waitsForIteration = until === 'iteration';
  }

  /**
   * Resolves at the end of the task or iteration, or as soon as the group is large or has waited.
   * The caller goes on in its own asynchronous context (`AsyncLocalStorage`).
   */
  join(): Promise<void> {
    const departure = (this.#departure ??= this.#begin());
    this.#count += 1;
    if (this.#count === LARGEST_GROUP || performance.now() - this.#begunAt > LONGEST_WAIT) this.#letGo();
    return departure;
  }

  #begin(): Promise<void> {
    this.#count = 0;
    this.#begunAt = performance.now();
    queueMicrotask(this.#endTask);
    if (this.#waitsForIteration && !this.#isScheduled) {
      setImmediate(this.#endIteration);
      this.#isScheduled = true;
    }
    return new Promise((resolve) => {
      this.#depart = resolve;
    });
  }

  readonly #endTask = (): void => {
    // A server in front may have gathered several requests already.
    if (this.#count > 1 || !this.#waitsForIteration) this.#letGo();
  };

  readonly #endIteration = (): void => {
    this.#isScheduled = false;
    this.#letGo();
  };

  #letGo(): void {
    this.#departure = undefined;
    this.#depart();
  }
}
