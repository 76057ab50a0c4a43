import type { PlantStore } from '../plants/plant-store.ts';
import { Batches, type Batching } from './batches.ts';
import type { OnCommit } from './observe-commit.ts';

/** Deletes plants, many per commit. */
interface DeleteBatcher {
  /** Resolves once the commit is durable. @returns whether this call deleted the plant. */
  readonly deletePlant: (id: bigint) => Promise<boolean>;
  /** Number of deletes that wait for their commit, including running ones. */
  readonly length: () => number;
}

/** How deletes are batched. */
interface DeleteBatching extends Batching<bigint> {
  /** Each worker of a store has batches of its own, so that a hanging worker holds no other up. */
  readonly workerOf?: ((id: bigint) => number) | undefined;
  readonly onCommit?: OnCommit;
}

/**
 * Batches deletes into commits. Of several callers with the same id, the first deletes the plant.
 * @param deletePlants deletes distinct ids in one commit.
 */
export function batchDeletes(
  deletePlants: PlantStore['deletePlants'],
  { workerOf = () => 0, onCommit = () => undefined, ...batching }: DeleteBatching = {},
): DeleteBatcher {
  const commit = async (ids: readonly bigint[], resolve: (index: number, isDeleted: boolean) => void) => {
    const winners = new Map<bigint, number>();
    for (const [index, id] of ids.entries()) if (!winners.has(id)) winners.set(id, index);
    const start = performance.now();
    const { deleted, refused } = await deletePlants([...winners.keys()], (durable) => {
      for (const id of durable) resolve(winners.get(id) ?? -1, true);
    }).finally(() => {
      onCommit(winners.size, (performance.now() - start) / 1000);
    });
    return (id: bigint, index: number) => {
      const refusal = refused.get(id);
      if (refusal !== undefined) throw refusal;
      return winners.get(id) === index && deleted.has(id);
    };
  };
  const batchesOf = new Map<number, Batches<bigint, boolean>>();
  return {
    deletePlant: (id) => {
      const worker = workerOf(id);
      let batches = batchesOf.get(worker);
      if (batches === undefined) batchesOf.set(worker, (batches = new Batches(commit, batching)));
      return batches.enqueue(id);
    },
    length: () => [...batchesOf.values()].reduce((sum, { length }) => sum + length, 0),
  };
}
