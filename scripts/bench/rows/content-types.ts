import { OURS } from '../contestants.ts';
import { sendLoad, type Load } from '../load.ts';
import type { Row } from '../row.ts';
import { sendDelete } from '../send.ts';
import { startServer } from '../server-process.ts';

/** Requests with this many distinct Content-Types. */
const TYPES = 100_000;
/** express-openapi-validator as it comes keeps 11 KB for each: 1,100 MB. A heap breathes by some MB anyway. */
const MOST_GROWTH = 20;

export const contentTypes: Row = {
  id: 'content-types',
  run: async (context) => {
    const server = await startServer(OURS, await context.databases.fresh(10), context.node);
    const load = { connections: 64, seconds: context.quick ? 1 : 3, first: 1e12 };
    /** @returns how many there were; all go the whole way, to a plant that is not there. */
    async function send(requests: Load): Promise<number> {
      const { requests: count, refused } = await sendLoad(server, requests);
      if (refused !== count) throw new Error(`${count - refused} requests were not answered 404.`);
      return count;
    }
    try {
      const status = await sendDelete(server.port, server.token, String(load.first));
      if (status !== 404) throw new Error(`It answered ${status} where 404 is right.`);
      // Until memory is level: the same requests without a Content-Type.
      for (let sent = 0; sent < TYPES;) sent += await send(load);
      const before = await server.memory();
      let types = 0;
      while (types < TYPES) {
        const contentType = `application/x-plant-%d`;
        types += await send({ ...load, contentType, first: load.first + types });
      }
      const after = await server.memory();
      return [
        {
          measure: `growth in MB with ${types.toLocaleString('en')} distinct Content-Types`,
          ours: `${after.toFixed(1)} MB`,
          against: 'before',
          theirs: `${before.toFixed(1)} MB`,
          value: after - before,
          goal: { atMost: MOST_GROWTH },
        },
      ];
    } finally {
      await server.stop();
    }
  },
};
