/**
 * `npm run test:soak`: a steady load on the server, as it is built then, for an hour. Exits 1 unless memory, open descriptors and latency are flat: in the
 * last third of the time as in the second. Needs Linux, for /proc.
 *   --minutes 60   how long
 *   --rate 1000    requests each second
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createErrands } from './soak/errands.ts';
import { startLoad } from './soak/load.ts';
import { judgeSamples, type Sample } from './soak/verdict.ts';
import { startStoreProcess, type StoreProcess } from './store-process.ts';

/** Between two samples, in seconds. */
const INTERVAL = 10;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, rate: { type: 'string', default: '1000' } },
});
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
if (!(minutes >= 1) || !(rate > 0)) {
  console.error('Usage: npm run test:soak -- [--minutes 60] [--rate 1000], for a minute or more');
  process.exit(2);
}

async function measure(server: StoreProcess, latencies: Float64Array): Promise<Sample> {
  const percentile = (part: number): number => latencies[Math.floor(latencies.length * part)] ?? NaN;
  return {
    memory: await server.memory(),
    descriptors: await server.descriptors(),
    p50: percentile(0.5),
    p99: percentile(0.99),
  };
}

/** Puts the server under load and takes samples. @returns them, or what went wrong. */
async function soak(server: StoreProcess): Promise<Sample[] | string> {
  let end: string | undefined;
  void server.ended.then((how) => (end = how));
  const errands = await createErrands(server);
  const load = startLoad(server.port, rate, errands.next);
  const samples: Sample[] = [];
  for (let count = 1; count <= (minutes * 60) / INTERVAL; count++) {
    await pause(INTERVAL * 1000);
    const sample = await measure(server, load.takeLatencies());
    const problem = end === undefined ? load.problem() : `The server has ended: ${end}. ${server.errors()}`;
    if (problem !== undefined) return problem;
    samples.push(sample);
    if ((count * INTERVAL) % 60 !== 0) continue;
    const { memory, descriptors, p50, p99 } = sample;
    console.log(
      `${(count * INTERVAL) / 60} min: ${load.answered()} answers, ${memory.toFixed(1)} MB, ${descriptors} descriptors, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
    );
  }
  await load.stop();
  await errands.settled();
  let left = 0;
  for await (const _ of server.plants()) left++;
  return left === errands.left() ? (load.problem() ?? samples) : `${left} plants are left, and not ${errands.left()}.`;
}

// The limit for failed authentications would answer in the place of 401.
const server = await startStoreProcess({ AUTH_FAILURES_PER_MINUTE: '0' });
try {
  const samples = await soak(server);
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
  await server.remove();
}
