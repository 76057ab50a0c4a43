import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './listen.ts';
import { postgresProgram, type PostgresProgram } from './postgres-program.ts';
import { run, TestDatabases, type PostgresServer } from './postgres.ts';

const execute = promisify(execFile);

/** Settings of a server, such as max_connections. */
export type Settings = Readonly<Record<string, string>>;

/** A server of PostgreSQL that a test may do with as it likes. */
export interface OwnPostgres extends PostgresServer {
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
   */
  standby(): Promise<OwnPostgres>;
}

/** How the folders of servers begin. */
const FOLDERS = join(tmpdir(), 'plant-store-postgres-');

/** The longest start, in milliseconds: after a crash it waits for its remaining processes. */
const PATIENCE = 30_000;

/** What a test may want to be otherwise of a server. */
interface Options {
  /** An empty one, or one to make; by default a temporary one, which is removed. */
  readonly folder?: string;
  /** The size of a WAL segment in megabytes: some tests have little space. */
  readonly segment?: number;
  /** By default that of npm. */
  readonly program?: PostgresProgram;
  /** How clients are authenticated. */
  readonly auth?: 'password' | 'trust';
}

/** Makes a server with these settings. Its files are not flushed: no test crashes the machine. */
export async function ownPostgres(settings: Settings = {}, options: Options = {}): Promise<OwnPostgres> {
  const {
    folder = await mkdtemp(FOLDERS),
    program = await postgresProgram(),
    segment = 1,
    auth = 'password',
  } = options;
  await initialise(folder, program, [`--wal-segsize=${segment}`, `--auth=${auth}`]);
  return running(folder, { fsync: 'off', ...settings }, program);
}

/** Fills its folder. Another locale than C may not be there. */
async function initialise(folder: string, { initdb, user }: PostgresProgram, more: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
  const password = `${folder}.password`;
  await writeFile(password, 'password\n');
  const access = ['--username=postgres', `--pwfile=${password}`];
  const options = ['--no-sync', '--encoding=UTF8', '--locale=C', ...more];
  await execute(initdb, ['-D', folder, ...options, ...access], user);
  await rm(password);
}

async function running(folder: string, settings: Settings, program: PostgresProgram): Promise<OwnPostgres> {
  const port = await freePort();
  const adminUrl = `postgres://postgres:password@127.0.0.1:${port}/postgres`;
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let server: ChildProcess | undefined;
  process.once('exit', () => server?.kill('SIGQUIT'));

  async function start(): Promise<void> {
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      // It ends at once while processes of a server before it remain.
      if (hasEnded(server)) {
        server = spawn(program.postgres, ['-D', folder, '-p', `${port}`, ...args], {
          ...program.user,
          // Citus connects to its workers as a client, which looks for files in the home.
          env: { ...process.env, HOME: folder },
          stdio: 'ignore',
        });
      }
      const isUp = await run(adminUrl, 'SELECT 1').then(
        () => true,
        () => false,
      );
      if (isUp) return;
      if (performance.now() > deadline) throw new Error(`The server in ${folder} did not come up.`);
      await pause(50);
    }
  }

  async function endBy(send: () => unknown): Promise<void> {
    if (server === undefined || hasEnded(server)) return;
    const ended = once(server, 'exit');
    await send();
    await ended;
  }

  /** A fast shutdown (https://www.postgresql.org/docs/current/server-shutdown.html). */
  const stop = (): Promise<void> => endBy(() => server?.kill('SIGINT'));

  async function signal(name: NodeJS.Signals): Promise<void> {
    const first = server?.pid ?? 0;
    const { stdout } = await execute('pgrep', ['-P', `${first}`]);
    for (const pid of [first, ...stdout.trim().split('\n').map(Number)]) {
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
    port,
    adminUrl,
    createDatabase: () => databases.take(),
    emptyDatabases: () => databases.empty(),
    start,
    stop,
    signal,
    kill: () => endBy(() => signal('SIGKILL')),
    standby: async () => {
      await stop();
      const copy = await mkdtemp(FOLDERS);
      await rm(copy, { recursive: true });
      // With its owner and modes.
      await execute('cp', ['-a', folder, copy]);
      await start();
      const source = `host=127.0.0.1 port=${port} user=postgres password=password`;
      await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
      await writeFile(join(copy, 'standby.signal'), '');
      return running(copy, settings, program);
    },
    close: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
      if (program.copy !== undefined) await rm(program.copy, { recursive: true, force: true });
    },
  };
}

function hasEnded(child: ChildProcess | undefined): boolean {
  return child === undefined || child.exitCode !== null || child.signalCode !== null;
}
