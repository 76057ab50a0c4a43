import { performance } from 'node:perf_hooks';

/**
 * How long the end of an iteration is delayed for new connections, in milliseconds, and how long it
 * is not delayed afterwards. After a long iteration the delay is longer, up to the second value.
 */
const SHORTEST_DELAY = 5;
const LONGEST_DELAY = 50;
const PART_OF_ITERATION = 1 / 4;

/**
 * Batches callbacks and runs them at the end of the current event-loop iteration. Requests that
 * arrive together then pass each stage together, with warm processor caches and in one commit.
 * A server and its stores share one batch.
 */
export class EventLoopBatch {
  #waiting: (() => void)[] = [];
  /** True while the callbacks run, until the promises they settled have run too. */
  #isEnding = false;
  /** True when a connection was accepted since the last end of an iteration. */
  #hasAccepted = false;
  /** How long the event loop had worked when the last end began, in milliseconds. */
  #workedAtLastEnd = 0;
  /** Until when the current end is delayed, by `performance.now()`. */
  #delayedUntil: number | undefined;
  /** How long it is delayed in all, and when the next delay may begin. */
  #delay = 0;
  #nextDelay = 0;

  /**
   * Runs a callback at the end of this iteration, after its I/O. If that end has begun, runs it as
   * soon as the promises of the callbacks before it have run.
   */
  run(callback: () => void): void {
    // Ticks run after promises: https://nodejs.org/api/process.html#processnexttickcallback-args
    if (this.#isEnding) queueMicrotask(process.nextTick.bind(process, callback));
    else if (this.#waiting.push(callback) === 1) setImmediate(this.#end);
  }

  /**
   * Notes that a connection was accepted. libuv accepts one per iteration
   * (https://github.com/libuv/libuv/pull/3696), so under load new clients would wait for seconds:
   * further connections are accepted before the callbacks run.
   */
  noteAccepted(): void {
    this.#hasAccepted = true;
  }

  readonly #end = (): void => {
    if (this.#isDelayed()) {
      setImmediate(this.#end);
      return;
    }
    this.#workedAtLastEnd = workedFor();
    const callbacks = this.#waiting;
    this.#waiting = [];
    this.#isEnding = true;
    queueMicrotask(() => {
      process.nextTick(() => {
        this.#isEnding = false;
      });
    });
    for (const callback of callbacks) {
      try {
        callback();
      } catch (error) {
        // Becomes an uncaught exception, and the callbacks behind it still run.
        process.nextTick(() => {
          throw error;
        });
      }
    }
  };

  /** True while there may be more connections to accept, within the bounds above. */
  #isDelayed(): boolean {
    if (!this.#hasAccepted) {
      this.#delayedUntil = undefined;
      return false;
    }
    this.#hasAccepted = false;
    const now = performance.now();
    if (now < this.#nextDelay) return false;
    if (this.#delayedUntil === undefined) {
      const part = (workedFor() - this.#workedAtLastEnd) * PART_OF_ITERATION;
      this.#delay = Math.min(LONGEST_DELAY, Math.max(SHORTEST_DELAY, part));
      this.#delayedUntil = now + this.#delay;
    }
    if (now < this.#delayedUntil) return true;
    this.#delayedUntil = undefined;
    this.#nextDelay = now + this.#delay;
    return false;
  }
}

/** For how long the event loop has worked so far, without its idle time, in milliseconds. */
function workedFor(): number {
  return performance.now() - performance.nodeTiming.idleTime;
}
