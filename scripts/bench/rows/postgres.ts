import { BARE_POSTGRES, BARE_POSTGRES_ONE_BY_ONE, ON_POSTGRES } from '../contestants.ts';
import { plantsForRun, share, type Context, type Summary } from '../context.ts';
import { sendLoad } from '../load.ts';
import { median } from '../median.ts';
import { compareRates, summaryOf, type Outcome, type Row } from '../row.ts';
import { startServer, type ServerProcess } from '../server-process.ts';

const CONNECTIONS = 64;
/** PostgreSQL is slower than SQLite in our process: fewer plants are enough, and databases are made faster. */
const PLANTS = 0.6;

function postgres(context: Context): Promise<Summary[]> {
  return share(context, 'postgres', () =>
    [ON_POSTGRES, BARE_POSTGRES, BARE_POSTGRES_ONE_BY_ONE].map((contestant) => ({
      contestant,
      plants: plantsFor(context),
    })),
  );
}

function plantsFor(context: Context): number {
  return plantsForRun(context) * PLANTS;
}

const DELETES = 'durable DELETE/s on PostgreSQL, 64 connections';

export const postgresAgainstOneByOne: Row = {
  id: 'postgres-one',
  run: async (context) => {
    const all = await postgres(context);
    return [
      compareRates(DELETES, summaryOf(all, ON_POSTGRES), summaryOf(all, BARE_POSTGRES_ONE_BY_ONE), { atLeast: 3 }),
    ];
  },
};

export const postgresAgainstBare: Row = {
  id: 'postgres-bare',
  run: async (context) => {
    const all = await postgres(context);
    return [compareRates(DELETES, summaryOf(all, ON_POSTGRES), summaryOf(all, BARE_POSTGRES), { atLeast: 0.8 })];
  },
};

/**
 * One, two and four processes on one database, each with its share of the connections and ids of its own. They, PostgreSQL and the load
 * share the cores of this machine: more processes than cores gain nothing.
 */
export const postgresProcesses: Row = {
  id: 'postgres-processes',
  run: async (context) => {
    const counts = context.quick ? [1, 2] : [1, 2, 4];
    const measured = counts.map((count) => ({ count, rates: new Array<number>() }));
    const order = [...measured];
    for (let round = 0; round < context.rounds; round++) {
      for (const { count, rates } of order) rates.push(await deletesPerSecond(context, count));
      order.reverse();
    }
    const bars = measured.map(({ count, rates }) => ({
      name: `plant store, processes: ${count}`,
      perSecond: median(rates),
    }));
    context.bars.set('processes', bars);
    const [one, ...others] = measured;
    return others.map(({ count, rates }): Outcome => ({
      measure: `the same with all on both cores, ${count} processes`,
      ours: perSecond(median(rates)),
      against: '1 process',
      theirs: perSecond(median(one?.rates ?? [])),
      value: median(rates.map((rate, round) => rate / (one?.rates[round] ?? Number.NaN))),
      goal: undefined,
    }));
  },
};

async function deletesPerSecond(context: Context, processes: number): Promise<number> {
  const plants = plantsFor(context);
  const database = await context.databases.fresh(plants, 'postgres');
  const servers: ServerProcess[] = [];
  try {
    for (let index = 0; index < processes; index++) {
      const file = `${database.file}-${index}`;
      servers.push(await startServer(ON_POSTGRES, { ...database, file }, context.node, { pinned: false }));
    }
    const run = async (seconds: number, from: number): Promise<number> => {
      const results = await Promise.all(
        servers.map((server, index) =>
          sendLoad(server, {
            connections: CONNECTIONS / processes,
            seconds,
            first: from + Math.floor((index * plants) / processes),
          }),
        ),
      );
      if (results.some(({ refused }) => refused > 0)) throw new Error('Some deletes were refused.');
      return results.reduce((sum, result) => sum + result.perSecond, 0);
    };
    const warm = await run(context.warmUp, 0);
    return await run(context.seconds, Math.ceil((warm * context.warmUp) / processes) * 2);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`;
}
