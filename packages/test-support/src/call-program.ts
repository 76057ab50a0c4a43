import { jest } from '@jest/globals';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { Outcome } from './process.ts';

/** What a program gets beside its arguments. */
interface CallOptions {
  /** The folder that it runs in. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The version of Node.js that it is to see. */
  readonly node?: string;
}

/**
 * Runs a program of the project from its source and in this process, which saves the start of
 * another. Not for servers, nor beside another call.
 * @param module the program, which sets `process.exitCode` and does not exit.
 */
export async function callProgram(
  module: URL,
  args: readonly string[],
  { folder, env = {}, input = '', node = process.versions.node }: CallOptions,
): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const to = (name: keyof typeof written): Writable =>
    new Writable({
      write: (text: Buffer, _encoding, done) => {
        written[name] += text.toString();
        done();
      },
    });
  const before = process.cwd();
  const { argv, env: own, stdin, stdout, stderr, exitCode, versions } = process;
  const replace = (values: object): void => {
    for (const [name, value] of Object.entries(values)) {
      Object.defineProperty(process, name, { value: value as unknown, writable: true, configurable: true });
    }
  };
  replace({
    ...{ argv: [process.execPath, 'program', ...args], env, versions: { ...versions, node } },
    ...{ stdin: Readable.from([input]), stdout: to('stdout'), stderr: to('stderr'), exitCode: undefined },
  });
  const printed = [
    jest.spyOn(console, 'log').mockImplementation((text) => process.stdout.write(`${text}\n`)),
    jest.spyOn(console, 'error').mockImplementation((text) => process.stderr.write(`${text}\n`)),
  ];
  process.chdir(folder);
  try {
    // Under a new name each time, since a module runs once.
    await import(`${module.href}?${crypto.randomUUID()}`);
    return { code: Number(process.exitCode ?? 0), ...written };
  } finally {
    process.chdir(before);
    for (const spy of printed) spy.mockRestore();
    replace({ argv, env: own, stdin, stdout, stderr, exitCode, versions });
  }
}

/**
 * Runs a script of a scratch copy like {@link callProgram}.
 * @returns its exit code, and standard error before standard output.
 */
export async function callScript(
  folder: string,
  script: string,
  ...args: readonly string[]
): Promise<{ code: number | null; output: string }> {
  const { code, stdout, stderr } = await callProgram(pathToFileURL(join(folder, script)), args, { folder });
  return { code, output: stderr + stdout };
}
