import type { Content, Database, Databases } from './databases.ts';
import { sendLoad, type Load } from './load.ts';
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

/** What a row of a table is measured with. */
export interface Entry {
  readonly name: string;
  readonly contestant: Contestant;
  readonly store: Store;
  readonly content: Content;
  readonly load?: Load;
}

/** A server with load, and the row that it is measured for. */
export interface Running {
  readonly row: Row;
  readonly server: ServerProcess;
  readonly database: Database;
  readonly load: Load;
  next: number;
}

/** The first plant of a load; those before it are for checks. */
const FIRST = 10;

/**
 * Measures entries side by side: in the order A B C, then C B A, with new processes on new
 * databases for each set. A row that fails says so and the others go on.
 */
export async function compare(databases: Databases, plan: Plan, entries: readonly Entry[]): Promise<Row[]> {
  const all = entries.map((entry) => ({ entry, row: newRow(entry.name) }));
  for (let set = 0; set < plan.sets; set++) {
    const running: Running[] = [];
    try {
      for (const { entry, row } of all)
        await attempt(row, async () => running.push(await start(databases, entry, row)));
      await measureSet(plan, running);
    } finally {
      await Promise.all(running.map(({ server }) => server.stop()));
      for (const { database } of running) await databases.discard(database);
    }
  }
  return all.map(({ row }) => row);
}

/** A row that has no rounds yet. */
export function newRow(name: string): Row {
  return { name, rounds: [] };
}

/** Starts a server on a database of its own. @throws Error when it gives a wrong response. */
export async function start(databases: Databases, entry: Entry, row: Row): Promise<Running> {
  const database = await databases.fresh(entry.content);
  const server = await ServerProcess.start(entry.contestant, database, entry.store);
  try {
    await server.check(entry.contestant);
    return { row, server, database, load: entry.load ?? {}, next: FIRST };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function measureSet(plan: Plan, running: readonly Running[]): Promise<void> {
  await Promise.all(running.map((one) => attempt(one.row, () => measure(one, plan.warmUp))));
  const order = [...running];
  for (let pass = 0; pass < plan.passes; pass++) {
    for (const one of order) await attempt(one.row, async () => one.row.rounds.push(await measure(one, plan.seconds)));
    order.reverse();
  }
}

/** Does something for a row unless it has failed; when that fails, the row says why. */
export async function attempt(row: Row, work: () => Promise<unknown>): Promise<void> {
  if (row.failed !== undefined) return;
  try {
    await work();
  } catch (error) {
    row.failed = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
    console.error(`${row.name}:`, error);
  }
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
    throw new Error(`${wrong} of ${result.requests} requests were not answered as they should be.`);
  return {
    perSecond: rounded(result.requests / result.seconds),
    processorMicroseconds: rounded(((after - before) / result.requests) * 1e6),
    p50Milliseconds: rounded(result.p50),
    p99Milliseconds: rounded(result.p99),
  };
}

/** Four significant digits: more are noise. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
