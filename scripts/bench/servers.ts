import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { freePort } from 'test-support/listen.ts';
import { startProcess, type RunningProcess } from 'test-support/process.ts';
import { CLI } from '../../test/support/workplace.ts';
import type { Database } from './databases.ts';
import type { RepeatedRequest } from './load.ts';
import { pin } from './machine.ts';

/** A program that can be measured. */
export interface Contestant {
  readonly name: string;
  /** A file in servers/; undefined: the built plant store. */
  readonly file?: string;
  /** It knows neither the contract nor tokens. */
  readonly isBare?: boolean;
}

/** Where the plants are; one-by-one: in PostgreSQL, with a statement for each request. */
export type Store = 'sqlite' | 'memory' | 'postgres' | 'one-by-one';

export const PLANT_STORE: Contestant = { name: 'plant store' };
export const PLANT_STORE_IN_MEMORY: Contestant = { name: 'plant store', file: 'plant-store-in-memory.mjs' };
export const BARE: Contestant = { name: 'bare node:http', file: 'bare.mjs', isBare: true };
export const BARE_EXPRESS: Contestant = { name: 'bare Express', file: 'bare-express.mjs', isBare: true };
export const COMPETITORS: readonly Contestant[] = [
  { name: 'Fastify + fastify-openapi-glue', file: 'fastify-glue.mjs' },
  { name: 'Express + express-openapi-validator', file: 'express-openapi-validator.mjs' },
  { name: '@nahkies/typescript-express-runtime', file: 'nahkies.mjs' },
];

/** How long a server may take until it answers, in milliseconds. */
const START_TIMEOUT = 30_000;
const STOP_TIMEOUT = 10_000;
/** Linux counts processor time in hundredths of a second (USER_HZ). */
const TICKS_PER_SECOND = 100;

/** A request and the response that a server must give before it is measured. */
export interface Check {
  readonly request: RepeatedRequest;
  readonly status: number;
  /** The JSON of the response, where it is compared. */
  readonly json?: unknown;
}

/** How a server is started: the variables of its environment, and the port among them. */
interface Start {
  readonly env: Readonly<Record<string, string>>;
  /** The first one is sent until the server answers. */
  readonly checks: readonly Check[];
}

/** A server that runs. */
export class ServerProcess {
  readonly port: number;
  readonly token: string;
  /** From the start of the process to its first response, to the first check. */
  startMilliseconds = Number.NaN;
  readonly #process: RunningProcess;

  private constructor(port: number, token: string, process: RunningProcess) {
    this.port = port;
    this.token = token;
    this.#process = process;
  }

  /**
   * Starts a server of plants on a core of its own and waits until it answers.
   * @throws Error when it does not answer in time, or wrongly.
   */
  static start(contestant: Contestant, database: Database, store: Store): Promise<ServerProcess> {
    const { url, file, token } = database;
    const env = { DATABASE_URL: url, BENCH_DATABASE: file, BENCH_STORE: store };
    return ServerProcess.startWith(contestant, token, { env, checks: plantChecks(contestant, token) });
  }

  /**
   * Starts a server on a core of its own and waits until it answers.
   * @throws Error when it does not answer in time, or wrongly.
   */
  static async startWith({ file, name }: Contestant, token: string, { env, checks }: Start): Promise<ServerProcess> {
    const port = await freePort();
    const program = file === undefined ? [CLI, 'serve'] : [fileURLToPath(new URL(`servers/${file}`, import.meta.url))];
    const [command, args] = pin('server', process.execPath, program);
    const { PATH, HOME } = process.env;
    const settings = { LOG_LEVEL: 'warn', ADMIN_PORT: '0', AUTH_FAILURES_PER_MINUTE: '0', BENCH_TOKEN: token };
    const started = startProcess(command, args, {
      env: { PATH, HOME, NODE_ENV: 'production', PORT: String(port), ...settings, ...env },
    });
    const server = new ServerProcess(port, token, started);
    try {
      await server.#untilAnswered(checks[0]);
      for (const check of checks.slice(1)) await server.check(check);
      return server;
    } catch (cause) {
      await server.stop();
      const output = started.output() + started.errors();
      throw new Error(`${name} does not start. ${output.slice(-500)}`.trim(), { cause });
    }
  }

  /** An open port is not enough: the plant store tries the port before it opens its store. */
  async #untilAnswered(check: Check | undefined): Promise<void> {
    if (check === undefined) throw new Error('A server needs a check to be started with.');
    const begin = performance.now();
    let answer: Answer | undefined;
    while ((answer = await this.#send(check.request).catch(() => undefined)) === undefined) {
      const { exitCode, signalCode } = this.#process.child;
      if (exitCode !== null || signalCode !== null) throw new Error(`It ended: ${exitCode ?? signalCode}.`);
      if (performance.now() > begin + START_TIMEOUT)
        throw new Error(`It did not answer within ${START_TIMEOUT / 1000} s.`);
      await pause(1);
    }
    this.startMilliseconds = performance.now() - begin;
    requireAnswer(check, answer);
  }

  /** Sends one request. @throws Error unless it gets the right response. */
  async check(check: Check): Promise<void> {
    requireAnswer(check, await this.#send(check.request));
  }

  /** Sends one request on a connection of its own. */
  async #send({ method, path, headers, body }: RepeatedRequest): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: { ...headers, connection: 'close' },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, text: await response.text() };
  }

  /** Processor time of all its threads in seconds; NaN where the system does not provide it. */
  async processorSeconds(): Promise<number> {
    const stat = await readFile(`/proc/${this.#process.child.pid}/stat`, 'utf8').catch(() => '');
    // proc_pid_stat(5): utime and stime are fields 14 and 15, counted behind the name.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }

  /** Resident memory in MB; NaN where the system does not provide it. */
  async megabytes(): Promise<number> {
    const status = await readFile(`/proc/${this.#process.child.pid}/status`, 'utf8').catch(() => '');
    return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
  }

  async stop(): Promise<void> {
    const { child, ended } = this.#process;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT);
    await ended;
    clearTimeout(timer);
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** @throws Error unless the response is the right one. */
function requireAnswer({ request: { method, path }, status, json }: Check, answer: Answer): void {
  const request = `${method} ${path}`;
  if (answer.status !== status) {
    throw new Error(`${request} was answered ${answer.status} instead of ${status}: ${answer.text.slice(0, 300)}`);
  }
  if (json !== undefined && !isDeepStrictEqual(JSON.parse(answer.text), json)) {
    throw new Error(`${request} was answered with another body: ${answer.text.slice(0, 300)}`);
  }
}

/** Each kind of request to a server of plants. */
function plantChecks({ isBare = false }: Contestant, token: string): readonly Check[] {
  const check = (status: number, id: string, presented = token): Check => ({
    request: { method: 'DELETE', path: `/plants/${id}`, headers: { authorization: `Bearer ${presented}` } },
    status,
  });
  const checks = [check(204, '0'), check(204, '1'), check(404, '-1')];
  return isBare ? checks : [...checks, check(401, '2', 'not-a-token'), check(400, 'abc')];
}
