import { readFile } from 'node:fs/promises';
import type { ServerProcess } from './workplace.ts';

/** The memory of a server, now and at most so far, in MB; 0 where the system does not say. */
export async function memoryOf({ pid }: Pick<ServerProcess, 'pid'>): Promise<{ now: number; most: number }> {
  // https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const megabytes = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024);
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}
