import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Contestant } from './contestants.ts';
import { CLI, type Database } from './database.ts';
import { nodeArgs, output, type NodeRuntime } from './install.ts';
import { pin } from './pin.ts';
import { sendDelete } from './send.ts';

/** A server that runs, pinned to its core. */
export interface ServerProcess {
  readonly port: number;
  readonly token: string;
  /** How the request was answered that was sent until the server answered. */
  readonly firstStatus: number;
  /** Resident memory in MB. */
  memory(): Promise<number>;
  /** Processor time so far in seconds; NaN where the system does not tell. */
  processorTime(): Promise<number>;
  /** The last lines of its log. */
  lastLog(): Promise<string>;
  stop(): Promise<void>;
}

/** How to start a server. */
export interface StartOptions {
  /** Options of Node itself. */
  readonly node?: readonly string[];
  /** The first request; one that deletes nothing by default. */
  readonly first?: { readonly token: string; readonly id: string };
  /** false: on all cores, as in production, where V8 compiles on those that are free. */
  readonly pinned?: boolean;
}

/** How long a server may take until it answers, in milliseconds. */
const START_TIMEOUT = 300_000;
/** Linux counts processor time in these parts of a second (USER_HZ). */
const TICKS = 100;

/** Starts a server on a database and waits until it answers. */
export async function startServer(
  contestant: Contestant,
  { url, file, token }: Database,
  node: NodeRuntime,
  options: StartOptions = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const program = contestant.file === 'dist/cli.js' ? [CLI, 'serve'] : [serverFile(contestant.file)];
  const args = [...nodeArgs(node), ...(options.node ?? []), ...program];
  const [command, commandArgs] = options.pinned === false ? [node.binary, args] : pin('server', node.binary, args);
  // A log of one line for each request goes into a file, as in production.
  const log = openSync(`${file}.log`, 'w');
  const child = spawn(command, commandArgs, {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      ADMIN_PORT: '0',
      // 401 is measured, not 429.
      AUTH_FAILURES_PER_MINUTE: '0',
      DATABASE_URL: url,
      BENCH_DATABASE: file,
      BENCH_TOKEN: token,
      BENCH_NATIVE: node.native,
      ...contestant.env,
    },
    stdio: ['ignore', log, 'inherit'],
  });
  closeSync(log);
  const ended = once(child, 'close');
  const first = options.first ?? { token: 'nobody', id: '-1' };
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const firstStatus = await untilAnswered(port, first.token, first.id, hasEnded).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw new Error(`${contestant.name} has not started: see what it wrote above.`, { cause: error });
  });
  const { pid } = child;
  return {
    port,
    token,
    firstStatus,
    memory: async () => Number(await output('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024,
    processorTime: async () => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // proc(5): the fields 14 and 15, counted behind the name, which may hold spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) / TICKS;
    },
    lastLog: async () => (await readFile(`${file}.log`, 'utf8')).slice(-1_000),
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 8_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

function serverFile(name: string): string {
  return fileURLToPath(new URL(`servers/${name}`, import.meta.url));
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Sends a request until it is answered. That the port accepts connections says little: our server tries it, and lets go of it,
 * before it opens its store.
 */
async function untilAnswered(port: number, token: string, id: string, hasEnded: () => boolean): Promise<number> {
  const deadline = performance.now() + START_TIMEOUT;
  for (;;) {
    const status = await sendDelete(port, token, id).catch(() => undefined);
    if (status !== undefined) return status;
    if (hasEnded() || performance.now() > deadline) throw new Error('The server does not answer.');
    await pause(1);
  }
}
