import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CLI = join(ROOT, 'dist', 'cli.js');

/** The built plant store as a process of its own, with a database of its own. */
export interface StoreProcess {
  readonly port: number;
  /** A valid token. */
  readonly token: string;
  /** One that was revoked. */
  readonly revokedToken: string;
  /** Resolves with how the process has ended. */
  readonly ended: Promise<string>;
  /** Its standard error so far. */
  readonly errors: () => string;
  /** Adds plants, as an operator would: by the command line, while the server runs. */
  plant(ids: Iterable<bigint>): Promise<void>;
  /** All plants, ascending. */
  plants(): AsyncIterable<bigint>;
  /** Resident memory in MB; NaN where the system has no /proc. */
  memory(): Promise<number>;
  /** Open descriptors; NaN where the system has no /proc. */
  descriptors(): Promise<number>;
  /** Tells it to stop, and waits until it has. */
  stop(): Promise<void>;
  /** Kills it if it still runs, and removes its database. */
  remove(): Promise<void>;
}

/**
 * Starts a plant store in a folder of its own, on the disk of the project: a temporary folder may be in memory, where a commit
 * costs nothing. `npm run build` has to be done before.
 * @param onLine is told each line of its log.
 */
export async function startStoreProcess(
  settings: Readonly<Record<string, string>> = {},
  onLine: (line: string) => void = () => undefined,
): Promise<StoreProcess> {
  await mkdir(join(ROOT, 'data'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, 'data', 'process-'));
  try {
    return await startIn(folder, settings, onLine);
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
}

async function startIn(
  folder: string,
  settings: Readonly<Record<string, string>>,
  onLine: (line: string) => void,
): Promise<StoreProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const env = {
    PATH,
    HOME,
    NODE_ENV: 'production',
    PORT: '0',
    ADMIN_PORT: '0',
    DATABASE_URL: `sqlite:${join(folder, 'plants.db')}`,
    ...settings,
  };
  const start = (args: readonly string[]): ChildProcessWithoutNullStreams =>
    spawn(process.execPath, [CLI, ...args], { cwd: folder, env });

  /** Runs a command to its end and yields the lines that it writes. */
  async function* run(args: readonly string[], input: Iterable<string> = []): AsyncGenerator<string> {
    const child = start(args);
    const closed = once(child, 'close');
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    // A command that does not read its input to the end closes it.
    Readable.from(input).pipe(child.stdin.on('error', () => undefined));
    yield* createInterface({ input: child.stdout });
    await closed;
    if (child.exitCode !== 0) throw new Error(`plant-store ${args.join(' ')} has failed: ${errors}`);
  }
  async function runToEnd(args: readonly string[], input?: Iterable<string>): Promise<string> {
    let last = '';
    for await (const line of run(args, input)) last = line;
    return last;
  }

  const token = await runToEnd(['tokens', 'create', 'valid']);
  const revokedToken = await runToEnd(['tokens', 'create', 'revoked']);
  await runToEnd(['tokens', 'revoke', 'revoked']);

  const server = start(['serve']);
  let errors = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = once(server, 'close').then(() =>
    server.signalCode === null ? `exit code ${server.exitCode}` : `signal ${server.signalCode}`,
  );
  const port = await new Promise<number>((listening, fail) => {
    createInterface({ input: server.stdout }).on('line', (line) => {
      const url = /"url":"[^"]*:(\d+)"/.exec(line);
      if (url !== null) listening(Number(url[1]));
      onLine(line);
    });
    void ended.then((how) => {
      fail(new Error(`The server has ended before it listened: ${how}. ${errors}`));
    });
  });
  const proc = `/proc/${server.pid}`;

  return {
    port,
    token,
    revokedToken,
    ended,
    errors: () => errors,
    plant: async (ids) => {
      await runToEnd(['plants', 'import', '-'], lines(ids));
    },
    plants: async function* () {
      for await (const line of run(['plants', 'export'])) yield BigInt(line);
    },
    memory: async () => {
      const status = await readFile(`${proc}/status`, 'utf8').catch(() => '');
      // proc_pid_status(5): in kB.
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) / 1024;
    },
    descriptors: () =>
      readdir(`${proc}/fd`).then(
        ({ length }) => length,
        () => NaN,
      ),
    stop: async () => {
      server.kill('SIGTERM');
      await ended;
    },
    remove: async () => {
      server.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** Lines of text, thousands in one piece: a write for each would take most of the time. */
function* lines(ids: Iterable<bigint>): Generator<string> {
  let text = '';
  for (const id of ids) {
    text += `${id}\n`;
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  yield text;
}
