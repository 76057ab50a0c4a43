import { OverloadError, StoreError } from '../errors.ts';
import { EventLoopBatch } from '../event-loop-batch.ts';
import type { Deletions } from '../plants/plant-store.ts';

/** A delete that waits for its commit. */
interface Waiting {
  readonly since: number;
  readonly id: bigint;
  readonly resolve: (deleted: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** The deletes that one commit carries at most. */
const MAX_BATCH = 1_000;
/** The deletes that may wait for a commit; more are refused at once, while those before them are still answered in time. */
export const MAX_WAITING = 10_000;
/** Milliseconds that a delete waits for its commit at most: its client has hardly more patience. */
export const MAX_WAIT = 5_000;

/** Deletes plants, many in one commit. */
export interface Batcher {
  /** Resolves when the commit is durable. @returns whether this very call has removed the plant. */
  readonly deletePlant: (id: bigint) => Promise<boolean>;
  /** How many deletes wait for their commit now, those in a running one included. */
  readonly length: () => number;
}

/**
 * Gathers the deletes that arrive while a commit runs, and those of the same turn of the event loop, into one commit, so
 * that many requests share its cost. Each caller learns whether its own delete removed the plant: of several callers with
 * the same id, the first. A commit that fails fails all that were in it. The queue is
 * bounded in length and time: what cannot be done in time is refused with an OverloadError before anything is done.
 * @param deletePlants deletes distinct ids in one commit.
 * @param commits how many commits may run at a time; more than one only helps a store that works on several at once.
 * @param iteration the batch of the server whose requests these are.
 */
export function batchDeletes(
  deletePlants: (ids: readonly bigint[]) => Promise<Deletions>,
  commits = 1,
  iteration = new EventLoopBatch(),
): Batcher {
  let waiting: Waiting[] = [];
  let running = 0;
  let committing = 0;

  async function commit(batch: readonly Waiting[]): Promise<void> {
    committing += batch.length;
    const winners = new Map<bigint, Waiting>();
    for (const one of batch) if (!winners.has(one.id)) winners.set(one.id, one);
    try {
      const { deleted, refused } = await deletePlants([...winners.keys()]);
      for (const one of batch) {
        const refusal = refused.get(one.id);
        if (refusal === undefined) one.resolve(winners.get(one.id) === one && deleted.has(one.id));
        else one.reject(refusal);
      }
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
    deletePlant: (id) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= MAX_WAITING) {
          reject(new OverloadError(`${MAX_WAITING} deletes are waiting already`));
          return;
        }
        waiting.push({ id, resolve, reject, since: performance.now() });
        if (running === commits) return;
        running++;
        // So that every request that has arrived takes part.
        iteration.run(() => void run());
      }),
    length: () => waiting.length + committing,
  };
}

/** True, or the delete is refused, because its client has waited long enough. */
function inTime({ since, reject }: Waiting, now: number): boolean {
  if (now - since < MAX_WAIT) return true;
  reject(new OverloadError(`the delete has waited for ${MAX_WAIT} ms`));
  return false;
}
