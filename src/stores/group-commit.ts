import { OverloadError, StoreError } from '../errors.ts';
import type { PlantStore } from '../plants/plant-store.ts';

/** An item that waits for its batch. */
interface Waiting<Item, Result> {
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

/** Runs work in batches. */
export interface Batcher<Item, Result> {
  /** Adds an item; settles with the item's result in its batch. */
  readonly add: (item: Item) => Promise<Result>;
  /** Number of waiting items, including those in running batches. */
  readonly length: () => number;
}

/** Deletes plants, many per commit. */
export interface DeleteBatcher {
  /** Resolves once the commit is durable. @returns whether this call deleted the plant. */
  readonly deletePlant: (id: bigint) => Promise<boolean>;
  /** Number of deletes that wait for their commit, including running ones. */
  readonly length: () => number;
}

/**
 * Batches deletes into commits. Of several callers with the same id, the first deletes the plant.
 * @param deletePlants deletes distinct ids in one commit.
 * @param commits concurrent commits; more than one suits stores with concurrent writers only.
 * @param schedule starts a commit once all requests that have arrived are in it.
 */
export function batchDeletes(
  deletePlants: PlantStore['deletePlants'],
  commits = 1,
  schedule: Schedule = setImmediate,
): DeleteBatcher {
  const { add, length } = batch(
    async (ids: readonly bigint[], resolve: (index: number, isDeleted: boolean) => void) => {
      const winners = new Map<bigint, number>();
      for (const [index, id] of ids.entries()) if (!winners.has(id)) winners.set(id, index);
      const { deleted, refused } = await deletePlants([...winners.keys()], (durable) => {
        for (const id of durable) resolve(winners.get(id) ?? -1, true);
      });
      return (id: bigint, index: number) => {
        const refusal = refused.get(id);
        if (refusal !== undefined) throw refusal;
        return winners.get(id) === index && deleted.has(id);
      };
    },
    commits,
    schedule,
  );
  return { deletePlant: add, length };
}

/** Runs a task later, together with the others of this event-loop iteration. */
export type Schedule = (task: () => void) => void;

/**
 * Batches items that arrive during a running batch or in one event-loop iteration. Its queue is
 * bounded in length and time; further items get an OverloadError.
 * @param work runs one batch and returns a function from an item to its result or error. It may
 * resolve an item earlier, by its index.
 * @param concurrency maximum number of concurrent batches.
 * @param schedule starts a batch once all requests that have arrived are in it.
 */
export function batch<Item, Result>(
  work: (
    items: readonly Item[],
    resolve: (index: number, result: Result) => void,
  ) => Promise<(item: Item, index: number) => Result>,
  concurrency = 1,
  schedule: Schedule = setImmediate,
): Batcher<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let committing = 0;

  async function commit(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    committing += batch.length;
    try {
      const resultOf = await work(
        batch.map(({ item }) => item),
        (index, result) => batch[index]?.resolve(result),
      );
      for (const [index, one] of batch.entries()) settle(one, () => resultOf(one.item, index));
    } catch (error) {
      // The store would fail for the waiting items too, and they have waited as long.
      const others = error instanceof StoreError && error.outcome === 'nothing done' ? waiting : [];
      waiting = waiting.slice(others.length);
      for (const one of [...batch, ...others]) one.reject(error);
    } finally {
      committing -= batch.length;
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const now = performance.now();
      const batch = waiting.slice(0, MAX_BATCH).filter((one) => inTime(one, now));
      waiting = waiting.slice(MAX_BATCH);
      if (batch.length > 0) await commit(batch);
    }
    running--;
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= MAX_WAITING) {
          reject(new OverloadError(`${MAX_WAITING} requests are waiting already`));
          return;
        }
        waiting.push({ item, resolve, reject, since: performance.now() });
        if (running === concurrency) return;
        running++;
        // Delayed, so that every request that has arrived takes part.
        schedule(() => void run());
      }),
    length: () => waiting.length + committing,
  };
}

function settle<Result>(
  { resolve, reject }: Pick<Waiting<unknown, Result>, 'resolve' | 'reject'>,
  result: () => Result,
): void {
  try {
    resolve(result());
  } catch (error) {
    reject(error);
  }
}

/** True within the maximum wait; otherwise refuses the item. */
function inTime({ since, reject }: Pick<Waiting<unknown, never>, 'since' | 'reject'>, now: number): boolean {
  if (now - since < MAX_WAIT) return true;
  reject(new OverloadError(`the request has waited for ${MAX_WAIT} ms`));
  return false;
}
