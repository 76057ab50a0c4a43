import { OverloadError, StoreError } from '../errors.ts';

/** An item that waits for its batch. */
interface WaitingItem<Item, Result> {
  readonly since: number;
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum number of items in a batch. */
const MAX_BATCH = 1_000;
/** Maximum number of waiting items; more are refused at once, so that the others finish in time. */
export const MAX_WAITING = 10_000;
/** Maximum wait for a batch, in milliseconds: most clients give up after it. */
export const MAX_WAIT = 5_000;
/** How long a batch of a store with concurrent writers gathers items at most, in milliseconds. */
const GATHERING = 1;
/** After this wait, in milliseconds, a group with few items is preferred to one with many. */
const PREFERRED_AFTER = 50;

/** How items are batched. */
export interface Batching<Item> {
  /** Maximum number of concurrent batches; more than one suits stores with concurrent writers. */
  readonly concurrency?: number;
  /** Starts a batch once all requests that have arrived are in it. */
  readonly schedule?: Schedule;
  /** A batch has items of one group only; by default all are of one. */
  readonly groupOf?: ((item: Item) => number) | undefined;
}

/** Runs a task later, together with the others of this event-loop iteration. */
type Schedule = (task: () => void) => void;

/**
 * Runs a batch and returns a function from an item to its result or error. May resolve an item
 * earlier, by its index.
 */
type Work<Item, Result> = (
  items: readonly Item[],
  resolve: (index: number, result: Result) => void,
) => Promise<(item: Item, index: number) => Result>;

/**
 * Batches items that arrive during a running batch or in one event-loop iteration. The queue is
 * bounded in length and time; further items get an OverloadError.
 */
export class Batches<Item, Result> {
  readonly #work: Work<Item, Result>;
  readonly #concurrency: number;
  readonly #schedule: Schedule;
  readonly #groupOf: (item: Item) => number;
  /** The waiting items of each group, in the order of their first. */
  readonly #groups = new Map<number, WaitingItem<Item, Result>[]>();
  #waiting = 0;
  #committing = 0;
  #running = 0;
  /** Number of items in running batches when the last one started. */
  #expected = 0;
  /** True while a batch is about to start. */
  #isStarting = false;
  #gathering: NodeJS.Timeout | undefined;

  constructor(
    work: Work<Item, Result>,
    { concurrency = 1, schedule = setImmediate, groupOf = () => 0 }: Batching<Item> = {},
  ) {
    this.#work = work;
    this.#concurrency = concurrency;
    this.#schedule = schedule;
    this.#groupOf = groupOf;
  }

  /** Number of waiting items, including those in running batches. */
  get length(): number {
    return this.#waiting + this.#committing;
  }

  /** Adds an item; settles with the item's result in its batch. */
  enqueue(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting >= MAX_WAITING) {
        reject(new OverloadError(`${MAX_WAITING} requests are waiting already`));
        return;
      }
      const group = this.#groupOf(item);
      const entry = { item, resolve, reject, since: performance.now() };
      const entries = this.#groups.get(group);
      if (entries === undefined) this.#groups.set(group, [entry]);
      else entries.push(entry);
      this.#waiting++;
      this.#startSoon();
    });
  }

  /**
   * Starts a batch at the end of this event-loop iteration, so that all requests that have arrived
   * take part. With concurrent writers, waits for as many requests as were in flight recently: the
   * clients of a finished batch send their next ones soon, and small batches cost the store more.
   */
  #startSoon(): void {
    if (this.#waiting === 0 || this.#isStarting || this.#running === this.#concurrency) return;
    if (this.#concurrency > 1 && this.#waiting < this.#expected) {
      this.#gathering ??= setTimeout(this.#start, GATHERING);
      return;
    }
    clearTimeout(this.#gathering);
    this.#isStarting = true;
    this.#schedule(this.#start);
  }

  readonly #start = (): void => {
    this.#isStarting = false;
    this.#gathering = undefined;
    void this.#run();
  };

  async #run(): Promise<void> {
    this.#running++;
    const now = performance.now();
    const [group, items] = this.#next(now);
    this.#expected = this.#committing + items.length;
    this.#startSoon();
    const batch: WaitingItem<Item, Result>[] = [];
    for (const entry of items) {
      if (now - entry.since < MAX_WAIT) batch.push(entry);
      else entry.reject(new OverloadError(`the request has waited for ${MAX_WAIT} ms`));
    }
    if (batch.length > 0) await this.#commit(group, batch);
    this.#running--;
    this.#startSoon();
  }

  /** Takes items of the group with the most of them, or of the oldest if it has waited. */
  #next(now: number): readonly [number, WaitingItem<Item, Result>[]] {
    let [[group, items] = [0, []]] = this.#groups;
    if (now - (items[0]?.since ?? now) < PREFERRED_AFTER) {
      for (const [name, entries] of this.#groups) if (entries.length > items.length) [group, items] = [name, entries];
    }
    const taken = items.splice(0, MAX_BATCH);
    this.#groups.delete(group);
    // Behind the others.
    if (items.length > 0) this.#groups.set(group, items);
    this.#waiting -= taken.length;
    return [group, taken];
  }

  async #commit(group: number, batch: readonly WaitingItem<Item, Result>[]): Promise<void> {
    this.#committing += batch.length;
    try {
      const resultOf = await this.#work(
        batch.map(({ item }) => item),
        (index, result) => batch[index]?.resolve(result),
      );
      for (const [index, { item, resolve, reject }] of batch.entries()) {
        try {
          resolve(resultOf(item, index));
        } catch (error) {
          reject(error);
        }
      }
    } catch (error) {
      // The store would fail for the waiting items too, and they have waited as long.
      const fails = error instanceof StoreError && error.outcome === 'nothing done';
      const refusedEntries = fails ? (this.#groups.get(group) ?? []) : [];
      if (fails) this.#groups.delete(group);
      this.#waiting -= refusedEntries.length;
      for (const entry of [...batch, ...refusedEntries]) entry.reject(error);
    } finally {
      this.#committing -= batch.length;
    }
  }
}
