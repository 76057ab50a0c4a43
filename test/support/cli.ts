import { afterEach, beforeEach } from '@jest/globals';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectConformance, type WireResponse } from './conformance.ts';
import { temporaryFolder } from './service.ts';
import { startProcess, type Outcome, type RunningProcess } from './process.ts';

export type { Outcome } from './process.ts';

/** The built program; `npm test` builds it before the tests run. */
export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Variables of the environment, beside the few that a process needs to start. */
export type Environment = Readonly<Record<string, string>>;

/** An empty folder to run the program in. */
export interface Workplace {
  readonly folder: string;
  /** Runs `plant-store` with these arguments to its end. */
  run(args: readonly string[], options?: { env?: Environment; input?: string }): Promise<Outcome>;
  /** Runs a line of shell; the variable CLI in it is the program. */
  shell(line: string): Promise<Outcome>;
  /** Starts `plant-store` as a server on free ports. @param node options of Node itself. */
  serve(env?: Environment, node?: readonly string[]): Promise<ServerProcess>;
  write(name: string, content: string | Buffer): Promise<void>;
  read(name: string): Promise<Buffer>;
  /** Kills what still runs and removes the folder. */
  remove(): Promise<void>;
}

/** A plant store that runs as a process of its own. */
export interface ServerProcess extends Omit<RunningProcess, 'child'> {
  readonly url: string;
  /** The base URL of its second listener, for operators; '' when LOG_LEVEL hides it. */
  readonly admin: string;
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Sends SIGTERM and waits for the end. @returns its exit code, null when a signal ended it. */
  stop(): Promise<number | null>;
}

/** Makes an empty folder to run the program in. */
export async function workplace(): Promise<Workplace> {
  const folder = await temporaryFolder();
  const running = new Set<RunningProcess>();

  function start(command: string, args: readonly string[], env: Environment = {}): RunningProcess {
    const { PATH = '', HOME = '' } = process.env;
    // The environment of the tests must not reach the program: not its NODE_ENV, nor a setting.
    const settings = { PATH, HOME, CLI, PORT: '0', ADMIN_PORT: '0', ...env };
    const started = startProcess(command, args, { cwd: folder, env: settings });
    running.add(started);
    void started.ended.then(() => running.delete(started));
    return started;
  }

  return {
    folder,
    run: async (args, { env, input = '' } = {}) => {
      const { child, ended } = start(process.execPath, [CLI, ...args], env);
      child.stdin.end(input);
      return ended;
    },
    shell: (line) => start('sh', ['-c', line]).ended,
    serve: async (env, node = []) => {
      const { child, ...server } = start(process.execPath, [...node, CLI], env);
      const [, logged, admin = '', banner = ''] = await server.until(
        /"url":"([^"]+)","admin":"([^"]+)"|The plant store is at (\S+)\n/,
      );
      return {
        ...server,
        url: logged ?? banner,
        admin,
        // A process that has written something has a number.
        pid: child.pid ?? 0,
        kill: (signal) => void child.kill(signal),
        stop: async () => {
          child.kill('SIGTERM');
          return (await server.ended).code;
        },
      };
    },
    write: (name, content) => writeFile(join(folder, name), content),
    read: (name) => readFile(join(folder, name)),
    remove: async () => {
      for (const { child } of running) child.kill('SIGKILL');
      await Promise.all([...running].map(({ ended }) => ended));
      await rm(folder, { recursive: true });
    },
  };
}

/** A new workplace for each test of a file, removed behind it. */
export function workplaceOfEachTest(): Workplace {
  let current: Workplace;
  beforeEach(async () => {
    current = await workplace();
  });
  afterEach(() => current.remove());
  return {
    get folder() {
      return current.folder;
    },
    run: (...given) => current.run(...given),
    shell: (...given) => current.shell(...given),
    serve: (...given) => current.serve(...given),
    write: (...given) => current.write(...given),
    read: (...given) => current.read(...given),
    remove: () => current.remove(),
  };
}

/** Deletes a plant over HTTP, as a client of that server would. */
export async function deletePlantAt(url: string, token: string, id: bigint | string): Promise<WireResponse> {
  const target = `/plants/${id}`;
  const response = await fetch(url + target, { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } });
  const wire = { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  expectConformance('DELETE', target, wire);
  return wire;
}
