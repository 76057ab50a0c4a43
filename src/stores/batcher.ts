/** A delete that waits for its commit. */
interface Waiting {
  readonly id: bigint;
  readonly resolve: (deleted: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** The deletes that one commit carries at most. */
const MAX_BATCH = 1_000;

/**
 * Gathers the deletes that arrive while a commit runs, and those of the same turn of the event loop, into one commit, so
 * that many requests share its cost. Each caller learns whether its own delete removed the plant: of several callers with
 * the same id, the first. A commit that fails fails all that were in it.
 * @param deletePlants deletes distinct ids in one commit and returns those that were there.
 */
export function batchDeletes(
  deletePlants: (ids: readonly bigint[]) => Promise<ReadonlySet<bigint>>,
): (id: bigint) => Promise<boolean> {
  let waiting: Waiting[] = [];
  let running = false;

  async function commit(batch: readonly Waiting[]): Promise<void> {
    const winners = new Map<bigint, Waiting>();
    for (const one of batch) if (!winners.has(one.id)) winners.set(one.id, one);
    try {
      const deleted = await deletePlants([...winners.keys()]);
      for (const one of batch) one.resolve(winners.get(one.id) === one && deleted.has(one.id));
    } catch (error) {
      for (const one of batch) one.reject(error);
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await commit(batch);
    }
    running = false;
  }

  return (id) =>
    new Promise((resolve, reject) => {
      waiting.push({ id, resolve, reject });
      if (running) return;
      running = true;
      // After the I/O of this turn, so that every request that has arrived takes part.
      setImmediate(() => void run());
    });
}
