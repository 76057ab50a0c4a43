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
