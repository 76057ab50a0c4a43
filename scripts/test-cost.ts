import { setTimeout as delay } from 'node:timers/promises';
import { COST_CASES, type CostCase } from '../packages/openapi-exact/test/support/cost-cases.ts';
import { serveCosts, type CostServer } from '../packages/openapi-exact/test/support/cost-server.ts';
import { commandLine } from '../test/support/command-line.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** The second has nearly as many values as a message may have; much of the third is refused. */
const SIZES = [64 * KIB, 160 * KIB, MIB] as const;
/** What the machine's noise may be, in milliseconds and bytes. */
const NOISE = { time: 15, memory: 256 * KIB };

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

let held = 0;
/** The CPU time of the observation itself, in milliseconds. */
let observation = 0;
const server = await serveCosts(() => {
  const start = process.cpuUsage();
  gc();
  held = used();
  observation = since(start);
});
for (const { request } of COST_CASES) await server.ask(request(KIB));
for (const costCase of COST_CASES.filter(({ name }) => name.includes(limits.only))) {
  const [small, medium, large] = [
    await measure(server, costCase, SIZES[0]),
    await measure(server, costCase, SIZES[1]),
    await measure(server, costCase, SIZES[2]),
  ];
  const growth = Math.max(growthOf(small.time, medium.time, 2.5), growthOf(small.time, large.time, 16));
  const memory = Math.max(small.memory, medium.memory, large.memory);
  const time = Math.max(small.time, medium.time, large.time);
  const isBad = time > limits.time || growth > limits.growth || memory > limits.memory;
  if (isBad) process.exitCode = 1;
  const times = [small, medium, large].map(({ time, status }) => `${time.toFixed(1)} ms ${status}`);
  console.log(
    [isBad ? 'FAIL' : 'ok', ...times, `×${growth.toFixed(2)}`, `${memory.toFixed(1)} sizes`, costCase.name].join('\t'),
  );
}
await server.close();

/** The least processor time of some requests, and the memory that one holds, in sizes of its body. */
async function measure(
  server: CostServer,
  { request }: CostCase,
  size: number,
): Promise<{ readonly time: number; readonly memory: number; readonly status: number }> {
  const sent = request(size);
  const bytes = Buffer.byteLength(JSON.stringify(sent.headers ?? '') + sent.path + (sent.body ?? ''));
  let time = Infinity;
  let memory = Infinity;
  let status = 0;
  for (let count = 0; count < 3; count += 1) {
    gc?.();
    const before = (held = used());
    observation = 0;
    const start = process.cpuUsage();
    ({ status } = await server.ask(sent));
    time = Math.min(time, since(start) - observation);
    memory = Math.min(memory, Math.max(0, held - before - NOISE.memory) / bytes);
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
