import { OverloadError, StoreError } from '../errors.ts';
import type { Deletions } from '../plants/plant-store.ts';

/** What waits for its batch. */
interface Waiting<Item, Result> {
  readonly since: number;
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** What one batch carries at most. */
const MAX_BATCH = 1_000;
/** How many may wait for a batch; more are refused at once, while those before them are still answered in time. */
export const MAX_WAITING = 10_000;
/** How long one waits for its batch at most, in milliseconds: its client has hardly more patience. */
export const MAX_WAIT = 5_000;

/** Does work together with what else waits for it. */
export interface Batcher<Item, Result> {
  /** Resolves, or rejects, as the batch does for this item. */
  readonly add: (item: Item) => Promise<Result>;
  /** How many wait now, those in a running batch included. */
  readonly length: () => number;
}

/** Deletes plants, many in one commit. */
export interface DeleteBatcher {
  /** Resolves when the commit is durable. @returns whether this very call has removed the plant. */
  readonly deletePlant: (id: bigint) => Promise<boolean>;
  /** How many deletes wait for their commit now, those in a running one included. */
  readonly length: () => number;
}

/**
 * Batches deletes into commits. Of several callers with the same id, the first removes the plant.
 * @param deletePlants deletes distinct ids in one commit.
 * @param commits how many commits may run at a time; more than one only helps a store that works on several at once.
 * @param schedule starts a commit once all requests that have arrived are in it.
 */
export function batchDeletes(
  deletePlants: (ids: readonly bigint[]) => Promise<Deletions>,
  commits = 1,
  schedule: Schedule = setImmediate,
): DeleteBatcher {
  const { add, length } = batch(
    async (ids: readonly bigint[]) => {
      const winners = new Map<bigint, number>();
      for (const [index, id] of ids.entries()) if (!winners.has(id)) winners.set(id, index);
      const { deleted, refused } = await deletePlants([...winners.keys()]);
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
 * Gathers what arrives while a batch runs, and in the same event-loop iteration, into one batch, so that many requests
 * share its cost. A batch that fails fails all that were in it. The queue is bounded in length and time: what cannot be
 * done in time is refused with an OverloadError before anything is done.
 * @param work does one batch, and resolves to what gives, or throws, the result of an item by its place in it.
 * @param concurrency how many batches may run at a time.
 * @param schedule starts a batch once all requests that have arrived are in it.
 */
export function batch<Item, Result>(
  work: (items: readonly Item[]) => Promise<(item: Item, index: number) => Result>,
  concurrency = 1,
  schedule: Schedule = setImmediate,
): Batcher<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let committing = 0;

  async function commit(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    committing += batch.length;
    try {
      const resultOf = await work(batch.map(({ item }) => item));
      for (const [index, one] of batch.entries()) settle(one, () => resultOf(one.item, index));
    } catch (error) {
      // What the store could not do now it cannot do for those who wait either, and they have waited as long.
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
        // So that every request that has arrived takes part.
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

/** True, or the request is refused, because its client has waited long enough. */
function inTime({ since, reject }: Pick<Waiting<unknown, never>, 'since' | 'reject'>, now: number): boolean {
  if (now - since < MAX_WAIT) return true;
  reject(new OverloadError(`the request has waited for ${MAX_WAIT} ms`));
  return false;
}
