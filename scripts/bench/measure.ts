import type { Database, Databases } from './databases.ts';
import { sendLoad, type Load, type LoadResult } from './load.ts';
import type { Round, Row } from './results.ts';
import { ServerProcess, type Contestant, type Store } from './servers.ts';

/** How long a run is; times in seconds. */
export interface Plan {
  readonly quick: boolean;
  /** How often all processes and databases are made anew. */
  readonly sets: number;
  /** Rounds of one set, in alternating direction. */
  readonly passes: number;
  /** Load on all servers at once before the measurement, in which V8 compiles what is hot. */
  readonly warmUp: number;
  /** Load of each round. */
  readonly seconds: number;
}

/** A server with its store and data, which is one row of a table. */
export interface Entry {
  readonly name: string;
  readonly contestant: Contestant;
  readonly store: Store;
  /** How many plants there are at first. */
  readonly plants: number;
  /** SQLite puts each deleted plant back itself. */
  readonly keepsPlants?: boolean;
  readonly load?: Load;
}

/** A server with load. */
export interface Running {
  readonly name: string;
  readonly server: ServerProcess;
  readonly database: Database;
  readonly load: Load;
  next: number;
}

/** The first plant of a load; those before it are for checks. */
const FIRST = 10;

/**
 * Measures entries side by side: in the order A B C, then C B A, with new processes on new
 * databases for each set.
 */
export async function compare(databases: Databases, plan: Plan, entries: readonly Entry[]): Promise<Row[]> {
  const all = entries.map((entry) => ({ entry, row: { name: entry.name, rounds: [] as Round[] } }));
  for (let set = 0; set < plan.sets; set++) {
    const running: (Running & { row: Row })[] = [];
    try {
      for (const { entry, row } of all) running.push({ ...(await start(databases, entry)), row });
      // V8 does not compile what has only thrown: a service in use has answered valid requests too.
      const refusing = running.filter(({ load }) => load.refused === true);
      await Promise.all(refusing.map((server) => measure({ ...server, load: {} }, plan.warmUp)));
      await Promise.all(running.map((server) => measure(server, plan.warmUp)));
      for (let pass = 0; pass < plan.passes; pass++) {
        for (const server of running) server.row.rounds.push(await measure(server, plan.seconds));
        running.reverse();
      }
    } finally {
      for (const server of running) await stop(databases, server);
    }
  }
  return all.map(({ row }) => row);
}

/** Starts a server on a database of its own. @throws Error when it gives a wrong response. */
export async function start(databases: Databases, entry: Entry): Promise<Running> {
  const { name, contestant, store, plants, keepsPlants = false, load = {} } = entry;
  const isPostgres = store === 'postgres' || store === 'one-by-one';
  const database = await (isPostgres ? databases.onPostgres(plants) : databases.onSqlite(plants, keepsPlants));
  return { name, server: await ServerProcess.start(contestant, database, store), database, load, next: FIRST };
}

/** Ends a server and removes its database. */
export async function stop(databases: Databases, { server, database }: Running): Promise<void> {
  await server.stop();
  await databases.discard(database);
}

/** Sends load for some seconds. @throws Error when a request was not answered as it should be. */
export async function measure(running: Running, seconds: number): Promise<Round> {
  const { server, load } = running;
  const before = await server.processorSeconds();
  const result = await sendLoad(server, load, running.next, seconds);
  const after = await server.processorSeconds();
  const { step = 1, modulus = Infinity } = load;
  // Requests in flight at the end are not among those counted.
  running.next = (running.next + (result.requests + 128) * step) % modulus;
  // Where ids come round again, one may still be in flight on a connection that was slow.
  const tolerated = modulus === Infinity ? 0 : result.requests / 1_000;
  const wrong = load.refused === true ? result.requests - result.refused : result.refused;
  if (wrong > tolerated)
    throw new Error(`${running.name}: ${wrong} of ${result.requests} requests were not answered as they should be.`);
  return roundOf(result, after - before);
}

/** What a round has measured. @param processorSeconds of the server. */
export function roundOf({ requests, seconds, p50, p99 }: LoadResult, processorSeconds: number): Round {
  return {
    perSecond: rounded(requests / seconds),
    processorMicroseconds: rounded((processorSeconds / requests) * 1e6),
    p50Milliseconds: rounded(p50),
    p99Milliseconds: rounded(p99),
  };
}

/** Four significant digits: more are noise. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
