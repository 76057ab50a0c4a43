import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { foundDamage } from './file.ts';

/** The longest check, in milliseconds: a large file is not read to its end. */
const CHECK_TIMEOUT = 60_000;

/** The program has the extension of this file: the build compiles both, `npm run dev` neither. */
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? 'quick-check.ts' : 'quick-check.js', import.meta.url);

/**
 * Checks a SQLite file in a separate process with low priority: SQLite reads the whole file in one
 * call, which would block the event loop.
 * @returns what is damaged; undefined for a sound file. Rejects if the check is too slow, fails to
 * start, or is aborted; its process has closed the file then.
 */
export function findDamage(file: string, signal: AbortSignal): Promise<string | undefined> {
  const program = [...loaders(), fileURLToPath(PROGRAM), file];
  const options = {
    timeout: CHECK_TIMEOUT,
    killSignal: 'SIGKILL',
    env: { ...process.env, NODE_OPTIONS: '' },
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, program, options, (error, stdout) => {
      signal.removeEventListener('abort', kill);
      const found = foundDamage(stdout);
      if (error?.killed === true) reject(new Error(`it takes longer than ${CHECK_TIMEOUT / 1_000} s`));
      else if (error !== null) reject(error);
      else resolve(found === 'ok' ? undefined : found);
    });
    const kill = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', kill);
  });
}

/** Options of Node with which this process reads TypeScript; none once it is compiled. */
function loaders(): readonly string[] {
  return PROGRAM.pathname.endsWith('.ts') ? process.execArgv.filter((option) => !option.startsWith('--inspect')) : [];
}
