import { BARE, OURS } from '../contestants.ts';
import { compare, plantsForRun } from '../context.ts';
import { compareLatencies, summaryOf, type Row } from '../row.ts';

export const latency: Row = {
  id: 'latency',
  quick: true,
  run: async (context) => {
    const plants = plantsForRun(context);
    const load = { connections: 1 };
    const all = await compare(context, [
      { contestant: OURS, plants, load },
      { contestant: BARE, plants, load },
    ]);
    return [
      compareLatencies('one request at a time, p50', 'p50', summaryOf(all, OURS), summaryOf(all, BARE), {
        atMost: 1.3,
      }),
    ];
  },
};
