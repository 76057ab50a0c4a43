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

/** Plants for one run in which each request deletes another one. */
export function plantsForRun({ warmUp, seconds }: Context): number {
  return (warmUp + seconds) * MOST_PER_SECOND;
}

/**
 * Measures contestants in turn, each time as a new process on a new store: in the order A B C, then C B A, so that a drift of the
 * machine falls on all alike. Every answer must be 204.
 */
export async function compare(context: Context, entries: readonly Entry[]): Promise<Summary[]> {
  const results = entries.map((): LoadResult[] => []);
  for (let round = 0; round < context.rounds; round++) {
    const order = [...entries.entries()];
    if (round % 2 === 1) order.reverse();
    for (const [index, entry] of order) results[index]?.push(await measure(context, entry));
  }
  return entries.map(({ contestant }, index) => summarise(contestant.name, results[index] ?? []));
}

async function measure(context: Context, { contestant, plants, keepsPlants, load }: Entry): Promise<LoadResult> {
  const database = await context.databases.fresh(plants, contestant.store);
  if (keepsPlants === true) keepPlants(database);
  const server = await startServer(contestant, database, context.node);
  try {
    await checkAnswers(contestant, server);
    const { first = 10, step = 1, ...rest } = { connections: 64, ...load };
    const warm = await sendLoad(server, { first, step, ...rest, seconds: context.warmUp });
    // Requests that were under way at the end of the first load are not counted there.
    const next = first + (warm.requests + 2 * rest.connections) * step;
    const result = await sendLoad(server, {
      step,
      ...rest,
      first: next % (rest.modulus ?? Infinity),
      seconds: context.seconds,
    });
    // Where ids come round again, one may still be away with a connection that the system was slow to accept.
    const tolerated = rest.modulus === undefined ? 0 : result.requests / 1_000;
    if (result.refused > tolerated) {
      throw new Error(`${contestant.name} answered ${result.refused} requests with something else than 204.`);
    }
    return result;
  } finally {
    await server.stop();
  }
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
