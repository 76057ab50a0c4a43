import { appendFile, chown, mkdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { run } from '../support/postgres.ts';
import { codeBlock } from '../support/readme.ts';
import { BIN, runProgram, signalAll, treeOf, USER } from './programs.ts';

/** A server of the Citus cluster. */
interface Server {
  readonly port: number;
  /** The URL of its database. */
  readonly url: string;
  start(): Promise<void>;
  /** Ends it at once, as a crash does. */
  stop(): Promise<void>;
  /** Signals all of its processes. */
  signal(signal: NodeJS.Signals): Promise<void>;
}

/** A coordinator and two workers. */
export interface CitusCluster {
  readonly coordinator: Server;
  readonly workers: readonly [Server, Server];
  /** Distributes the table of plants, as the guide does. */
  distribute(): Promise<void>;
}

/** True if the newest PostgreSQL here has the extension. */
export function hasCitus(): boolean {
  return BIN !== undefined && existsSync(join(BIN, '../lib/citus.so'));
}

/** Starts the three servers in a folder. */
export async function startCitus(folder: string): Promise<CitusCluster> {
  const [coordinator, first, second] = await Promise.all(
    ['coordinator', 'worker-1', 'worker-2'].map((name) => startServer(join(folder, name))),
  );
  if (coordinator === undefined || first === undefined || second === undefined) throw new Error('unreachable: three');
  return {
    coordinator,
    workers: [first, second],
    distribute: async () => {
      for (const worker of [first, second]) await run(worker.url, 'CREATE EXTENSION citus');
      const guide = (await codeBlock('docs/postgresql.md', 'sql', 'create_distributed_table'))
        .replace(/'coordinator[^']*', 5432/, `'127.0.0.1', ${coordinator.port}`)
        .replace(/'worker-1[^']*', 5432/, `'127.0.0.1', ${first.port}`)
        .replace(/'worker-2[^']*', 5432/, `'127.0.0.1', ${second.port}`);
      for (const statement of guide.trim().split('\n')) await run(coordinator.url, statement);
    },
  };
}

async function startServer(folder: string): Promise<Server> {
  const port = await freePort();
  await mkdir(folder, { mode: 0o700 });
  if (USER.uid !== undefined) await chown(folder, USER.uid, USER.gid);
  const program = join(BIN ?? '', 'pg_ctl');
  const data = join(folder, 'data');
  await runProgram(
    join(BIN ?? '', 'initdb'),
    ['--pgdata', data, '--auth=trust', '--username=postgres', '--locale=C', '--encoding=UTF8'],
    folder,
  );
  const settings = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${folder}'`,
    "shared_preload_libraries = 'citus'",
    'max_connections = 200',
    'max_prepared_transactions = 200',
  ];
  await appendFile(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`);
  const log = join(folder, 'log');
  const start = (): Promise<void> => runProgram(program, ['start', '--pgdata', data, '--log', log, '--wait'], folder);
  const stop = (): Promise<void> =>
    runProgram(program, ['stop', '--pgdata', data, '--mode=immediate', '--wait'], folder);
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
    signalAll(treeOf(Number(pid)), name);
  };
  await start();
  return { port, url: `postgres://postgres@127.0.0.1:${port}/postgres`, start, stop, signal };
}
