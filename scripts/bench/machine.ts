import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { output } from './install.ts';
import { GENERATOR } from './load.ts';
import { median } from './median.ts';
import { isPinned } from './pin.ts';

/** What the numbers were measured on. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly system: string;
  /** The median time of an fsync after 4 KB on the disk of the databases, in milliseconds. */
  readonly fsyncMs: number;
  readonly fileSystem: string;
  readonly load: string;
  readonly pinned: boolean;
  /** Of the last minute, before the bench began: above 0.3, others work on this machine. */
  readonly loadAverage: number;
}

export async function describeMachine(folder: string): Promise<Machine> {
  const [, disk = ''] = (await output('df', ['-PT', folder]).catch(() => '')).split('\n');
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 1e9),
    system: `${type()} ${release()}${distribution()}`,
    fsyncMs: Math.round(fsyncTime(folder) * 1000) / 1000,
    fileSystem: disk.split(/\s+/)[1] ?? 'unknown',
    load: GENERATOR,
    pinned: isPinned,
    loadAverage: loadavg()[0] ?? 0,
  };
}

function distribution(): string {
  try {
    const name = /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
    return name === undefined ? '' : `, ${name}`;
  } catch {
    return '';
  }
}

function fsyncTime(folder: string): number {
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

/** The description in one line. */
export function machineLine(machine: Machine): string {
  const { processor, cores, memoryGB, system, fsyncMs, fileSystem, load, pinned } = machine;
  const cpu = `${processor}, ${cores} cores${pinned ? ' (server and load on one each)' : ''}, ${memoryGB} GB`;
  return `${cpu}; ${system}; ${fileSystem}, fsync ${fsyncMs} ms; load by ${load}`;
}
