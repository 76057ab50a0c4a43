import { setTimeout as delay } from 'node:timers/promises';
import { COST_CASES, type CostCase } from '../packages/openapi-exact/test/support/cost-cases.ts';
import { serveCosts, type CostServer } from '../packages/openapi-exact/test/support/cost-server.ts';
import { commandLine } from '../test/support/command-line.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** From 64 KiB to 1 MiB are four doublings. */
const DOUBLINGS = 4;
/** What the machine's noise may be, in milliseconds and bytes. */
const NOISE = { time: 15, memory: 2 * MIB };

const command = commandLine(
  'npm run test:cost --',
  'Sends every reader of client bytes its worst case at 64 KiB and 1 MiB, and measures time and memory.',
)
  .option('--time <milliseconds>', 'the most CPU time for 1 MiB', Number, 200)
  .option('--growth <factor>', 'the most growth of the time per doubling', Number, 2.5)
  .option('--memory <factor>', 'the most memory that is held while a handler runs, in sizes of the request', Number, 20)
  .option('--only <text>', 'only cases whose name contains this', '')
  .parse();
const limits = command.opts<{ time: number; growth: number; memory: number; only: string }>();
const { gc } = globalThis;
if (gc === undefined) throw new Error('Run it with node --expose-gc, as npm run test:cost does.');

let held = 0;
const server = await serveCosts(() => {
  gc();
  held = used();
});
for (const costCase of COST_CASES.filter(({ name }) => name.includes(limits.only))) {
  const small = await measure(server, costCase, 64 * KIB);
  const large = await measure(server, costCase, MIB);
  const growth = (large.time / Math.max(small.time, NOISE.time)) ** (1 / DOUBLINGS);
  const memory = Math.max(0, large.memory - NOISE.memory) / MIB;
  const isBad = large.time > limits.time || growth > limits.growth || memory > limits.memory;
  if (isBad) process.exitCode = 1;
  const columns = [isBad ? 'FAIL' : 'ok', `${small.time.toFixed(1)} ms`, `${large.time.toFixed(1)} ms`];
  console.log(
    [...columns, `×${growth.toFixed(2)}`, `${memory.toFixed(1)} sizes`, large.status, costCase.name].join('\t'),
  );
}
await server.close();

/** The least CPU time of some requests, and the memory that one holds while its handler runs. */
async function measure(
  server: CostServer,
  { request }: CostCase,
  size: number,
): Promise<{ readonly time: number; readonly memory: number; readonly status: number }> {
  const sent = request(size);
  let time = Infinity;
  let memory = 0;
  let status = 0;
  for (let count = 0; count < 3; count += 1) {
    gc?.();
    const before = (held = used());
    const start = process.cpuUsage();
    ({ status } = await server.ask(sent));
    const { user, system } = process.cpuUsage(start);
    time = Math.min(time, (user + system) / 1000);
    memory = Math.max(memory, held - before);
    await delay(1);
  }
  return { time, memory, status };
}

function used(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
