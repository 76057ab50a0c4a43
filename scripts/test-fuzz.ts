/**
 * `npm run test:fuzz`: sends hostile requests to the built server for some minutes. Exits 1 with the bytes and the seed when something
 * breaks: the server ends, an answer is none of the contract's, a plant is gone that nobody asked for with a valid token, memory grows.
 *   --minutes 5   how long
 *   --seed 1      the same cases again
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { fuzz, type FuzzReport } from './fuzz/fuzz.ts';
import { showBytes } from './fuzz/show-bytes.ts';
import { Violation } from './fuzz/violation.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('Usage: npm run test:fuzz -- [--minutes 5] [--seed 1]');
  process.exit(2);
}

function show({ connections, statuses, memory }: FuzzReport): void {
  const answers = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  const megabytes = [memory.first, memory.last].map((value) => value.toFixed(0)).join(' → ');
  console.log(`${connections} connections, answers ${answers.join(', ')}, server ${megabytes} MB`);
}

console.log(`seed ${seed}`);
try {
  show(await fuzz({ seed, seconds: minutes * 60, onProgress: show }));
} catch (error) {
  if (!(error instanceof Violation)) throw error;
  console.error(`FAILED with --seed ${seed}: ${error.message}`);
  for (const bytes of error.sent) console.error(`sent: ${showBytes(bytes)}`);
  process.exitCode = 1;
}
