import type { Server } from 'node:http';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * How large V8's young generation may become with few connections, in bytes. With half of it Node 24 has 119 MB resident in place of 125 and takes as
 * long for a delete (1.33 of the bare server's processor time), Node 20 takes longer (1.41 in place of 1.34; `npm run bench -- --only durable-processor`).
 */
const CALM = (Number.parseInt(process.versions.node) >= 24 ? 8 : 16) * 1024 * 1024;
/** And with many, for each of them: a request takes 15 KB, and only one half of the space is in use at a time. */
const PER_CONNECTION = 64 * 1024;
/** How often it is looked at, in milliseconds. */
const INTERVAL = 250;

/**
 * Lets V8 enlarge its young generation only as far as the connections of a server need it, and collect it in one thread while they are few.
 *
 * By itself V8 doubles it up to 32 MB (Node 20) or 128 MB (Node 24) in time, however few of its objects survive. Measured after 2 million requests
 * (`npm run bench -- --only memory`), with half of SQLite's cache: 105 MB resident in place of 130 on Node 20, 125 in place of 227 on Node 24.
 * With a bound of 16 MB for 640 connections too, they had half of the throughput (wrk). What was enlarged stays so until V8 makes it smaller, which
 * it does where little is allocated.
 *
 * With few connections a collection takes half a millisecond, too little to be shared between threads: alone it took 0.41 ms in place of 0.51 on
 * Node 20, 0.35 in place of 0.46 on Node 24 (means of 1,500, `--trace-gc`, 64 connections). With 640 it takes 6 ms: shared, they reached 0.92 of the
 * throughput of 64, alone 0.87 (medians of five runs each, of 30 to 40 windows: 0.91 to 0.95 and 0.83 to 0.95).
 *
 * test/resilience/http-overload.faults.ts guards the size. The flags hold for the whole process, so this is for its one server.
 */
export function limitYoungGeneration(server: Server): void {
  const look = (): void => {
    server.getConnections((error, connections) => {
      // Only a server whose socket was given to other processes cannot tell, and this one is not.
      if (error !== null) return;
      const needed = connections * PER_CONNECTION;
      const size = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
      // V8 reads it when it is about to enlarge it, by a factor of 2 if it is told nothing.
      setFlagsFromString(`--semi-space-growth-factor=${2 * size <= Math.max(CALM, needed) ? 2 : 1}`);
      setFlagsFromString(needed > CALM ? '--parallel-scavenge' : '--no-parallel-scavenge');
    });
  };
  look();
  setInterval(look, INTERVAL).unref();
}
