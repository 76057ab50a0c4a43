import { mkdir, readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError } from 'commander';
import { buildProject } from '../support/build.ts';
import { commandLine, positiveNumber } from '../support/command-line.ts';
import { memoryOf } from '../support/memory.ts';
import { workplace } from '../support/workplace.ts';
import { createTraffic } from './traffic.ts';
import { startLoad } from './load.ts';
import { judgeSamples, type Sample } from './verdict.ts';

/** On the project's disk: a temporary folder may be in memory, where a commit costs nothing. */
const DATA = fileURLToPath(new URL('../../data/', import.meta.url));

/** Between two samples, in seconds. */
const INTERVAL = 10;

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
  const descriptors = readdir(`/proc/${server.pid}/fd`).then(({ length }) => length);
  return {
    memory: (await memoryOf(server)).now || NaN,
    descriptors: await descriptors.catch(() => NaN),
    p50: percentile(0.5),
    p99: percentile(0.99),
  };
}

/** Runs `plant-store` beside the server. @returns what it printed. */
async function run(args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await place.run(args, { env, input });
  if (code !== 0) throw new Error(`plant-store ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

/** Puts the server under load and takes samples. @returns them, or what went wrong. */
async function soak(): Promise<Sample[] | string> {
  let end: string | undefined;
  void server.ended.then(({ code }) => (end = String(code)));
  const traffic = await createTraffic(run);
  const load = startLoad(Number(new URL(server.url).port), rate, traffic.next);
  const samples: Sample[] = [];
  for (let count = 1; count <= (minutes * 60) / INTERVAL; count++) {
    await pause(INTERVAL * 1000);
    const sample = await measure(load.takeLatencies());
    const problem = end === undefined ? load.problem() : `The server has ended with ${end}. ${server.errors()}`;
    if (problem !== undefined) return problem;
    samples.push(sample);
    if ((count * INTERVAL) % 60 !== 0) continue;
    const { memory, descriptors, p50, p99 } = sample;
    console.log(
      `${(count * INTERVAL) / 60} min: ${load.answered()} answers, ${memory.toFixed(1)} MB, ${descriptors} descriptors, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
    );
  }
  await load.stop();
  await traffic.settled();
  const left = Number(await run(['plants', 'count']));
  return left === traffic.left() ? (load.problem() ?? samples) : `${left} plants are left, and not ${traffic.left()}.`;
}

buildProject();
await mkdir(DATA, { recursive: true });
const place = await workplace(DATA);
// The limit for failed authentications would answer in the place of 401.
const env = { NODE_ENV: 'production', AUTH_FAILURES_PER_MINUTE: '0' };
const server = await place.serve(env);
server.forget();
try {
  const samples = await soak();
  if (typeof samples === 'string') {
    console.error(`FAILED: ${samples}`);
    process.exitCode = 1;
  } else {
    for (const { measure, before, after, isFlat } of judgeSamples(samples)) {
      console.log(`${isFlat ? 'flat' : 'GROWS'}  ${measure}: ${before.toFixed(2)} → ${after.toFixed(2)}`);
      if (!isFlat) process.exitCode = 1;
    }
  }
} finally {
  await place.remove();
}
