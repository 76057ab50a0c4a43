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
      const both = [async () => ours.push(await time(OURS)), async () => theirs.push(await time(BARE_EXPRESS))];
      for (const run of round % 2 === 0 ? both : both.reverse()) await run();
    }
    const rounds = ours.slice(1).map((value, index) => value / (theirs[index + 1] ?? Number.NaN));
    const [a, b] = [median(ours.slice(1)), median(theirs.slice(1))];
    const milliseconds = (value: number): string => `${Math.round(value)} ms`;
    const values = { ours: milliseconds(a), against: BARE_EXPRESS.name, theirs: milliseconds(b) };
    return [
      { measure: 'start to the first 204 in ms', ...values, against: '', theirs: '', value: a, goal: { atMost: 400 } },
      { measure: 'start to the first 204', ...values, value: median(rounds), goal: { atMost: 2 } },
    ];
  },
};
