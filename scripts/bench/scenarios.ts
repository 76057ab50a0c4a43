import { randomBytes } from 'node:crypto';
import type { Content, Databases } from './databases.ts';
import type { Load } from './load.ts';
import { attempt, compare, measure, newRow, rounded, start, type Entry, type Plan } from './measure.ts';
import type { Row } from './results.ts';
import { BARE, BARE_EXPRESS, COMPETITORS, PLANT_STORE, PLANT_STORE_IN_MEMORY, type Contestant } from './servers.ts';

/** Something that is measured: a table of the page. Its id is what `--only` takes. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly run: (databases: Databases, plan: Plan) => Promise<Row[]>;
}

/** The most requests that a server of this kind answers in a second, with room. */
const MOST_PER_SECOND = 130_000;
/** A prime that divides no number of plants used here, so that all plants get their turn. */
const SCATTER = 618_033;
const STARTS = 9;
/** Load after which memory is read, in seconds. */
const MEMORY_LOAD = 4;

/** Enough plants for a set in which each request deletes another one. */
function plantsFor({ warmUp, passes, seconds }: Plan): number {
  return (warmUp + passes * seconds) * MOST_PER_SECOND;
}

function entry(contestant: Contestant, content: Content, store: Entry['store'] = content.kind): Entry {
  return { name: contestant.name, contestant, store, content };
}

const durable: Scenario = {
  id: 'durable',
  title: 'Durable deletes',
  text: 'Each request deletes a plant of a SQLite database; 204 is sent when the commit is on the disk.',
  run: (databases, plan) => {
    const content: Content = { kind: 'sqlite', plants: plantsFor(plan) };
    const contestants = [PLANT_STORE, BARE, ...COMPETITORS];
    return compare(
      databases,
      plan,
      contestants.map((contestant) => entry(contestant, content)),
    );
  },
};

const contract: Scenario = {
  id: 'contract',
  title: 'Contract layer alone',
  text: 'The same without a store: matching, authentication, validation and response.',
  run: (databases, plan) => {
    const content: Content = { kind: 'sqlite', plants: 10 };
    const contestants = [PLANT_STORE_IN_MEMORY, BARE, ...COMPETITORS];
    return compare(
      databases,
      plan,
      contestants.map((contestant) => entry(contestant, content, 'memory')),
    );
  },
};

const refusals: Scenario = {
  id: 'refusals',
  title: 'Refusals',
  text: 'What the plant store refuses, beside the deletes that it performs (SQLite).',
  run: (databases, plan) => {
    const kinds: readonly (readonly [name: string, load?: Load])[] = [
      ['204'],
      ['401, no token', { token: false, refused: true }],
      ['401, unknown token', { token: randomBytes(32).toString('base64url'), refused: true }],
      ['400, invalid id', { path: '/plants/abc', refused: true }],
      ['404, no such plant', { path: '/plants/-%d', refused: true }],
      ['404, no such path', { path: '/animals/%d', refused: true }],
    ];
    const entries = kinds.map(([name, load]): Entry => {
      const content: Content = { kind: 'sqlite', plants: load === undefined ? plantsFor(plan) : 1_000 };
      return { ...entry(PLANT_STORE, content), name, ...(load && { load }) };
    });
    return compare(databases, plan, entries);
  },
};

const largeStore: Scenario = {
  id: 'large-store',
  title: 'Large store',
  text: 'Deletes all over a SQLite database of a constant size: a trigger puts each plant back in the same commit.',
  run: (databases, plan) => {
    const many = plan.quick ? 500_000 : 10_000_000;
    const of = (contestant: Contestant, plants: number): Entry => ({
      ...entry(contestant, { kind: 'sqlite', plants, keepsPlants: true }),
      name: `${contestant.name}, ${plants.toLocaleString('en')} plants`,
      load: { step: SCATTER, modulus: plants },
    });
    return compare(databases, plan, [of(PLANT_STORE, 1_000), of(PLANT_STORE, many), of(BARE, many)]);
  },
};

const postgres: Scenario = {
  id: 'postgres',
  title: 'Durable deletes on PostgreSQL',
  text: 'PostgreSQL 18 with its own defaults, on the same machine.',
  run: (databases, plan) => {
    const content: Content = { kind: 'postgres', plants: plantsFor(plan) / 2 };
    const oneByOne = { ...BARE, name: 'bare node:http, one statement per request' };
    const entries = [entry(PLANT_STORE, content), entry(BARE, content), entry(oneByOne, content, 'one-by-one')];
    return compare(databases, plan, entries);
  },
};

const startAndMemory: Scenario = {
  id: 'start',
  title: 'Start and memory',
  text: 'From the start of the process to its first 204, and its resident memory then and after durable deletes.',
  run: async (databases, plan) => {
    const content: Content = { kind: 'sqlite', plants: MEMORY_LOAD * MOST_PER_SECOND };
    const entries = [PLANT_STORE, BARE_EXPRESS, ...COMPETITORS].map((contestant) => entry(contestant, content));
    const all = entries.map((one) => ({ one, row: newRow(one.name) }));
    for (let round = plan.quick ? STARTS : 1; round <= STARTS; round++) {
      const seconds = round < STARTS ? 0 : plan.quick ? plan.seconds : MEMORY_LOAD;
      for (const { one, row } of all) await attempt(row, () => measureStart(databases, one, row, seconds));
    }
    return all.map(({ row }) => row);
  },
};

/** Adds a round to a row. @param seconds of load after the start. */
async function measureStart(databases: Databases, one: Entry, row: Row, seconds: number): Promise<void> {
  const running = await start(databases, one, row);
  const { server, database } = running;
  try {
    const started = await server.megabytes();
    if (seconds > 0) await measure(running, seconds);
    const loaded = seconds > 0 ? await server.megabytes() : undefined;
    row.rounds.push({
      startMilliseconds: rounded(server.startMilliseconds),
      ...(started !== undefined && { startedMegabytes: rounded(started) }),
      ...(loaded !== undefined && { loadedMegabytes: rounded(loaded) }),
    });
  } finally {
    await server.stop();
    await databases.discard(database);
  }
}

/** All scenarios, in the order of the page. */
export const SCENARIOS: readonly Scenario[] = [durable, contract, refusals, largeStore, postgres, startAndMemory];
