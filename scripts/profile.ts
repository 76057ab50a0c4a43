/**
 * `npm run profile`: a CPU profile of the built server under the bench's load (durable deletes, 64 connections). Prints the share
 * of each package in the processor time and the functions that take most.
 *   --node 24     on Node 24
 *   --instant     the contract layer alone, with a store that answers at once
 *   --seconds 5   how long
 * The profile itself stays in data/profile/, for the developer tools of a browser.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { OURS, OURS_LAYER } from './bench/contestants.ts';
import { openDatabases } from './bench/database.ts';
import { installRivals, node24, thisNode } from './bench/install.ts';
import { sendLoad } from './bench/load.ts';
import { startServer } from './bench/server-process.ts';

/** Where a function stands; lines and columns begin with 0. */
interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** The part of V8's format that is read here (https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile). */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
  }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

/** The map of each built file that has one, by its URL. */
type SourceMaps = ReadonlyMap<string, SourceMap>;

const DIST = new URL('../dist/', import.meta.url);
const FOLDER = fileURLToPath(new URL('../data/profile/', import.meta.url));
/** What stands before the name of a module of ours: the sources, and what the bench's own servers are put together from. */
const OURS_URL = /^file:.*\/(?:src|data\/modules)\//;
const TOP = 25;
/** What is no work of the server. */
const IDLE = new Set(['(idle)', '(root)']);

const { values } = parseArgs({
  options: {
    node: { type: 'string' },
    instant: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '5' },
  },
});
await installRivals();
const runtime = values.node === '24' ? await node24() : thisNode();
const seconds = Number(values.seconds);
await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
const databases = await openDatabases();
try {
  const database = await databases.fresh((seconds + 2) * 100_000);
  const options = { node: ['--cpu-prof', `--cpu-prof-dir=${FOLDER}`] };
  const spawned = performance.now();
  const server = await startServer(values.instant ? OURS_LAYER : OURS, database, runtime, options);
  const { requests } = await sendLoad(server, { connections: 64, seconds: 2, first: 0 });
  const from = performance.now() - spawned;
  const result = await sendLoad(server, { connections: 64, seconds, first: requests + 128 });
  const to = performance.now() - spawned;
  await server.stop();
  const [file = ''] = (await readdir(FOLDER)).filter((name) => name.endsWith('.cpuprofile'));
  console.log(
    `Node ${runtime.version}: ${Math.round(result.perSecond).toLocaleString('en')} requests/s under the profiler\n`,
  );
  // Node wrote it.
  report(JSON.parse(await readFile(join(FOLDER, file), 'utf8')) as CpuProfile, await readMaps(), from, to);
  console.log(`\n${join(FOLDER, file)}`);
} finally {
  await databases.remove();
}

/** Prints what ran between two moments, in milliseconds since the start of the process: neither the start nor the end of it. */
function report({ nodes, samples, timeDeltas }: CpuProfile, maps: SourceMaps, from: number, to: number): void {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const groups = new Map<string, number>();
  const functions = new Map<string, number>();
  let total = 0;
  let elapsed = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    const time = timeDeltas[index] ?? 0;
    elapsed += time / 1000;
    if (elapsed < from || elapsed > to) continue;
    if (frame === undefined || IDLE.has(frame.functionName)) continue;
    const { functionName, url, lineNumber } = sourceOf(frame, maps);
    const group = groupOf(functionName, url);
    const place = url === '' ? '' : ` ${placeOf(url)}:${lineNumber + 1}`;
    total += time;
    add(groups, group, time);
    add(functions, `${functionName || '(anonymous)'}${place}`, time);
  }
  printShares('share of processor time', groups, total, Infinity);
  console.log('');
  printShares(`the ${TOP} functions that take most`, functions, total, TOP);
}

async function readMaps(): Promise<SourceMaps> {
  const names = (await readdir(DIST, { recursive: true })).filter((name) => name.endsWith('.js.map'));
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, SourceMap]> => {
        const url = new URL(name, DIST);
        // esbuild wrote it.
        const payload = JSON.parse(await readFile(url, 'utf8')) as SourceMapPayload;
        return [url.href.replace(/\.map$/, ''), new SourceMap(payload)];
      }),
    ),
  );
}

/** A function as it stands in its source, where a map leads to one. */
function sourceOf(frame: CallFrame, maps: SourceMaps): CallFrame {
  const entry = maps.get(frame.url)?.findEntry(frame.lineNumber, frame.columnNumber);
  if (entry === undefined || !('originalSource' in entry)) return frame;
  return { ...frame, url: new URL(entry.originalSource, frame.url).href, lineNumber: entry.originalLine };
}

/** A file without what stands before its package, or our folder. */
function placeOf(url: string): string {
  return url.replace(/^.*\/(?=node_modules\/)/, '').replace(OURS_URL, 'src/');
}

/** The package, folder of ours or part of Node that a function belongs to. */
function groupOf(functionName: string, url: string): string {
  const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (name !== undefined) return `node_modules/${name}`;
  if (OURS_URL.test(url)) return placeOf(url).replace(/[^/]+$/, '');
  if (url.startsWith('node:')) return `node: ${url.replace(/^node:(internal\/)?/, '').split('/')[0] ?? ''}`;
  return functionName === '(garbage collector)' || functionName === '(program)'
    ? functionName
    : `V8 and C++: ${functionName}`;
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

function printShares(title: string, sums: ReadonlyMap<string, number>, total: number, count: number): void {
  console.log(title);
  for (const [name, time] of [...sums].sort(([, a], [, b]) => b - a).slice(0, count)) {
    if (time / total < 0.001) break;
    console.log(`${((time / total) * 100).toFixed(1).padStart(6)} %  ${name}`);
  }
}
