import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs `npm run build`, for scripts that start the built program. Ends the process if it fails. */
export function buildProject(): void {
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
