import { messageOf } from '../../src/errors.ts';
import { commandLine } from 'test-support/command-line.ts';
import { startProcess } from 'test-support/process.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

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
 * The command line of a script that sets something up in a folder and tests with it. Sets the exit
 * code; with `--required` it is 1 where it cannot be set up, which otherwise skips the test.
 * @param needs what the set-up needs. @param test resolves with whether it passed.
 */
export async function testOrSkip(
  script: string,
  description: string,
  needs: string,
  install: (folder: string) => Promise<void>,
  test: (folder: string) => Promise<boolean>,
): Promise<void> {
  const { required } = commandLine(`npm run ${script} --`, description)
    .option('--required', `fail, instead of skipping, where ${needs} is missing`, false)
    .parse()
    .opts<{ required: boolean }>();
  await inTemporaryFolder(script.replace(':', '-'), async (folder) => {
    const problem = await install(folder).then(() => undefined, messageOf);
    if (problem !== undefined) console.error(`${script}: ${required ? 'failed' : 'skipped'}: ${problem}`);
    const passed = problem === undefined ? await test(folder) : !required;
    process.exitCode = passed ? 0 : 1;
  });
}
