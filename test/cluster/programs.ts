import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../src/errors.ts';
import { workplace, type Workplace } from '../support/cli.ts';
import { PATH } from '../support/installed.ts';
import { startProcess, type RunningProcess } from 'test-support/process.ts';

/** Where Debian keeps the programs of PostgreSQL's versions. */
const VERSIONS = '/usr/lib/postgresql';

/** The folder of initdb and postgres; undefined when they are not installed. */
export const BIN = newest();

/** PostgreSQL refuses to run as root: the user to run as instead. */
export const USER = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};

/**
 * Patroni 3 lets a leader that was frozen take its lock back, and names the states of servers in
 * another way.
 */
const PATRONI = 4;

/** What has to be installed before these programs can run here. @param path where they are. */
export function missing(names: readonly string[], path = PATH): string[] {
  return [...(BIN === undefined ? ['postgresql'] : []), ...names.flatMap((name) => needOf(name, path))];
}

function needOf(name: string, path: string): string[] {
  const options = { env: { PATH: path }, encoding: 'utf8' } as const;
  if (codeOf(spawnSync(name, ['--version'], options).error) === 'ENOENT') return [name];
  const { error, stdout } = spawnSync(name, ['--version'], { ...options, ...USER });
  if (error !== undefined) return [`${name} in a folder where the user of PostgreSQL may start it`];
  const [found, major] = /^patroni (\d+)\S*/.exec(stdout) ?? [];
  return found === undefined || Number(major) >= PATRONI ? [] : [`patroni ${PATRONI} (this is ${found})`];
}

const running = new Set<RunningProcess>();

export function startProgram(name: string, args: readonly string[], folder: string): RunningProcess {
  const started = startProcess(name, args, { cwd: folder, env: { PATH, LC_ALL: 'C', HOME: folder }, ...USER });
  running.add(started);
  void started.ended.then(() => running.delete(started));
  return started;
}

/** A folder that the user of PostgreSQL may use. */
export async function clusterPlace(): Promise<Workplace> {
  const place = await workplace();
  await chmod(place.folder, 0o755);
  if (USER.uid !== undefined) await chown(place.folder, USER.uid, USER.gid);
  return place;
}

/** Ends all programs at once, with the processes that they started. */
export async function stopPrograms(): Promise<void> {
  for (const { child } of running) if (child.pid !== undefined) signalAll(treeOf(child.pid), 'SIGKILL');
  await Promise.all([...running].map(({ ended }) => ended));
}

/** Sends a signal to processes that may have ended. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended with the others.
    }
  }
}

export function treeOf(pid: number): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return [
    pid,
    ...stdout
      .split('\n')
      .filter(Boolean)
      .flatMap((child) => treeOf(Number(child))),
  ];
}

function newest(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  const [version] = versions.sort((a, b) => Number(b) - Number(a));
  return version === undefined ? undefined : join(VERSIONS, version, 'bin');
}

function idOf(kind: '-u' | '-g'): number {
  const { status, stdout } = spawnSync('id', [kind, 'postgres'], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : 65_534;
}
