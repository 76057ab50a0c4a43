import { randomBytes } from 'node:crypto';
import { createToken } from '../../src/auth/tokens/token.ts';
import type { Databases } from './databases.ts';
import type { Load } from './load.ts';
import { compare, measure, rounded, start, stop, type Entry, type Plan } from './measure.ts';
import { compareMessages } from './messages/compare-messages.ts';
import type { Round, Row } from './results.ts';
import {
  BARE,
  BARE_EXPRESS,
  COMPETITORS,
  PLANT_STORE,
  PLANT_STORE_IN_MEMORY,
  type Contestant,
  type Store,
} from './servers.ts';

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

function entriesOf(contestants: readonly Contestant[], store: Store, plants: number): Entry[] {
  return contestants.map((contestant) => ({ name: contestant.name, contestant, store, plants }));
}

const durable: Scenario = {
  id: 'durable',
  title: 'Durable deletes',
  text: 'Each request deletes a plant of a SQLite database; 204 is sent when the commit is on the disk.',
  run: (databases, plan) =>
    compare(databases, plan, entriesOf([PLANT_STORE, BARE, ...COMPETITORS], 'sqlite', plantsFor(plan))),
};

const contract: Scenario = {
  id: 'contract',
  title: 'Contract layer alone',
  text: 'The same without a store: matching, authentication, validation and response.',
  run: (databases, plan) =>
    compare(databases, plan, entriesOf([PLANT_STORE_IN_MEMORY, BARE, ...COMPETITORS], 'memory', 1)),
};

const messages: Scenario = {
  id: 'messages',
  title: 'Messages with and without bodies',
  text: 'The contract of orders in scripts/bench/messages, served by openapi-exact on Express alone: processor µs per request.',
  run: (_databases, plan) => compareMessages(plan),
};

const refusals: Scenario = {
  id: 'refusals',
  title: 'Refusals',
  text: 'What the plant store refuses, beside the deletes that it performs (SQLite).',
  run: (databases, plan) => {
    const kinds: readonly (readonly [name: string, load?: Load])[] = [
      ['204'],
      ['401, no token', { token: false, refused: true }],
      ['401, not a token', { token: randomBytes(32).toString('base64url'), refused: true }],
      ['401, unknown token', { token: createToken(), refused: true }],
      ['400, invalid id', { path: '/plants/abc', refused: true }],
      ['404, no such plant', { path: '/plants/-%d', refused: true }],
      ['404, no such path', { path: '/animals/%d', refused: true }],
    ];
    const entries = kinds.map(([name, load]): Entry => {
      const plants = load === undefined ? plantsFor(plan) : plan.warmUp * MOST_PER_SECOND;
      return { name, contestant: PLANT_STORE, store: 'sqlite', plants, ...(load && { load }) };
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
      name: `${contestant.name}, ${plants.toLocaleString('en')} plants`,
      contestant,
      store: 'sqlite',
      plants,
      keepsPlants: true,
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
    const plants = plantsFor(plan) / 2;
    const oneByOne = { ...BARE, name: 'bare node:http, one statement per request' };
    const entries = entriesOf([PLANT_STORE, BARE], 'postgres', plants);
    return compare(databases, plan, [...entries, ...entriesOf([oneByOne], 'one-by-one', plants)]);
  },
};

const startAndMemory: Scenario = {
  id: 'start',
  title: 'Start and memory',
  text: 'From the start of the process to its first 204, and its resident memory then and after durable deletes.',
  run: async (databases, plan) => {
    const contestants = [PLANT_STORE, BARE_EXPRESS, ...COMPETITORS];
    const entries = entriesOf(contestants, 'sqlite', MEMORY_LOAD * MOST_PER_SECOND);
    const all = entries.map((entry) => ({ entry, rounds: [] as Round[] }));
    for (let round = plan.quick ? STARTS : 1; round <= STARTS; round++) {
      const seconds = round < STARTS ? 0 : plan.quick ? plan.seconds : MEMORY_LOAD;
      for (const { entry, rounds } of all) rounds.push(...(await measureStart(databases, entry, seconds)));
    }
    return all.map(({ entry: { name }, rounds }) => ({ name, rounds }));
  },
};

/** Measures a start, and the memory after some seconds of load. */
async function measureStart(databases: Databases, entry: Entry, seconds: number): Promise<Round[]> {
  const running = await start(databases, entry);
  const { server } = running;
  try {
    const startedMegabytes = await server.megabytes();
    const started = { startMilliseconds: rounded(server.startMilliseconds), startedMegabytes };
    if (seconds === 0) return [started];
    await measure(running, seconds);
    return [started, { loadedMegabytes: await server.megabytes() }];
  } finally {
    await stop(databases, running);
  }
}

/** All scenarios, in the order of the page. */
export const SCENARIOS: readonly Scenario[] = [
  durable,
  contract,
  messages,
  refusals,
  largeStore,
  postgres,
  startAndMemory,
];
