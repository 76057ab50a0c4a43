import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
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
  };
}

/** Time of all processors since the start of the system, in the system's unit: in all, and what others on a shared machine took of it. */
export interface ProcessorTimes {
  readonly all: number;
  readonly stolen: number;
}

/** @returns undefined where the system does not tell. */
export function processorTimes(): ProcessorTimes | undefined {
  try {
    // https://man7.org/linux/man-pages/man5/proc_stat.5.html: user nice system idle iowait irq softirq steal; guests are in user.
    const line = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '';
    const fields = line.split(' ').slice(0, 8).map(Number);
    return { all: fields.reduce((sum, field) => sum + field, 0), stolen: fields[7] ?? 0 };
  } catch {
    return undefined;
  }
}

/** The part of the processors' time that others took between two readings; 0 where the system does not tell. */
export function stolenBetween(before: ProcessorTimes | undefined, after: ProcessorTimes | undefined): number {
  return before && after ? (after.stolen - before.stolen) / (after.all - before.all) : 0;
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
