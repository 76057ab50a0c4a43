import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from 'test-support/listen.ts';
import { run } from '../support/postgres.ts';
import type { RunningProcess } from 'test-support/process.ts';
import { codeBlock } from 'test-support/readme.ts';
import type { PatroniCluster } from './patroni.ts';
import { startProgram } from './programs.ts';

const GUIDE = 'docs/postgresql.md';

/** A proxy in front of the cluster. */
export interface Proxy {
  /** The URL of the database through it. */
  readonly url: string;
  signal(signal: NodeJS.Signals): void;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts HAProxy with the configuration of the guide. */
export async function haproxy({ folder, nodes }: PatroniCluster, database: string): Promise<Proxy> {
  const port = await freePort();
  const guide = await codeBlock(GUIDE, 'haproxy');
  const servers = nodes.map(({ name, port: to, restPort }) => `  server ${name} 127.0.0.1:${to} port ${restPort}`);
  const config = guide
    .replace('0.0.0.0:5432', `127.0.0.1:${port}`)
    .replace(' port 8008', '')
    .replace(/(?: {2}server .*\n)+/, `${servers.join('\n')}\n`);
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, config);
  return proxy(() => startProgram('haproxy', ['-db', '-f', file], folder), port, 'postgres', database);
}

/** Starts PgBouncer with the configuration of the guide, in front of HAProxy. */
export async function pgbouncer(folder: string, behind: Proxy, database: string): Promise<Proxy> {
  const port = await freePort();
  const users = join(folder, 'userlist.txt');
  await writeFile(users, '"plants" "password"\n');
  const config = (await codeBlock(GUIDE, 'ini'))
    .replace(
      'plants = host=haproxy.example.com port=5432',
      `${database} = host=127.0.0.1 port=${new URL(behind.url).port}`,
    )
    .replace('0.0.0.0', '127.0.0.1')
    .replace('6432', String(port))
    .replace('/etc/pgbouncer/userlist.txt', users);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `${config}unix_socket_dir =\n`);
  return proxy(() => startProgram('pgbouncer', [file], folder), port, 'plants:password', database);
}

function proxy(start: () => RunningProcess, port: number, user: string, database: string): Proxy {
  const url = `postgres://${user}@127.0.0.1:${port}/${database}`;
  let running = start();
  const stop = async (): Promise<void> => {
    running.child.kill('SIGKILL');
    await running.ended;
  };
  return {
    url,
    signal: (signal) => void running.child.kill(signal),
    restart: async () => {
      await stop();
      running = start();
    },
    stop,
  };
}

export async function untilAnswered(url: string): Promise<void> {
  while (!(await run(url, 'SELECT 1').then(Boolean, () => false))) await pause(100);
}
