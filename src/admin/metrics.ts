import type { Answered } from '../answered.ts';
import { Answers, Counts } from './counts.ts';
import type { Exposition } from './exposition.ts';

/** What operators measure the service by. */
export interface Metrics {
  readonly answered: (answer: Answered) => void;
  /** Takes what tells how many deletes wait for their commit. */
  readonly queue: (length: () => number) => void;
  /** Measures commits: how many deletes each carries, and its time. */
  readonly commits: <Id, Deleted>(
    deletePlants: (ids: readonly Id[]) => Promise<Deleted>,
  ) => (ids: readonly Id[]) => Promise<Deleted>;
  /** Loads what reads them; what Node knows of itself is counted from then on. */
  readonly load: () => Promise<unknown>;
  /** All of it, as Prometheus reads it. */
  readonly read: () => Promise<Exposition>;
}

/**
 * Metrics of one process. Labels come from the contract and the table of errors only: their number is bounded whatever clients send. What writes
 * them is loaded when `load` is called, or when they are first read: to load it took a twelfth of a start.
 */
export function createMetrics(): Metrics {
  const counts = new Counts();
  const { answers, failures, batchSizes, commitSeconds } = counts;
  let loaded: Promise<() => Promise<Exposition>> | undefined;

  function add(operation: string): Answers {
    const added = new Answers();
    answers.set(operation, added);
    return added;
  }

  function load(): Promise<() => Promise<Exposition>> {
    loaded ??= import('./exposition.ts').then(({ exposition }) => exposition(counts));
    // A file that could not be read is tried again with the next reading.
    loaded.catch(() => (loaded = undefined));
    return loaded;
  }

  return {
    answered: ({ operation = 'none', status, seconds, reason }) => {
      const all = answers.get(operation) ?? add(operation);
      all.statuses.set(status, (all.statuses.get(status) ?? 0) + 1);
      all.seconds.observe(seconds);
      if (reason !== undefined && (status === 401 || status === 403 || reason === 'tooManyFailures'))
        failures.set(reason, (failures.get(reason) ?? 0) + 1);
    },
    queue: (length) => {
      counts.queueLength = length;
    },
    commits: (deletePlants) => async (ids) => {
      const start = performance.now();
      try {
        return await deletePlants(ids);
      } finally {
        batchSizes.observe(ids.length);
        commitSeconds.observe((performance.now() - start) / 1000);
      }
    },
    load,
    read: async () => (await load())(),
  };
}
