import { median } from '../support/median.ts';
import type { StoreProcess } from '../support/store-process.ts';

/** The medians of the first and the last quarter of the time, in MB. */
export interface Memory {
  readonly first: number;
  readonly last: number;
}

/** Watches what a server uses while it is under attack. */
export interface ResourceWatch {
  readonly memory: () => Memory;
  /** Ends the watch. @returns what has grown; undefined when nothing has. */
  stop(): Promise<string | undefined>;
}

const INTERVAL = 500;
/** What a heap may take until it has found its size: V8 gives back only what it has to. */
const ROOM = { megabytes: 48, part: 0.25 };
/** Connections that the client has closed are in the server's hands for a moment more. */
const SPARE_DESCRIPTORS = 40;

/** Watches from now on. Where the system tells nothing of its processes, nothing has grown. */
export async function watchResources(server: StoreProcess): Promise<ResourceWatch> {
  const before = await server.descriptors();
  const samples = [await server.memory()];
  const timer = setInterval(() => {
    void server.memory().then((megabytes) => samples.push(megabytes));
  }, INTERVAL);

  function memory(): Memory {
    const quarter = Math.ceil(samples.length / 4);
    return { first: median(samples.slice(0, quarter)), last: median(samples.slice(-quarter)) };
  }

  return {
    memory,
    stop: async () => {
      clearInterval(timer);
      const { first, last } = memory();
      if (last > first * (1 + ROOM.part) + ROOM.megabytes) {
        return `The server has grown from ${first.toFixed(0)} to ${last.toFixed(0)} MB.`;
      }
      const after = await server.descriptors();
      if (after > before + SPARE_DESCRIPTORS) return `The server had ${before} descriptors and has ${after}.`;
      return undefined;
    },
  };
}
