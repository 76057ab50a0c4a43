import { existsSync } from 'node:fs';
import { cpus } from 'node:os';

/** The core of what is measured, and that of the load. */
export type Core = 'server' | 'load';

const PINNED = existsSync('/usr/bin/taskset') && cpus().length >= 2;
const CORES: Readonly<Record<Core, string>> = { server: '0', load: '1' };

/** True when server and load run on cores of their own. */
export const isPinned = PINNED;

/** A command line that keeps to one core, where the system has taskset and two of them. */
export function pin(core: Core, command: string, args: readonly string[]): readonly [string, readonly string[]] {
  return PINNED ? ['taskset', ['-c', CORES[core], command, ...args]] : [command, args];
}
