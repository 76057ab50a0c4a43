import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/listen.ts';
import { startProcess, type RunningProcess } from '../../test/support/process.ts';
import { CLI } from '../../test/support/workplace.ts';
import type { Database } from './databases.ts';
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

/** A server that runs. */
export class ServerProcess {
  readonly port: number;
  readonly token: string;
  /** From the start of the process to its first response, to a request that deletes a plant. */
  startMilliseconds = Number.NaN;
  readonly #process: RunningProcess;

  private constructor(port: number, token: string, process: RunningProcess) {
    this.port = port;
    this.token = token;
    this.#process = process;
  }

  /**
   * Starts a server on a core of its own and waits until it answers.
   * @throws Error when it does not answer in time, or wrongly.
   */
  static async start(contestant: Contestant, database: Database, store: Store): Promise<ServerProcess> {
    const { file, name } = contestant;
    const port = await freePort();
    const program = file === undefined ? [CLI, 'serve'] : [fileURLToPath(new URL(`servers/${file}`, import.meta.url))];
    const [command, args] = pin('server', process.execPath, program);
    const { PATH, HOME } = process.env;
    const env = {
      PATH,
      HOME,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      ADMIN_PORT: '0',
      AUTH_FAILURES_PER_MINUTE: '0',
      DATABASE_URL: database.url,
      BENCH_DATABASE: database.file,
      BENCH_TOKEN: database.token,
      BENCH_STORE: store,
    };
    const started = startProcess(command, args, { env });
    const server = new ServerProcess(port, database.token, started);
    try {
      await server.#untilAnswered();
      await server.#check(contestant);
      return server;
    } catch (cause) {
      await server.stop();
      const output = started.output() + started.errors();
      throw new Error(`${name} does not start. ${output.slice(-500)}`.trim(), { cause });
    }
  }

  /** An open port is not enough: the plant store tries the port before it opens its store. */
  async #untilAnswered(): Promise<void> {
    const begin = performance.now();
    let status: number | undefined;
    while ((status = await this.#delete('0').catch(() => undefined)) === undefined) {
      const { exitCode, signalCode } = this.#process.child;
      if (exitCode !== null || signalCode !== null) throw new Error(`It ended: ${exitCode ?? signalCode}.`);
      if (performance.now() > begin + START_TIMEOUT)
        throw new Error(`It did not answer within ${START_TIMEOUT / 1000} s.`);
      await pause(1);
    }
    if (status !== 204) throw new Error(`Its first response was ${status} instead of 204.`);
    this.startMilliseconds = performance.now() - begin;
  }

  /** Sends one request on a connection of its own. @returns the status. */
  async #delete(id: string, token = this.token): Promise<number> {
    const headers = { authorization: `Bearer ${token}`, connection: 'close' };
    const response = await fetch(`http://127.0.0.1:${this.port}/plants/${id}`, { method: 'DELETE', headers });
    await response.arrayBuffer();
    return response.status;
  }

  /** @throws Error unless each kind of request gets the right status. */
  async #check({ isBare = false }: Contestant): Promise<void> {
    const kinds: (readonly [status: number, id: string, token?: string])[] = [
      [204, '1'],
      [404, '-1'],
    ];
    if (!isBare) kinds.push([401, '2', 'not-a-token'], [400, 'abc']);
    for (const [expected, id, token] of kinds) {
      const status = await this.#delete(id, token);
      if (status !== expected) throw new Error(`DELETE /plants/${id} was answered ${status} instead of ${expected}.`);
    }
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
