import { OURS } from '../contestants.ts';
import { cli, type Database } from '../database.ts';
import { sendLoad, type LoadResult } from '../load.ts';
import { median } from '../median.ts';
import type { Outcome, Row } from '../row.ts';
import { startServer } from '../server-process.ts';
import { shuffledIds } from '../shuffled-ids.ts';
import { plantsForRun } from '../context.ts';

const IDS = 1_000_000;

/**
 * Deletes while ids are imported into the same store, one file of a million after the other. An import into another store tells
 * what the processor and the disk alone, which both share, do to the deletes.
 */
export const importLatency: Row = {
  id: 'import-latency',
  run: async (context) => {
    // An import reads its whole file before it takes the lock: the measurement must see both.
    const seconds = Math.max(context.seconds, context.quick ? 3 : 6);
    const files: string[] = [];
    for (let index = 0; index < seconds; index++) {
      files.push(await context.databases.idFile(`import-${index}.txt`, shuffledIds(IDS, index * IDS)));
    }
    const times: Record<'without' | 'same' | 'other', number[]> = { without: [], same: [], other: [] };
    const order: (keyof typeof times)[] = context.quick ? ['without', 'same'] : ['without', 'same', 'other'];
    for (let round = 0; round < Math.min(context.rounds, 5); round++) {
      for (const store of order) times[store].push(await tail(store));
      order.reverse();
    }

    async function tail(store: keyof typeof times): Promise<number> {
      const database = await context.databases.fresh(plantsForRun({ ...context, seconds }));
      const target = store === 'other' ? await context.databases.fresh(0) : database;
      const server = await startServer(OURS, database, context.node);
      try {
        const warm = await sendLoad(server, { connections: 64, seconds: context.warmUp, first: 1 });
        const stop = store === 'without' ? undefined : importAll(target);
        let result: LoadResult;
        try {
          result = await sendLoad(server, { connections: 64, seconds, first: warm.requests + 128 });
        } finally {
          await stop?.();
        }
        if (result.refused > 0) throw new Error(`${result.refused} deletes were refused.`);
        return result.p99;
      } finally {
        await server.stop();
      }
    }

    /** Imports file after file. @returns what lets it end with the file at work. */
    function importAll(database: Database): () => Promise<void> {
      const stopping = new AbortController();
      const all = (async () => {
        for (const file of files) {
          if (!stopping.signal.aborted) await cli(database.url, ['plants', 'import', file], context.node);
        }
      })();
      // Whoever stops it is told of its failure.
      all.catch(() => undefined);
      return () => {
        stopping.abort();
        return all;
      };
    }

    const time = (value: number): string => `${value.toFixed(2)} ms`;
    const outcome = (measure: string, values: readonly number[], goal: Outcome['goal']): Outcome => ({
      measure,
      ours: time(median(values)),
      against: 'without an import',
      theirs: time(median(times.without)),
      value: median(values.map((value, round) => value / (times.without[round] ?? Number.NaN))),
      goal,
    });
    const same = outcome('p99 of deletes while 1,000,000 ids are imported', times.same, { atMost: 3 });
    if (context.quick) return [same];
    return [same, outcome('the same while they go into another store', times.other, undefined)];
  },
};
