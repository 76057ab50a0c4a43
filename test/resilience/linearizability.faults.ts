import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { workplaceOfEachTest, type ServerProcess } from '../support/cli.ts';
import { contend, expectOrder } from '../support/contention.ts';
import { postgresServer, run } from '../support/postgres.ts';
import { stock } from '../support/stock.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';
import { BANNER } from './stocked-server.ts';

const place = workplaceOfEachTest();

/** A process of the service, and its application_name in PostgreSQL. */
interface Replica {
  readonly name: string;
  readonly process: ServerProcess;
}

const DELETES = 60_000;
/** One process after the other is ended and started again, each time so many deletes were sent. */
const DELETES_OF_A_PROCESS = 4_000;

test.each([
  ['SQLite', 2, 64],
  ['PostgreSQL', 3, 48],
])(
  `${DELETES} deletes at once with imports, while processes on %s are stopped and killed, have an order that explains every answer`,
  async (store, processes, clients) => {
    const crowd = { clients, deletes: DELETES, importSize: 500 };
    const database = store === 'PostgreSQL' ? await postgresServer() : undefined;
    const url = await database?.createDatabase();
    const plants = await stock(place, 2_000, url === undefined ? {} : { DATABASE_URL: url });

    let started = 0;
    async function start(port = '0'): Promise<Replica> {
      const name = `replica-${started++}`;
      const env = url === undefined ? {} : { DATABASE_URL: `${url}?application_name=${name}` };
      return { name, process: await place.serve({ ...env, PORT: port, LOG_LEVEL: 'silent' }) };
    }
    /** When the store does nothing any more of what a process has sent before its end. */
    async function gone({ name, process }: Replica): Promise<number> {
      await process.ended;
      const text = `SELECT 1 FROM pg_stat_activity WHERE application_name = '${name}'`;
      while (url !== undefined && (await run(url, text)).length > 0) await pause(10);
      return performance.now();
    }

    const replicas: Replica[] = [];
    while (replicas.length < processes) replicas.push(await start());
    const ports = replicas.map(({ process }) => new URL(process.url).port);
    const balancer = await tcpProxy(...ports.map(Number));
    const restarts = { SIGTERM: 0, SIGKILL: 0 };
    let restarting = Promise.resolve();
    let ended: Promise<number> | undefined;

    async function restart(): Promise<void> {
      const which = (restarts.SIGTERM + restarts.SIGKILL) % processes;
      const signal = restarts.SIGTERM > restarts.SIGKILL ? 'SIGKILL' : 'SIGTERM';
      const replica = replicas[which];
      if (replica === undefined) throw new Error('unreachable: there are so many');
      restarts[signal]++;
      ended = gone(replica);
      replica.process.kill(signal);
      expect(await replica.process.ended).toMatchObject({
        code: signal === 'SIGTERM' ? 0 : null,
        stderr: expect.stringMatching(BANNER),
      });
      await ended;
      replicas[which] = await start(ports[which]);
    }

    try {
      const outcomes = await contend(
        place,
        plants,
        {
          port: balancer.port,
          ended: () => ended ?? Promise.reject(new Error('A connection failed before any process was ended.')),
        },
        crowd,
        (deletes) => {
          if (deletes % DELETES_OF_A_PROCESS === 0) restarting = restarting.then(restart);
        },
      );
      await restarting;
      for (const { process } of replicas) expect(await process.stop()).toBe(0);
      const ends = `${restarts.SIGTERM} stops, ${restarts.SIGKILL} kill -9`;
      const fault = `${processes} processes on ${store}: at least ${DELETES} deletes, ${outcomes.imports} imports, ${ends}`;
      await expectOrder(fault, plants, outcomes);
      // Without these the test would show less than it says.
      expect(Object.keys(outcomes.answers)).toEqual(['0', '204', '404']);
      expect(restarts.SIGKILL).toBeGreaterThan(3);
    } finally {
      await balancer.close();
      await database?.close();
    }
  },
  300_000,
);
