import { randomInt } from 'node:crypto';
import { commandLine, integer, positiveNumber } from 'test-support/command-line.ts';
import { runJest } from './checks/jest.ts';

const { minutes, seed } = commandLine(
  'npm run test:fuzz --',
  'Sends hostile requests to the service. Exits 1 with their bytes and the seed when it breaks a promise.',
)
  .option('--minutes <number>', 'how long', positiveNumber, 5)
  .option('--seed <integer>', 'the same cases again', integer, randomInt(2 ** 30))
  .parse()
  .opts<{ minutes: number; seed: number }>();

const env = { FUZZ_SECONDS: String(minutes * 60), FUZZ_SEED: String(seed) };
const { failed } = await runJest(['test/fuzz'], env, (minutes + 5) * 60_000);
process.exitCode = failed === 0 ? 0 : 1;
