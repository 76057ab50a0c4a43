import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../support/cli.ts';
import { plantsDuring, type Stock } from '../support/stock.ts';

/** Clients of each service, and the pause of each between two deletes, in milliseconds. */
const CLIENTS = 5;
const PAUSE = 20;
/** One of so many plants is asked of a second service at the same time. */
const TWICE = 4n;

/** A way to the cluster, with the service that uses it. */
export interface Way {
  readonly name: string;
  service: ServerProcess;
}

/** Deletes plants by all ways while a fault lasts. @returns the longest times without a 204. */
export async function deleteByAllWays(
  fault: Promise<unknown>,
  plants: Stock,
  ways: readonly Way[],
  ids: Iterator<bigint>,
): Promise<string> {
  const wanted = plantsDuring(fault, ids);
  const seconds: Promise<number>[] = [];

  async function outage(way: Way, secondWay: Way): Promise<string> {
    let [last, longest] = [performance.now(), 0];
    const note = (status: number): void => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      if (status === 204) last = now;
    };
    const client = async (): Promise<void> => {
      for (const id of wanted) {
        // The other service may hang when this one does not.
        if (id % TWICE === 1n) seconds.push(plants.delete(secondWay.service, id));
        note(await plants.delete(way.service, id));
        await pause(PAUSE);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return `${way.name} ${(longest / 1000).toFixed(1)} s`;
  }

  const outages = ways.map((way, index) => outage(way, ways[(index + 1) % ways.length] ?? way));
  const [words] = await Promise.all([Promise.all(outages), fault]);
  await Promise.all(seconds);
  return words.join(', ');
}
