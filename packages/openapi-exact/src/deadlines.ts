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
  begin(duration: number, onExpired: () => void): Deadline {
    let queue = this.#byDuration.get(duration);
    if (queue === undefined) {
      queue = new DeadlineQueue(duration);
      this.#byDuration.set(duration, queue);
    }
    return queue.add(onExpired);
  }
}

/** The longest pause between two looks at the deadlines, in milliseconds. */
const LONGEST_PAUSE = 1_000;

/** Work of one duration, the oldest first. */
class DeadlineQueue {
  readonly #duration: number;
  readonly #pause: number;
  readonly #waiting = new Set<Deadline>();
  #timer: NodeJS.Timeout | undefined;

  constructor(duration: number) {
    this.#duration = duration;
    this.#pause = Math.max(1, Math.min(LONGEST_PAUSE, duration / 10));
  }

  add(onExpired: () => void): Deadline {
    const deadline = new Deadline(this.#waiting, onExpired);
    this.#waiting.add(deadline);
    if (this.#timer === undefined && this.#duration !== Infinity) {
      this.#timer = setInterval(this.#expire, this.#pause).unref();
    }
    return deadline;
  }

  readonly #expire = (): void => {
    const due = performance.now() - this.#duration;
    for (const deadline of this.#waiting) {
      if (deadline.begunAt > due) return;
      deadline.expire();
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  };
}

/** The deadline of some work. */
class Deadline {
  readonly begunAt = performance.now();
  readonly #waiting: Set<Deadline>;
  readonly #onExpired: () => void;

  constructor(waiting: Set<Deadline>, onExpired: () => void) {
    this.#waiting = waiting;
    this.#onExpired = onExpired;
  }

  /** The work has ended. */
  end(): void {
    this.#waiting.delete(this);
  }

  expire(): void {
    this.end();
    this.#onExpired();
  }
}
