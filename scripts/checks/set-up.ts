import { rm } from 'node:fs/promises';
import { messageOf } from '../../src/errors.ts';
import { startProcess } from '../../test/support/process.ts';

/** Downloads included, in milliseconds. */
const TIMEOUT = 180_000;

/** Runs a step of a set-up. @throws Error when the command is not installed or fails. */
export async function setUp(folder: string, command: string, args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await startProcess(command, args, { cwd: folder, timeout: TIMEOUT }).ended;
  if (code === 0) return;
  const output = (stderr + stdout).trim().split('\n').slice(-3).join(' ');
  throw new Error(`${command} ${args.join(' ')}: ${code === null ? 'took too long' : output}`);
}

/**
 * Sets something up in a folder, tests with it, and removes the folder. Sets the exit code.
 * @param required fail where it cannot be set up, instead of skipping the tests.
 * @param test resolves with whether it passed.
 */
export async function testOrSkip(
  folder: string,
  what: string,
  required: boolean,
  install: () => Promise<void>,
  test: () => Promise<boolean>,
): Promise<void> {
  try {
    const problem = await install().then(
      () => undefined,
      (error: unknown) => messageOf(error),
    );
    if (problem !== undefined) console.error(`${required ? 'failed' : 'skipped'}: ${what}: ${problem}`);
    const passed = problem === undefined ? await test() : !required;
    process.exitCode = passed ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}
