/**
 * Clients that visit a server again and again until standard input ends, in a process of their own, so that they take no time from the one that
 * measures: the argument is a Crowd as JSON. Prints a line when all have come once, and in the end how many visits there were; an answer that was not
 * expected ends it with exit code 1.
 */
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { VISITS, type Host } from './visits.ts';

/** What this program is told. */
export interface Crowd extends Host {
  /** One of VISITS. */
  readonly what: string;
  readonly clients: number;
}

// The only caller, http-others.faults.ts, passes a Crowd.
const crowd = JSON.parse(process.argv[2] ?? '') as Crowd;
const [, visit, expected, length] = VISITS.find(([what]) => what === crowd.what) ?? [];
if (visit === undefined) throw new Error(`There are no clients that ${crowd.what}.`);
const state = { over: false, visits: 0 };

async function client(): Promise<void> {
  while (!state.over) {
    const statuses = await visit?.(crowd);
    if (!isDeepStrictEqual(statuses, expected))
      throw new Error(`Answered ${String(statuses)}, not ${String(expected)}.`);
    if (++state.visits === crowd.clients) console.log('all are there');
    await pause(length);
  }
}

const clients = Promise.all(Array.from({ length: crowd.clients }, client));
await Promise.race([once(process.stdin.resume(), 'end'), clients]);
state.over = true;
await clients;
console.log(state.visits);
