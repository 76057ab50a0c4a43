import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess, type Outcome, type RunningProcess, type StartOptions } from './process.ts';

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
  /**
   * Starts `plant-store` as a server on free ports.
   * @param node options of Node itself. @param onLine is told each line of standard output.
   */
  serve(env?: Environment, node?: readonly string[], onLine?: (line: string) => void): Promise<ServerProcess>;
  write(name: string, content: string | Buffer): Promise<void>;
  read(name: string): Promise<Buffer>;
  /** Kills what still runs and removes the folder. */
  remove(): Promise<void>;
}

/** A plant store that runs as a process of its own. */
export interface ServerProcess {
  readonly url: string;
  /** The base URL of its second listener, for operators; '' when LOG_LEVEL hides it. */
  readonly admin: string;
  readonly pid: number;
  /** Standard output so far. */
  readonly output: () => string;
  /** Standard error so far. */
  readonly errors: () => string;
  /** The token of a first start, from the file that it is in without a terminal. */
  firstToken(): Promise<string>;
  /** Waits until standard output matches. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Keeps no more of standard output: a server under load writes gigabytes. */
  forget(): void;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when it has ended. */
  readonly ended: Promise<Outcome>;
  /** Sends SIGTERM and waits. @returns the exit code, null when it had to be killed. */
  stop(): Promise<number | null>;
}

/** Makes an empty folder to run the program in. @param parent the folder around it. */
export async function workplace(parent = tmpdir()): Promise<Workplace> {
  const folder = await mkdtemp(join(parent, 'plant-store-'));
  const running = new Set<() => Promise<unknown>>();

  function start(
    command: string,
    args: readonly string[],
    env: Environment = {},
    options: StartOptions = {},
  ): RunningProcess {
    const { PATH = '', HOME = '' } = process.env;
    // Not the environment of the tests: its NODE_ENV and settings must not show through.
    const started = startProcess(command, args, {
      ...options,
      cwd: folder,
      env: { PATH, HOME, CLI, PORT: '0', ADMIN_PORT: '0', ...env },
    });
    const kill = (): Promise<unknown> => {
      started.child.kill('SIGKILL');
      return started.ended;
    };
    running.add(kill);
    void started.ended.then(() => running.delete(kill));
    return started;
  }

  return {
    folder,
    run: async (args, { env, input = '' } = {}) => {
      const { child, ended } = start(process.execPath, [CLI, ...args], env);
      // A program that does not read its input to the end closes it.
      child.stdin.on('error', () => undefined).end(input);
      return ended;
    },
    shell: (line) => start('sh', ['-c', line]).ended,
    serve: async (env, node = [], onLine) => {
      const started = start(process.execPath, [...node, CLI], env, onLine && { onLine });
      const { child, ended, output, errors, until, forget } = started;
      const [, logged, admin = '', banner = ''] = await until(
        /"url":"([^"]+)","admin":"([^"]+)"|The plant store is at (\S+)\n/,
      );
      return {
        url: logged ?? banner,
        admin,
        // A process that has written something has a number.
        pid: child.pid ?? 0,
        output,
        errors,
        firstToken: async () => {
          const [, file = ''] = await until(/\$\(cat ([^)]+)\)/);
          return (await readFile(join(folder, file), 'utf8')).trim();
        },
        until,
        forget,
        ended,
        kill: (signal) => void child.kill(signal),
        stop: async () => {
          child.kill('SIGTERM');
          return (await ended).code;
        },
      };
    },
    write: (name, content) => writeFile(join(folder, name), content),
    read: (name) => readFile(join(folder, name)),
    remove: async () => {
      await Promise.all([...running].map((kill) => kill()));
      await rm(folder, { recursive: true });
    },
  };
}
