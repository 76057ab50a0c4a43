import { mkdir, readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError } from 'commander';
import { buildProject } from '../support/build.ts';
import { commandLine, positiveNumber } from 'test-support/command-line.ts';
import { memoryOf } from '../support/memory.ts';
import { workplace } from '../support/workplace.ts';
import { Load } from './load.ts';

/** On the project's disk: a temporary folder may be in memory, where a commit costs nothing. */
const DATA = fileURLToPath(new URL('../../data/', import.meta.url));

const INTERVAL = 10;

/**
 * What must not grow: which of the sorted values counts, what it may be multiplied by, and the
 * noise beside that. Connections come and go; those that are never closed show in the fewest
 * descriptors that are open.
 */
const MEASURES = {
  'memory in MB': { part: 0.5, factor: 1.1, noise: 0 },
  'open descriptors': { part: 0, factor: 1, noise: 0 },
  'latency in ms, p50': { part: 0.5, factor: 1.25, noise: 0.3 },
  'latency in ms, p99': { part: 0.5, factor: 1.25, noise: 2 },
};
type Sample = Readonly<Record<keyof typeof MEASURES, number>>;

const { minutes, rate } = commandLine(
  'npm run test:soak --',
  'A steady load. Exits 1 unless memory, descriptors and latency are as flat in the last third as in the second. Needs Linux.',
)
  .option('--minutes <number>', 'how long, at least 1', minute, 60)
  .option('--rate <number>', 'requests per second', positiveNumber, 1000)
  .parse()
  .opts<{ minutes: number; rate: number }>();

function minute(text: string): number {
  const value = positiveNumber(text);
  if (value < 1) throw new InvalidArgumentError('It must be at least 1.');
  return value;
}

async function measure(latencies: Float64Array): Promise<Sample> {
  const percentile = (part: number): number => latencies[Math.floor(latencies.length * part)] ?? NaN;
  return {
    'memory in MB': (await memoryOf(server)).now || NaN,
    'open descriptors': await readdir(`/proc/${server.pid}/fd`).then(
      ({ length }) => length,
      () => NaN,
    ),
    'latency in ms, p50': percentile(0.5),
    'latency in ms, p99': percentile(0.99),
  };
}

/** Runs `plant-store` beside the server. @returns what it printed. */
async function run(args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await place.run(args, { env, input });
  if (code !== 0) throw new Error(`plant-store ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

/** Puts the server under load and takes samples. @throws Error that says what went wrong. */
async function soak(): Promise<Sample[]> {
  let end: string | undefined;
  void server.ended.then(({ code }) => (end = String(code)));
  const load = new Load(Number(new URL(server.url).port), run);
  await load.start(rate);
  const samples: Sample[] = [];
  for (let count = 1; count <= (minutes * 60) / INTERVAL; count++) {
    await pause(INTERVAL * 1000);
    const sample = await measure(load.takeLatencies());
    const problem = end === undefined ? load.problem : `The server has ended with ${end}. ${server.errors()}`;
    if (problem !== undefined) throw new Error(problem);
    samples.push(sample);
    const values = Object.entries(sample).map(([name, value]) => `${name} ${value.toFixed(2)}`);
    const time = (count * INTERVAL) / 60;
    if (Number.isInteger(time)) console.log(`${time} min: ${load.answered} answers, ${values.join(', ')}`);
  }
  await load.stop();
  if (load.problem !== undefined) throw new Error(load.problem);
  const left = Number(await run(['plants', 'count']));
  if (left !== load.left) throw new Error(`${left} plants are left, and not ${load.left}.`);
  return samples;
}

/** Compares the last third of the samples with the second one; the first is for warming up. */
function judge(samples: readonly Sample[]): void {
  const third = Math.floor(samples.length / 3);
  for (const [name, { part, factor, noise }] of Object.entries(MEASURES)) {
    const typical = (some: readonly Sample[]): number => {
      // The keys of the measures.
      const values = some.map((sample) => sample[name as keyof Sample]).sort((a, b) => a - b);
      return values.some(Number.isNaN) ? NaN : (values[Math.floor(values.length * part)] ?? NaN);
    };
    const [before, after] = [typical(samples.slice(-2 * third, -third)), typical(samples.slice(-third))];
    // One that is missing is not flat.
    const isFlat = after <= before * factor + noise;
    console.log(`${isFlat ? 'flat' : 'GROWS'}  ${name}: ${before.toFixed(2)} → ${after.toFixed(2)}`);
    if (!isFlat) process.exitCode = 1;
  }
}

buildProject();
await mkdir(DATA, { recursive: true });
const place = await workplace(DATA);
// The limit for failed authentications would answer in the place of 401.
const env = { NODE_ENV: 'production', AUTH_FAILURES_PER_MINUTE: '0' };
const server = await place.serve(env);
server.forget();
try {
  judge(await soak());
} catch (error) {
  console.error('FAILED:', error);
  process.exitCode = 1;
} finally {
  await place.remove();
}
