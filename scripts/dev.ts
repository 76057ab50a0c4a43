/**
 * `npm run dev`: serves the plant store and follows the edits. An edit of the contract regenerates generated/, an edit of
 * the contract or of src/ restarts the server. The server that runs is stopped only for one that has shown that it can start: a
 * contract with a problem, an operation without handler or a file that does not parse is reported, and the old server stays.
 * Types are not checked: the editor does that. Ctrl-C ends everything.
 */
import $RefParser from '@apidevtools/json-schema-ref-parser';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, watch, type FSWatcher } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const CONTRACT = join(PROJECT, 'openapi.yaml');
const SOURCES = join(PROJECT, 'src');
/** No part of the server, and partly generated. */
const CLIENT = join(SOURCES, 'client');
/** Editors write in several steps; what comes within this time, in milliseconds, is one edit. */
const ONE_EDIT = 100;

/** The files of the contract: openapi.yaml and those it refers to. */
let contractFiles = new Set([CONTRACT]);
let contractIsGood = false;
let server: ChildProcess | undefined;
/** A process that works before the server is restarted; it too ends with Ctrl-C. */
let helper: ChildProcess | undefined;
let ending = false;

const folders = new Map<string, FSWatcher>();
const edited = new Set<string>();
let timer: NodeJS.Timeout | undefined;
let working: Promise<void> = Promise.resolve();

function tell(message: string): void {
  console.log(`dev: ${message}`);
}

function node(...args: string[]): [string, string[]] {
  return [process.execPath, ['--import', 'tsx', ...args]];
}

/**
 * Watches folders, not files: an editor that replaces a file by renaming another leaves a watcher of the file with the old one.
 * Each folder has a watcher of its own, because the recursive watcher of Node 20 on Linux watches files.
 */
function watchFolders(): void {
  const wanted = new Set([...contractFiles].map((file) => dirname(file)));
  for (const folder of foldersIn(SOURCES)) wanted.add(folder);
  for (const folder of folders.keys()) if (!wanted.has(folder)) unwatch(folder);
  for (const folder of wanted) {
    if (folders.has(folder)) continue;
    try {
      const watcher = watch(folder, (event, name) => {
        const path = name === null ? folder : join(folder, name);
        // A folder that comes or goes: a watcher of one that was replaced sees nothing any more.
        if (event === 'rename') unwatch(path);
        changed(path);
      });
      watcher.on('error', () => {
        unwatch(folder);
      });
      folders.set(folder, watcher);
    } catch {
      // Removed meanwhile; if it comes back, its parent says so.
    }
  }
}

function unwatch(folder: string): void {
  folders.get(folder)?.close();
  folders.delete(folder);
}

function foldersIn(folder: string): string[] {
  try {
    const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [folder, ...inner.flatMap(({ name }) => foldersIn(join(folder, name)))];
  } catch {
    return [];
  }
}

function changed(path: string): void {
  if (path === CLIENT || path.startsWith(CLIENT + sep)) return;
  if (!contractFiles.has(path) && path !== SOURCES && !path.startsWith(SOURCES + sep)) return;
  edited.add(path);
  clearTimeout(timer);
  timer = setTimeout(() => {
    working = working.then(follow);
  }, ONE_EDIT);
}

/** Does what the edits so far ask for. */
async function follow(): Promise<void> {
  if (ending || edited.size === 0) return;
  const paths = [...edited];
  edited.clear();
  watchFolders();
  tell(`${paths.map((path) => relative(PROJECT, path)).join(', ')} changed`);
  // A contract with a problem is looked at again with every edit, until it has none.
  if (!contractIsGood || paths.some((path) => contractFiles.has(path))) await generate();
  if (!contractIsGood) {
    tell(server === undefined ? 'waiting for a change' : 'the contract has a problem; the server goes on as it is');
    return;
  }
  if (server === undefined) startServer();
  else if (await canStart()) await restart();
  else if (!stopped()) tell('this cannot start; the server goes on as it is');
}

/** Regenerates, and shows what is wrong with the contract. */
async function generate(): Promise<void> {
  helper = spawn(...node('scripts/generate.ts'), { cwd: PROJECT, stdio: ['ignore', 'inherit', 'inherit'] });
  await once(helper, 'close');
  contractIsGood = helper.exitCode === 0;
  if (!contractIsGood) return;
  try {
    contractFiles = new Set([CONTRACT, ...(await $RefParser.resolve(CONTRACT)).paths('file')]);
  } catch {
    // Edited again since: the next round reads it.
  }
  watchFolders();
}

/** Tries the edited project on a port and a database of its own; shows what it says when it does not start. */
async function canStart(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-dev-'));
  const DATABASE_URL = `sqlite:${join(folder, 'plants.db')}`;
  const env = { ...process.env, PORT: '0', ADMIN_PORT: '0', DATABASE_URL, NODE_ENV: 'production', LOG_LEVEL: 'info' };
  const rehearsal = spawn(...node('src/cli.ts'), { cwd: PROJECT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  helper = rehearsal;
  let [log, errors, started] = ['', '', false];
  rehearsal.stdout.on('data', (chunk: Buffer) => {
    log += chunk.toString();
    if (started || !log.includes('"msg":"listening"')) return;
    started = true;
    rehearsal.kill('SIGKILL');
  });
  rehearsal.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await once(rehearsal, 'close');
  await rm(folder, { recursive: true });
  if (!started && !stopped()) process.stderr.write(errors || log);
  return started;
}

function startServer(): void {
  if (stopped()) return;
  const child = spawn(...node('src/cli.ts'), { cwd: PROJECT, stdio: ['ignore', 'inherit', 'inherit'] });
  server = child;
  child.on('close', (code, signal) => {
    if (server !== child) return;
    server = undefined;
    if (!ending) tell(`the server ended (${signal ?? `exit code ${String(code)}`}); waiting for a change`);
  });
}

async function restart(): Promise<void> {
  const old = server;
  server = undefined;
  if (old !== undefined) await stop(old);
  startServer();
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'close');
}

/** Asked for again after each wait: a signal may have come meanwhile. */
function stopped(): boolean {
  return ending;
}

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  clearTimeout(timer);
  for (const watcher of folders.values()) watcher.close();
  helper?.kill('SIGKILL');
  if (server !== undefined) await stop(server);
  await working;
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());

watchFolders();
working = generate().then(() => {
  if (contractIsGood) startServer();
  else if (!stopped()) tell('waiting for a change');
});
