import type { Server } from 'node:http';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** How large V8's young generation may become with few connections, in bytes. */
const CALM = 16 * 1024 * 1024;
/** And with many, for each of them: a request takes 15 KB, and only one half of the space is in use at a time. */
const PER_CONNECTION = 64 * 1024;
/** How often it is looked at, in milliseconds. */
const INTERVAL = 250;

/**
 * Lets V8 enlarge its young generation only as far as the connections of a server need it. By itself V8 doubles it up to 32 MB (Node 20) or 128 MB
 * (Node 24) in time, however few of its objects survive. Measured after 2 million requests (`npm run bench -- --only memory`), with half of SQLite's
 * cache: 105 MB resident in place of 130 on Node 20, 125 in place of 227 on Node 24. With a bound of 16 MB for 640 connections too, they had half
 * of the throughput (wrk). What was enlarged stays so until V8 makes it smaller, which it does where little is allocated.
 * test/faults/http-overload.faults.ts reads its size from a server. The flag holds for the whole process, so this is for its one server.
 */
export function limitYoungGeneration(server: Server): void {
  // V8's own.
  let factor = 2;
  const look = (): void => {
    server.getConnections((error, connections) => {
      // Only a server whose socket was given to other processes cannot tell, and this one is not.
      if (error !== null) return;
      const size = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
      const wanted = 2 * size <= Math.max(CALM, connections * PER_CONNECTION) ? 2 : 1;
      if (wanted === factor) return;
      factor = wanted;
      // V8 reads it when it is about to enlarge it.
      setFlagsFromString(`--semi-space-growth-factor=${factor}`);
    });
  };
  look();
  setInterval(look, INTERVAL).unref();
}
