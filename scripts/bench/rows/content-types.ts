import { OURS } from '../contestants.ts';
import { sendLoad } from '../load.ts';
import type { Row } from '../row.ts';
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
    try {
      // Until memory is level: the same requests without a Content-Type.
      for (let sent = 0; sent < TYPES;) sent += (await sendLoad(server, load)).requests;
      const before = await server.memory();
      let types = 0;
      while (types < TYPES) {
        const contentType = `application/x-plant-%d`;
        types += (await sendLoad(server, { ...load, contentType, first: load.first + types })).requests;
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
