import { randomInt } from 'node:crypto';
import { buildProject } from '../support/build.ts';
import { commandLine, integer, positiveNumber } from '../support/command-line.ts';
import { fuzz, type FuzzReport } from './fuzz.ts';
import { Violation } from './violation.ts';

const { minutes, seed } = commandLine(
  'npm run test:fuzz --',
  'Sends hostile requests to the built server. Exits 1 with their bytes and the seed when it breaks a promise.',
)
  .option('--minutes <number>', 'how long', positiveNumber, 5)
  .option('--seed <integer>', 'the same cases again', integer, randomInt(2 ** 31))
  .parse()
  .opts<{ minutes: number; seed: number }>();

function show({ connections, statuses, memory }: FuzzReport): void {
  const answers = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  const megabytes = [memory.first, memory.last].map((value) => value.toFixed(0)).join(' → ');
  console.log(`${connections} connections, answers ${answers.join(', ')}, server ${megabytes} MB`);
}

buildProject();
console.log(`seed ${seed}`);
try {
  show(await fuzz({ seed, seconds: minutes * 60, onProgress: show }));
} catch (error) {
  if (!(error instanceof Violation)) throw error;
  console.error(`FAILED: ${error.describe(seed)}`);
  process.exitCode = 1;
}
