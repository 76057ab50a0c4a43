import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from 'test-support/listen.ts';
import { postgresProgram, type PostgresProgram } from './postgres-program.ts';
import { PostgresServer, run } from './postgres.ts';

const execute = promisify(execFile);

type Settings = Readonly<Record<string, string>>;

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
  const { folder = await mkdtemp(FOLDERS), program = await postgresProgram() } = options;
  const { segment = 1, auth = 'password' } = options;
  await mkdir(folder, { recursive: true });
  const { initdb, user } = program;
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
  const password = `${folder}.password`;
  await writeFile(password, 'password\n');
  // Another locale than C may not be there.
  const kind = ['--no-sync', '--encoding=UTF8', '--locale=C', `--wal-segsize=${segment}`];
  const access = [`--auth=${auth}`, '--username=postgres', `--pwfile=${password}`];
  await execute(initdb, ['-D', folder, ...kind, ...access], user);
  await rm(password);
  return OwnPostgres.running(folder, { fsync: 'off', ...settings }, program);
}

/** A server of PostgreSQL that a test may do with as it likes. */
export class OwnPostgres extends PostgresServer {
  readonly port: number;
  readonly #folder: string;
  readonly #settings: Settings;
  readonly #program: PostgresProgram;
  #server: ChildProcess | undefined;

  private constructor(port: number, folder: string, settings: Settings, program: PostgresProgram) {
    super(`postgres://postgres:password@127.0.0.1:${port}/postgres`);
    this.port = port;
    this.#folder = folder;
    this.#settings = settings;
    this.#program = program;
    process.once('exit', () => this.#server?.kill('SIGQUIT'));
  }

  /** Starts a server whose folder is filled. */
  static async running(folder: string, settings: Settings, program: PostgresProgram): Promise<OwnPostgres> {
    const server = new OwnPostgres(await freePort(), folder, settings, program);
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const args = Object.entries(this.#settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      // It ends at once while processes of a server before it remain.
      if (this.#hasEnded()) {
        this.#server = spawn(this.#program.postgres, ['-D', this.#folder, '-p', `${this.port}`, ...args], {
          ...this.#program.user,
          // Citus connects to its workers as a client, which looks for files in the home.
          env: { ...process.env, HOME: this.#folder },
          stdio: 'ignore',
        });
      }
      if (await run(this.adminUrl, 'SELECT 1').then(Boolean, () => false)) return;
      if (performance.now() > deadline) throw new Error(`The server in ${this.#folder} did not come up.`);
      await pause(50);
    }
  }

  /** Ends the server in order; connections are closed at once. */
  stop(): Promise<void> {
    // A fast shutdown (https://www.postgresql.org/docs/current/server-shutdown.html).
    return this.#endBy(() => this.#server?.kill('SIGINT'));
  }

  /** Like a crash of the machine: all of its processes end at once, and nothing is written. */
  kill(): Promise<void> {
    return this.#endBy(() => this.signal('SIGKILL'));
  }

  /** Sends a signal to all of its processes. */
  async signal(name: NodeJS.Signals): Promise<void> {
    const first = this.#server?.pid ?? 0;
    const { stdout } = await execute('pgrep', ['-P', `${first}`]);
    for (const pid of [first, ...stdout.trim().split('\n').map(Number)]) {
      try {
        process.kill(pid, name);
      } catch {
        // One that has ended with the others.
      }
    }
  }

  /** Makes a standby, which takes no writes until it is promoted; stops this one for a moment. */
  async standby(): Promise<OwnPostgres> {
    await this.stop();
    const copy = await mkdtemp(FOLDERS);
    await rm(copy, { recursive: true });
    // With its owner and modes.
    await execute('cp', ['-a', this.#folder, copy]);
    await this.start();
    const source = `host=127.0.0.1 port=${this.port} user=postgres password=password`;
    await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    await writeFile(join(copy, 'standby.signal'), '');
    return OwnPostgres.running(copy, this.#settings, this.#program);
  }

  override async close(): Promise<void> {
    await this.stop();
    for (const folder of [this.#folder, this.#program.copy]) {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
  }

  #hasEnded(): boolean {
    return this.#server === undefined || this.#server.exitCode !== null || this.#server.signalCode !== null;
  }

  async #endBy(send: () => unknown): Promise<void> {
    if (this.#server === undefined || this.#hasEnded()) return;
    const ended = once(this.#server, 'exit');
    await send();
    await ended;
  }
}
