/**
 * Times out work with one timer for all work of the same duration: a timer for each request would
 * cost more than most handlers. A deadline is kept to within a tenth of the duration.
 */
export class Deadlines<Work> {
  readonly #byDuration = new Map<number, DeadlineQueue<Work>>();
  readonly #onExpired: (work: Work) => void;

  /** @param onExpired is called for work that has not ended by its deadline. */
  constructor(onExpired: (work: Work) => void) {
    this.#onExpired = onExpired;
  }

  /** Begins some work. @param duration in milliseconds; Infinity for no deadline. */
  beginDeadline(duration: number, work: Work): Deadline<Work> {
    let queue = this.#byDuration.get(duration);
    if (queue === undefined) {
      queue = new DeadlineQueue(duration, this.#onExpired);
      this.#byDuration.set(duration, queue);
    }
    return queue.addDeadline(work);
  }
}

/** The longest pause between two looks at the deadlines, in milliseconds. */
const LONGEST_PAUSE = 1_000;

/**
 * Work of one duration as a linked list, the oldest first. A set would be a long-lived object that
 * refers to short-lived ones, which makes each garbage collection slower.
 */
class DeadlineQueue<Work> {
  oldest: Deadline<Work> | undefined;
  newest: Deadline<Work> | undefined;
  readonly #duration: number;
  readonly #pause: number;
  readonly #onExpired: (work: Work) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(duration: number, onExpired: (work: Work) => void) {
    this.#duration = duration;
    this.#onExpired = onExpired;
    this.#pause = Math.max(1, Math.min(LONGEST_PAUSE, duration / 10));
  }

  addDeadline(work: Work): Deadline<Work> {
    if (this.#timer === undefined && this.#duration !== Infinity) {
      this.#timer = setInterval(this.#expire, this.#pause).unref();
    }
    return new Deadline(this, work);
  }

  readonly #expire = (): void => {
    const due = performance.now() - this.#duration;
    while (this.oldest !== undefined && this.oldest.begunAt <= due) {
      const { work } = this.oldest;
      this.oldest.end();
      this.#onExpired(work);
    }
    if (this.oldest !== undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  };
}

/** The deadline of some work. It joins its queue as the newest. */
export class Deadline<Work> {
  readonly begunAt = performance.now();
  readonly work: Work;
  readonly #queue: DeadlineQueue<Work>;
  #older: Deadline<Work> | undefined;
  #newer: Deadline<Work> | undefined;
  #hasEnded = false;

  constructor(queue: DeadlineQueue<Work>, work: Work) {
    this.work = work;
    this.#queue = queue;
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
}
