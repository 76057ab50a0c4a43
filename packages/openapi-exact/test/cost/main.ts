import { setTimeout as delay } from 'node:timers/promises';
import { COST_CASES, type CostCase } from '../support/cost-cases.ts';
import { serveCosts, type CostServer } from '../support/cost-server.ts';
import { commandLine } from 'test-support/command-line.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** The second has nearly as many values as a message may have; much of the third is refused. */
const SIZES = [64 * KIB, 160 * KIB, MIB] as const;
/** What the machine's noise may be, in milliseconds and bytes. */
const NOISE = { time: 15, memory: 256 * KIB };
/** How many requests of one size are sent for each of the two. */
const REQUESTS = 3;
/** Repetitions of a case over its limit: attacks last until V8 has compiled the code. */
const TRIES = 10;

/** What the requests of one size take: milliseconds of the processor, and sizes of their body. */
interface Cost {
  readonly time: number;
  readonly memory: number;
  readonly status: number;
}

const command = commandLine(
  'npm run test:cost --',
  'Sends every reader of client bytes its worst case at 64 KiB, 160 KiB and 1 MiB, and measures time and memory.',
)
  .option('--time <milliseconds>', 'the most CPU time for a request', Number, 200)
  .option('--growth <factor>', 'the most growth of the time per doubling', Number, 2.5)
  .option('--memory <factor>', 'the most memory that is held while a handler runs, in sizes of the request', Number, 20)
  .option('--only <text>', 'only cases whose name contains this', '')
  .parse();
const limits = command.opts<{ time: number; growth: number; memory: number; only: string }>();
const { gc } = globalThis;
if (gc === undefined) throw new Error('Run it with node --expose-gc, as npm run test:cost does.');

let isMemoryMeasured = false;
let held = 0;
const server = await serveCosts(() => {
  if (!isMemoryMeasured) return;
  gc();
  held = used();
});
for (const { request } of COST_CASES) await server.ask(request(KIB));
for (const costCase of COST_CASES.filter(({ name }) => name.includes(limits.only))) {
  let costs = await measureSizes(costCase);
  // What else the machine does may disturb one try, and not all.
  for (let tries = 1; tries < TRIES && isBeyond(costs, costCase); tries += 1) {
    const again = await measureSizes(costCase);
    costs = costs.map((cost, index) => leastOf(cost, again[index] ?? cost));
  }
  if (isBeyond(costs, costCase)) process.exitCode = 1;
  const { growth, memory } = summary(costs);
  const times = costs.map(({ time, status }) => `${time.toFixed(1)} ms ${status}`);
  console.log(
    [
      isBeyond(costs, costCase) ? 'FAIL' : 'ok',
      ...times,
      `×${growth.toFixed(2)}`,
      `${memory.toFixed(1)} sizes`,
      costCase.name,
    ].join('\t'),
  );
}
await server.close();

async function measureSizes(costCase: CostCase): Promise<readonly Cost[]> {
  const costs: Cost[] = [];
  for (const size of SIZES) costs.push(await measure(server, costCase, size));
  return costs;
}

function leastOf(cost: Cost, again: Cost): Cost {
  return { ...cost, time: Math.min(cost.time, again.time), memory: Math.min(cost.memory, again.memory) };
}

function summary(costs: readonly Cost[]): { readonly time: number; readonly growth: number; readonly memory: number } {
  const [small = 0, medium = 0, large = 0] = costs.map(({ time }) => time);
  return {
    time: Math.max(small, medium, large),
    growth: Math.max(growthOf(small, medium, 2.5), growthOf(small, large, 16)),
    memory: Math.max(...costs.map(({ memory }) => memory)),
  };
}

function isBeyond(costs: readonly Cost[], { request }: CostCase): boolean {
  const { time, growth, memory } = summary(costs);
  const isLong = time > limits.time && request(KIB).isStream !== true;
  return isLong || growth > limits.growth || memory > limits.memory;
}

/**
 * The least processor time of some requests, and the least memory that others hold: a collection of
 * garbage throws compiled code away, which an attack does not pay for each time.
 */
async function measure(server: CostServer, { request }: CostCase, size: number): Promise<Cost> {
  const sent = request(size);
  const bytes = Buffer.byteLength(JSON.stringify(sent.headers ?? '') + sent.path + (sent.body ?? ''));
  let memory = Infinity;
  isMemoryMeasured = true;
  for (let count = 0; count < REQUESTS; count += 1) {
    gc?.();
    const before = (held = used());
    await server.ask(sent);
    memory = Math.min(memory, Math.max(0, held - before - NOISE.memory) / bytes);
    await delay(1);
  }
  isMemoryMeasured = false;
  let time = Infinity;
  let status = 0;
  for (let count = 0; count < REQUESTS; count += 1) {
    const start = process.cpuUsage();
    ({ status } = await server.ask(sent));
    time = Math.min(time, since(start));
    await delay(1);
  }
  return { time, memory, status };
}

function used(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The growth of a time per doubling of the size, beyond noise. */
function growthOf(before: number, after: number, factor: number): number {
  return (after / Math.max(before, NOISE.time)) ** (1 / Math.log2(factor));
}

/** The CPU time of this process since then, in milliseconds. */
function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
