import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, integer } from 'test-support/command-line.ts';
import { startProcess, type RunningProcess } from 'test-support/process.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
/** Ids written to the file at a time. */
const CHUNK = 100_000;
/** How often the memory of a process is read, in milliseconds. */
const MEMORY_INTERVAL = 50;
/** An odd factor, which spreads consecutive numbers over all of int64. */
const SPREAD = 0x9e3779b97f4a7c15n;
const MEBIBYTE = 1024 * 1024;

/** The seconds and the largest memory in MiB of a process. */
interface Cost {
  readonly seconds: number;
  readonly memory: number;
}

/** Runs `plant-store` with SQLite in a folder. */
function start(folder: string, args: readonly string[]): RunningProcess {
  const { PATH = '' } = process.env;
  const env = { PATH, NODE_ENV: 'production', PORT: '0', ADMIN_PORT: '0' };
  return startProcess(process.execPath, [CLI, ...args], { cwd: folder, env });
}

/** The largest resident memory of a process so far, in MiB; 0 once it has ended. */
function peakMemory(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Waits for an event of a process. @returns what it needed until then. */
async function measure(running: RunningProcess, event: Promise<unknown>): Promise<Cost> {
  const begun = performance.now();
  let memory = 0;
  const timer = setInterval(() => {
    memory = Math.max(memory, peakMemory(running.child.pid ?? 0));
  }, MEMORY_INTERVAL);
  try {
    await event;
    return { seconds: (performance.now() - begun) / 1000, memory };
  } finally {
    clearInterval(timer);
  }
}

/** Runs a command to its end. @throws Error when it fails. */
async function run(folder: string, ...args: readonly string[]): Promise<Cost> {
  const running = start(folder, args);
  const cost = await measure(running, running.ended);
  const { code, stderr } = await running.ended;
  if (code !== 0) throw new Error(`plant-store ${args.join(' ')} failed: ${stderr.trim()}`);
  return cost;
}

/** Starts the service until it listens, and stops it. */
async function startService(folder: string): Promise<Cost> {
  const service = start(folder, ['serve']);
  const cost = await measure(service, service.until(/"url":/));
  service.child.kill('SIGTERM');
  await service.ended;
  return cost;
}

async function writeIds(file: string, count: number, isScattered: boolean): Promise<void> {
  const output = createWriteStream(file);
  for (let first = 0; first < count; first += CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, count - first) }, (_, index) => {
      const id = BigInt(first + index + 1);
      return isScattered ? BigInt.asIntN(64, id * SPREAD) : id;
    });
    if (!output.write(`${ids.join('\n')}\n`)) await once(output, 'drain');
  }
  output.end();
  await once(output, 'close');
}

/** One row of the table: what a database with so many plants needs. */
async function rowOf(count: number, isScattered: boolean): Promise<string> {
  return inTemporaryFolder('size', async (folder) => {
    const ids = join(folder, 'ids.txt');
    await writeIds(ids, count, isScattered);
    const imported = await run(folder, 'plants', 'import', 'ids.txt');
    await rm(ids);
    const { size } = await stat(join(folder, 'data/plants.db'));
    const served = await startService(folder);
    const backedUp = await run(folder, 'backup', 'copy.db');
    const restored = await run(folder, 'restore', 'copy.db');
    const times = [imported, backedUp, restored, served].map(({ seconds }) => seconds.toFixed(1));
    const memory = Math.max(...[imported, backedUp, restored, served].map((cost) => cost.memory));
    const cells = [count.toLocaleString('en'), Math.round(size / MEBIBYTE).toLocaleString('en'), ...times];
    return `| ${[...cells, Math.round(memory)].join(' | ')} |`;
  });
}

/** Reads a list of numbers of plants. */
function counts(text: string): readonly number[] {
  return text.split(',').map(integer);
}

const { plants, scattered } = commandLine(
  'npm run size --',
  'Measures a SQLite database with many plants: file, import, backup, restore, start, memory. Reads memory on Linux only.',
)
  .option('--plants <numbers>', 'how many, with commas between them', counts, [1_000_000, 10_000_000])
  .option('--scattered', 'ids from all of int64 in random order; 1, 2, 3 … by default', false)
  .parse()
  .opts<{ plants: readonly number[]; scattered: boolean }>();

console.log('| plants | file, MiB | import, s | backup, s | restore, s | start, s | most memory, MiB |');
console.log('|---:|---:|---:|---:|---:|---:|---:|');
for (const count of plants) console.log(await rowOf(count, scattered));
