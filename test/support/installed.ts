import { spawnSync } from 'node:child_process';

/** With the folder of daemons, which users do not have in their path. */
export const PATH = `${process.env['PATH']}:/usr/sbin`;

/** True if a program is installed; standard error says that tests without it are skipped. */
export function isInstalled(program: string): boolean {
  if (spawnSync(program, ['--version'], { env: { PATH } }).error === undefined) return true;
  process.stderr.write(`skipped: what needs ${program}, which is not installed\n`);
  return false;
}
