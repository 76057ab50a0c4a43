import { commandLine } from '../test/support/command-line.ts';
import { jestArguments } from './checks/jest.ts';
import { runFaults } from './checks/run-faults.ts';

/** For all tests, in milliseconds. */
const TIMEOUT = 3_600_000;

const program = commandLine(
  'npm run test:faults --',
  'Provokes failures of disk, network, clients and process, and counts the plants harmed.',
);
const tests = jestArguments(program);
program.parse();
await runFaults('**/test/resilience/**/*.faults.ts', tests(), TIMEOUT);
