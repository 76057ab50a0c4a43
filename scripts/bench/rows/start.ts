import { BARE_EXPRESS, OURS, type Contestant } from '../contestants.ts';
import { median } from '../median.ts';
import type { Row } from '../row.ts';
import { startServer } from '../server-process.ts';

/** From the start of the process to its first 204, with a store that is there already. */
export const start: Row = {
  id: 'start',
  quick: true,
  run: async (context) => {
    async function time(contestant: Contestant): Promise<number> {
      const database = await context.databases.fresh(10);
      const begin = performance.now();
      const first = { token: database.token, id: '1' };
      const server = await startServer(contestant, database, context.node, { first, pinned: false });
      const elapsed = performance.now() - begin;
      await server.stop();
      if (server.firstStatus !== 204) throw new Error(`${contestant.name} answered ${server.firstStatus}.`);
      return elapsed;
    }
    const ours: number[] = [];
    const theirs: number[] = [];
    // The first round fills the system's caches and is not counted.
    for (let round = 0; round <= (context.quick ? 2 : 15); round++) {
      const times = [await time(OURS), await time(BARE_EXPRESS)] as const;
      if (round === 0) continue;
      ours.push(times[0]);
      theirs.push(times[1]);
    }
    const [a, b] = [median(ours), median(theirs)];
    const milliseconds = (value: number): string => `${Math.round(value)} ms`;
    const both = { ours: milliseconds(a), against: BARE_EXPRESS.name, theirs: milliseconds(b) };
    return [
      { measure: 'start to the first 204 in ms', ...both, against: '', theirs: '', value: a, goal: { atMost: 400 } },
      { measure: 'start to the first 204', ...both, value: a / b, goal: { atMost: 2 } },
    ];
  },
};
