/**
 * Times out work with one timer for all work of the same duration: a timer for each request would
 * cost more than most handlers. A deadline is kept to within a tenth of the duration.
 */
export class Deadlines {
  readonly #byDuration = new Map<number, DeadlineQueue>();

  /**
   * Begins some work.
   * @param duration in milliseconds; Infinity for no deadline.
   * @param onExpired is called if the work has not ended by then.
   */
  beginDeadline(duration: number, onExpired: () => void): Deadline {
    let queue = this.#byDuration.get(duration);
    if (queue === undefined) {
      queue = new DeadlineQueue(duration);
      this.#byDuration.set(duration, queue);
    }
    return queue.addDeadline(onExpired);
  }
}

/** The longest pause between two looks at the deadlines, in milliseconds. */
const LONGEST_PAUSE = 1_000;

/**
 * Work of one duration as a linked list, the oldest first. A set would be a long-lived object that
 * refers to short-lived ones, which makes each garbage collection slower.
 */
class DeadlineQueue {
  oldest: Deadline | undefined;
  newest: Deadline | undefined;
  readonly #duration: number;
  readonly #pause: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(duration: number) {
    this.#duration = duration;
    this.#pause = Math.max(1, Math.min(LONGEST_PAUSE, duration / 10));
  }

  addDeadline(onExpired: () => void): Deadline {
    if (this.#timer === undefined && this.#duration !== Infinity) {
      this.#timer = setInterval(this.#expire, this.#pause).unref();
    }
    return new Deadline(this, onExpired);
  }

  readonly #expire = (): void => {
    const due = performance.now() - this.#duration;
    while (this.oldest !== undefined && this.oldest.begunAt <= due) this.oldest.expire();
    if (this.oldest !== undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  };
}

/** The deadline of some work, the newest of its queue. */
class Deadline {
  readonly begunAt = performance.now();
  readonly #queue: DeadlineQueue;
  readonly #onExpired: () => void;
  #older: Deadline | undefined;
  #newer: Deadline | undefined;
  #hasEnded = false;

  constructor(queue: DeadlineQueue, onExpired: () => void) {
    this.#queue = queue;
    this.#onExpired = onExpired;
    this.#older = queue.newest;
    if (this.#older === undefined) queue.oldest = this;
    else this.#older.#newer = this;
    queue.newest = this;
  }

  /** The work has ended. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#older === undefined) this.#queue.oldest = this.#newer;
    else this.#older.#newer = this.#newer;
    if (this.#newer === undefined) this.#queue.newest = this.#older;
    else this.#newer.#older = this.#older;
    // Links among objects of different ages would keep the younger alive.
    this.#older = this.#newer = undefined;
  }

  expire(): void {
    this.end();
    this.#onExpired();
  }
}
