import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess, type Outcome, type RunningProcess } from 'test-support/process.ts';

export type { Outcome };

/** The built program; `npm test` builds it before the tests run. */
export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Variables of the environment, beside the few that a process needs to start. */
export type Environment = Readonly<Record<string, string>>;

/** What a command gets beside its arguments. */
export interface RunOptions {
  readonly env?: Environment;
  readonly input?: string;
}

/** A plant store that runs as a process of its own. */
export interface ServerProcess extends Omit<RunningProcess, 'child'> {
  readonly url: string;
  /** The base URL of its second listener, for operators; '' when LOG_LEVEL hides it. */
  readonly admin: string;
  readonly pid: number;
  /** The token of a first start, from the file that it is in without a terminal. */
  firstToken(): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** Sends SIGTERM and waits. @returns the exit code, null when it had to be killed. */
  stop(): Promise<number | null>;
}

/** A folder to run the program in, empty at first. */
export class Workplace {
  #folder = '';
  readonly #running = new Set<RunningProcess>();

  get folder(): string {
    return this.#folder;
  }

  /** Makes the folder. @param parent the folder around it. */
  async open(parent = tmpdir()): Promise<this> {
    this.#folder = await mkdtemp(join(parent, 'plant-store-'));
    return this;
  }

  /** Runs `plant-store` with these arguments to its end. */
  run(args: readonly string[], { env, input = '' }: RunOptions = {}): Promise<Outcome> {
    const { child, ended } = this.#start(process.execPath, [CLI, ...args], env);
    // A program that does not read its input to the end closes it.
    child.stdin.on('error', () => undefined).end(input);
    return ended;
  }

  /** Runs a line of shell; the variable CLI in it is the program. */
  shell(line: string): Promise<Outcome> {
    return this.#start('sh', ['-c', line]).ended;
  }

  /** Starts `plant-store` as a server on free ports. @param node options of Node itself. */
  async serve(env?: Environment, node: readonly string[] = []): Promise<ServerProcess> {
    const { child, ...started } = this.#start(process.execPath, [...node, CLI], env);
    const isLogged = !['warn', 'error', 'fatal', 'silent'].includes(env?.['LOG_LEVEL'] ?? '');
    const [, url = '', admin = ''] = await started.until(
      isLogged ? /"url":"([^"]+)","admin":"([^"]+)"/ : /The plant store is at (\S+)\n/,
    );
    return {
      ...started,
      url,
      admin,
      // A process that has written something has a number.
      pid: child.pid ?? 0,
      firstToken: async () => {
        const [, file = ''] = await started.until(/\$\(cat ([^)]+)\)/);
        return String(await this.read(file)).trim();
      },
      kill: (signal) => void child.kill(signal),
      stop: async () => {
        child.kill('SIGTERM');
        return (await started.ended).code;
      },
    };
  }

  write(name: string, content: string | Buffer): Promise<void> {
    return writeFile(join(this.folder, name), content);
  }

  read(name: string): Promise<Buffer> {
    return readFile(join(this.folder, name));
  }

  /** Kills what still runs and removes the folder. */
  async remove(): Promise<void> {
    for (const { child } of this.#running) child.kill('SIGKILL');
    await Promise.all([...this.#running].map(({ ended }) => ended));
    await rm(this.folder, { recursive: true });
  }

  /** The environment: not that of the tests, whose NODE_ENV and settings must not show through. */
  protected get variables(): Environment {
    const { PATH = '', HOME = '' } = process.env;
    return { PATH, HOME, CLI, PORT: '0', ADMIN_PORT: '0' };
  }

  #start(command: string, args: readonly string[], env: Environment = {}): RunningProcess {
    const started = startProcess(command, args, { cwd: this.folder, env: { ...this.variables, ...env } });
    this.#running.add(started);
    void started.ended.then(() => this.#running.delete(started));
    return started;
  }
}

/** Makes an empty folder to run the program in. @param parent the folder around it. */
export function workplace(parent?: string): Promise<Workplace> {
  return new Workplace().open(parent);
}
