import { execFile } from 'node:child_process';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median } from './results.ts';

const PINNED = existsSync('/usr/bin/taskset') && cpus().length >= 2;
const CORES = { server: '0', load: '1' };

/** A command line that keeps to one core, where the system has taskset and two cores. */
export function pin(core: keyof typeof CORES, command: string, args: readonly string[]): [string, string[]] {
  return PINNED ? ['taskset', ['-c', CORES[core], command, ...args]] : [command, [...args]];
}

/** Describes this machine, the disk of a folder and the load generator in one line. */
export async function describeMachine(folder: string, load: string): Promise<string> {
  const df = await promisify(execFile)('df', ['-PT', folder]).catch(() => ({ stdout: '' }));
  const cores = `${cpus().length} cores${PINNED ? ' (server and load on one each)' : ''}`;
  const processor = `${cpus()[0]?.model ?? 'unknown processor'}, ${cores}, ${Math.round(totalmem() / 1e9)} GB`;
  const fileSystem = df.stdout.split('\n')[1]?.split(/\s+/)[1] ?? 'unknown file system';
  const disk = `${fileSystem}, an fsync takes ${fsyncMilliseconds(folder).toPrecision(2)} ms`;
  const busy = `load average ${(loadavg()[0] ?? 0).toFixed(1)} at the start`;
  return `${processor}; ${type()} ${release()}; ${disk}; ${busy}; requests by ${load}`;
}

/** The median of 200 appends of 4 KB with an fsync each, in milliseconds. */
function fsyncMilliseconds(folder: string): number {
  const file = openSync(join(folder, 'fsync'), 'w');
  const page = Buffer.alloc(4096, 1);
  const times = Array.from({ length: 200 }, () => {
    const start = performance.now();
    writeSync(file, page);
    fsyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  return median(times);
}

/**
 * Time of all processors since the start of the system and what other guests of the machine took
 * of it, in the system's unit; zeros where the system does not provide them.
 */
export function processorTimes(): readonly [all: number, stolen: number] {
  if (!existsSync('/proc/stat')) return [0, 0];
  // proc_stat(5): user nice system idle iowait irq softirq steal.
  const line = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '';
  const fields = line.split(' ').slice(0, 8).map(Number);
  return [fields.reduce((sum, field) => sum + field, 0), fields[7] ?? 0];
}
