import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { workplace, type ServerProcess, type Workplace } from '../support/cli.ts';
import { contend, plantsOf } from '../support/contention.ts';
import { reportFault } from '../support/faults.ts';
import { UNHARMED } from '../support/ledger.ts';
import { postgresServer, run, type PostgresServer } from '../support/postgres.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';

const CROWD = { plants: 2_000, clients: 48, deletes: 60_000, importSize: 500 };
const PROCESSES = 3;
/** One process after the other is ended and started again each time this many deletes were sent. */
const DELETES_OF_A_PROCESS = 4_000;

let server: PostgresServer;
let place: Workplace;
beforeAll(async () => {
  server = await postgresServer();
}, 60_000);
afterAll(() => server.close());
beforeEach(async () => {
  place = await workplace();
});
afterEach(() => place.remove());

/** A process of the service, and what it calls itself when it connects. */
interface Replica {
  readonly name: string;
  readonly process: ServerProcess;
}

test('three processes behind a balancer, killed and stopped in turn, delete each plant once for each time it was there', async () => {
  const url = await server.createDatabase();
  const env = { DATABASE_URL: url };
  const token = (await place.run(['tokens', 'create', 'crowd'], { env })).stdout.trim();
  await place.run(['plants', 'import', '-'], { env, input: `${plantsOf(CROWD).join('\n')}\n` });

  let started = 0;
  async function start(port = '0'): Promise<Replica> {
    const name = `replica-${started++}`;
    const DATABASE_URL = `${url}?application_name=${name}`;
    return { name, process: await place.serve({ DATABASE_URL, PORT: port, LOG_LEVEL: 'silent' }) };
  }
  /** When PostgreSQL does nothing any more of what a process has sent before its end. */
  async function gone({ name, process }: Replica): Promise<number> {
    await process.ended;
    const text = `SELECT 1 FROM pg_stat_activity WHERE application_name = '${name}'`;
    while ((await run(url, text)).length > 0) await pause(10);
    return performance.now();
  }

  const replicas = [await start(), await start(), await start()];
  const ports = replicas.map(({ process }) => new URL(process.url).port);
  const balancer = await tcpProxy(...ports.map(Number));
  const restarts = { SIGTERM: 0, SIGKILL: 0 };
  let restarting = Promise.resolve();
  let ended = Promise.reject<number>(new Error('A connection failed before any process was ended.'));
  ended.catch(() => undefined);

  async function restart(): Promise<void> {
    const which = (restarts.SIGTERM + restarts.SIGKILL) % PROCESSES;
    const signal = restarts.SIGTERM > restarts.SIGKILL ? 'SIGKILL' : 'SIGTERM';
    const replica = replicas[which];
    if (replica === undefined) throw new Error('unreachable: there are so many');
    restarts[signal]++;
    ended = gone(replica);
    replica.process.kill(signal);
    expect(await replica.process.ended).toMatchObject({ code: signal === 'SIGTERM' ? 0 : null, stderr: '' });
    await ended;
    replicas[which] = await start(ports[which]);
  }

  try {
    const { histories, answers, imports } = await contend(
      place,
      { port: balancer.port, token, env, ended: () => ended },
      CROWD,
      (deletes) => {
        if (deletes % DELETES_OF_A_PROCESS === 0) restarting = restarting.then(restart);
      },
    );
    await restarting;
    for (const { process } of replicas) expect(await process.stop()).toBe(0);
    const { stdout } = await place.run(['plants', 'export'], { env });
    const impossible = await histories.impossible(stdout.split('\n').slice(0, -1).map(BigInt));

    const counts = Object.entries(answers).map(
      ([status, count]) => `${count} × ${status === '0' ? 'no answer' : status}`,
    );
    await reportFault({
      fault: `${PROCESSES} processes on one PostgreSQL: ${CROWD.deletes} deletes, ${imports} imports, ${restarts.SIGTERM} stops, ${restarts.SIGKILL} kill -9`,
      happened: `${counts.join(', ')}; ${histories.count} operations are linearizable`,
      ...UNHARMED,
      wronglyAcknowledged: impossible.size,
    });
    expect(impossible).toEqual(new Map());
    // Without these the test would show less than it says.
    expect(Object.keys(answers)).toEqual(['0', '204', '404']);
    expect(restarts.SIGKILL).toBeGreaterThan(3);
  } finally {
    await balancer.close();
  }
}, 300_000);
