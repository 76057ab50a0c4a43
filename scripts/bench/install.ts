import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A Node.js that servers run on. */
export interface NodeRuntime {
  readonly version: string;
  readonly binary: string;
  /** better-sqlite3 compiled for it; undefined when that which npm installed fits. */
  readonly native: string | undefined;
}

const BENCH = fileURLToPath(new URL('.', import.meta.url));
const MODULES = join(BENCH, 'node_modules');
const FOLDER_24 = join(MODULES, `node-${process.platform}-${process.arch}`);
const BINARY_24 = join(FOLDER_24, 'bin', 'node');

/** Installs the rivals beside this file, on first use and whenever their lock file has changed. */
export async function installRivals(): Promise<void> {
  const installed = join(MODULES, '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(BENCH, 'package-lock.json')).mtimeMs)
    return;
  console.error('Installing the rivals into scripts/bench/node_modules …');
  await run('npm', ['ci', '--no-audit', '--no-fund'], BENCH);
}

/** The Node that runs the bench. */
export function thisNode(): NodeRuntime {
  return { version: process.version, binary: process.execPath, native: undefined };
}

/** True when the bench itself runs on Node 24. */
export function isNode24(): boolean {
  return process.version.startsWith('v24.');
}

/** True when npm has a package of Node 24 for this system. */
export function hasNode24(): boolean {
  return existsSync(BINARY_24);
}

/**
 * Node 24, whose binary and headers npm's packages carry. better-sqlite3 is compiled for it on first use, which takes a minute and
 * a C++ compiler.
 *
 * package.json keeps it below 24.19: from there on the headers' ObjectWrap asserts, when a statement is collected while no script
 * runs, what better-sqlite3 12 does not meet, and the process aborts (https://github.com/Drakon-Systems-Ltd/ShieldCortex/pull/464).
 */
export async function node24(): Promise<NodeRuntime> {
  const binary = BINARY_24;
  if (!hasNode24()) throw new Error(`npm has no package of Node 24 for ${process.platform}-${process.arch}.`);
  const version = (await output(binary, ['--version'])).trim();
  const built = join(MODULES, '.native', version);
  const native = join(built, 'build', 'Release', 'better_sqlite3.node');
  if (!existsSync(native)) {
    console.error(`Compiling better-sqlite3 for Node ${version} …`);
    const draft = `${built}.draft`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(join(MODULES, '.native'), { recursive: true });
    await cp(join(MODULES, 'better-sqlite3'), draft, { recursive: true });
    await rm(join(draft, 'build'), { recursive: true, force: true });
    const npm = (await output('npm', ['root', '--global', '--silent'])).trim();
    const gyp = join(npm, 'npm', 'node_modules', 'node-gyp', 'bin', 'node-gyp.js');
    await run(binary, [gyp, 'rebuild', '--release', `--nodedir=${FOLDER_24}`], draft);
    await rename(draft, built);
  }
  return { version, binary, native };
}

/** What a Node needs to be told before the program. */
export function nodeArgs({ native }: NodeRuntime): readonly string[] {
  return native === undefined ? [] : ['--require', join(BENCH, 'servers', 'native.cjs')];
}

/** Runs a program to its end. @returns its standard output. */
export async function output(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  return text;
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  // A nodedir of npm's own settings would win over that of the command line.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_nodedir$/i.test(name)));
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  // The event's arguments: https://nodejs.org/api/child_process.html#event-close
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${errors}`);
}
