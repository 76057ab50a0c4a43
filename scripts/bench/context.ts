import { checkAnswers } from './check.ts';
import type { Contestant } from './contestants.ts';
import { keepPlants, type Databases } from './database.ts';
import type { NodeRuntime } from './install.ts';
import { sendLoad, type Load, type LoadResult } from './load.ts';
import { median } from './median.ts';
import { startServer } from './server-process.ts';

/** What every row is given. */
export interface Context {
  readonly node: NodeRuntime;
  readonly databases: Databases;
  /** A minute in all, for a look: too short for a verdict. */
  readonly quick: boolean;
  readonly rounds: number;
  /** Seconds of load before the measurement, in which V8 compiles what is hot. */
  readonly warmUp: number;
  /** Seconds of each measurement. */
  readonly seconds: number;
  /** Results that several rows share, by name. */
  readonly shared: Map<string, Promise<Summary[]>>;
  /** Bars of the chart beside those of the shared results, by name. */
  readonly bars: Map<string, readonly Bar[]>;
}

/** What the chart shows of something. */
export interface Bar {
  readonly name: string;
  readonly perSecond: number;
}

/** The medians of one contestant's rounds. */
export interface Summary extends Bar {
  readonly p50: number;
  readonly p99: number;
  readonly serverBusy: number;
  readonly rounds: readonly LoadResult[];
}

/** A contestant and what it is to be given. */
export interface Entry {
  readonly contestant: Contestant;
  /** Plants in its store. */
  readonly plants: number;
  /** The store itself puts each deleted plant back. */
  readonly keepsPlants?: boolean;
  readonly load?: Partial<Load>;
}

/** The most that a server of this kind has been seen to answer in a second, with room. */
const MOST_PER_SECOND = 130_000;

/** Rounds that the same processes go through: there and back. */
const ROUNDS_OF_PROCESS = 2;

/** Rounds in which all are loaded at once, for each of the others: many, since they tell small differences. */
const ROUNDS_AT_ONCE = 2;

/** Plants for a process in which each request deletes another one. */
export function plantsForRun({ warmUp, seconds }: Context): number {
  return (warmUp + ROUNDS_OF_PROCESS * seconds) * MOST_PER_SECOND;
}

/** Plants for one of several processes that share a core for all rounds. */
export function plantsForRunAtOnce({ warmUp, rounds, seconds }: Context): number {
  return ((warmUp + rounds * ROUNDS_AT_ONCE * seconds) * MOST_PER_SECOND) / 2;
}

/**
 * Measures contestants in turn: in the order A B C, then C B A, with new processes on new stores after that. They run side by side and
 * only one of them has work, so that what they are compared with is seconds away: a machine that is shared is another one a minute
 * later. Every answer must be 204.
 */
export async function compare(context: Context, entries: readonly Entry[]): Promise<Summary[]> {
  const results = entries.map((): LoadResult[] => []);
  for (let round = 0; round < context.rounds; round += ROUNDS_OF_PROCESS) {
    await whileRunning(context, entries, async (running) => {
      for (const { load } of running) await load(context.warmUp);
      const order = [...running.entries()];
      for (const [index, { load }] of order) results[index]?.push(await load(context.seconds));
      if (round + 1 === context.rounds) return;
      for (const [index, { load }] of order.reverse()) results[index]?.push(await load(context.seconds));
    });
  }
  return summariseAll(entries, results);
}

/**
 * Loads contestants at the same time, all on one core: what disturbs the machine disturbs all alike, and what they need of the processor can be compared
 * closely where rates cannot.
 */
export async function compareAtOnce(context: Context, entries: readonly Entry[]): Promise<Summary[]> {
  const results = entries.map((): LoadResult[] => []);
  await whileRunning(context, entries, async (running) => {
    await Promise.all(running.map(({ load }) => load(context.warmUp)));
    for (let round = 0; round < context.rounds * ROUNDS_AT_ONCE; round++) {
      const loaded = await Promise.all(running.map(({ load }) => load(context.seconds)));
      for (const [index, result] of loaded.entries()) results[index]?.push(result);
    }
  });
  return summariseAll(entries, results);
}

/** Does something with contestants whose servers run, and stops them whatever comes of it. */
async function whileRunning(
  context: Context,
  entries: readonly Entry[],
  work: (running: readonly Running[]) => Promise<void>,
): Promise<void> {
  const running: Running[] = [];
  try {
    for (const entry of entries) running.push(await start(context, entry));
    await work(running);
  } finally {
    await Promise.all(running.map(({ stop }) => stop()));
  }
}

/** A contestant whose server runs. */
interface Running {
  /** Sends requests for some seconds. @throws Error when one was not answered with 204. */
  readonly load: (seconds: number) => Promise<LoadResult>;
  readonly stop: () => Promise<void>;
}

async function start(context: Context, { contestant, plants, keepsPlants, load }: Entry): Promise<Running> {
  const database = await context.databases.fresh(plants, contestant.store);
  if (keepsPlants === true) keepPlants(database);
  const server = await startServer(contestant, database, context.node);
  try {
    await checkAnswers(contestant, server);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const { first = 10, step = 1, modulus, ...rest } = { connections: 64, ...load };
  let next = first;
  return {
    stop: () => server.stop(),
    load: async (seconds) => {
      const result = await sendLoad(server, { ...rest, step, ...(modulus && { modulus }), first: next, seconds });
      // Requests that were under way at the end are not counted.
      next = (next + (result.requests + 2 * rest.connections) * step) % (modulus ?? Infinity);
      // Where ids come round again, one may still be away with a connection that the system was slow to accept.
      const tolerated = modulus === undefined ? 0 : result.requests / 1_000;
      if (result.refused <= tolerated) return result;
      throw new Error(`${contestant.name} answered ${result.refused} requests with something else than 204.`);
    },
  };
}

function summariseAll(entries: readonly Entry[], results: readonly LoadResult[][]): Summary[] {
  return entries.map(({ contestant }, index) => summarise(contestant.name, results[index] ?? []));
}

function summarise(name: string, rounds: readonly LoadResult[]): Summary {
  const of = (key: 'perSecond' | 'p50' | 'p99' | 'serverBusy'): number => median(rounds.map((round) => round[key]));
  return { name, perSecond: of('perSecond'), p50: of('p50'), p99: of('p99'), serverBusy: of('serverBusy'), rounds };
}

/** Measures once what several rows ask for. */
export function share(context: Context, name: string, entries: () => readonly Entry[]): Promise<Summary[]> {
  const running = context.shared.get(name) ?? compare(context, entries());
  context.shared.set(name, running);
  return running;
}
