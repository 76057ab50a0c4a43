import { OURS } from '../contestants.ts';
import { sendLoad } from '../load.ts';
import type { Row } from '../row.ts';
import { startServer } from '../server-process.ts';

/** Resident memory after many requests, and how much of it came with the second half of them. */
export const memory: Row = {
  id: 'memory',
  run: async (context) => {
    const requests = context.quick ? 200_000 : 2_000_000;
    const server = await startServer(OURS, await context.databases.fresh(requests + 500_000), context.node);
    let sent = 0;
    async function sendUntil(total: number): Promise<void> {
      while (sent < total) {
        const result = await sendLoad(server, { connections: 64, seconds: context.quick ? 1 : 3, first: sent + 1 });
        if (result.refused > 0) throw new Error(`${result.refused} deletes were refused.`);
        sent += result.requests + 128;
      }
    }
    try {
      await sendUntil(requests / 2);
      const half = await server.memory();
      await sendUntil(requests);
      const all = await server.memory();
      const megabytes = (value: number): string => `${value.toFixed(1)} MB`;
      const count = requests.toLocaleString('en');
      return [
        {
          measure: `resident memory in MB after ${count} requests`,
          ours: megabytes(all),
          against: '',
          theirs: '',
          value: all,
          goal: { atMost: 120 },
        },
        {
          measure: `its growth over the second half of ${count} requests`,
          ours: megabytes(all),
          against: 'after the first half',
          theirs: megabytes(half),
          value: all / half,
          goal: { atMost: 1.05 },
        },
      ];
    } finally {
      await server.stop();
    }
  },
};
