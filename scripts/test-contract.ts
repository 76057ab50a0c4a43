import { commandLine } from '../test/support/command-line.ts';
import { jestArguments, runTests } from './checks/jest.ts';

const program = commandLine(
  'npm run test:contract --',
  'The tests that follow from the contract, and how often each declared status was seen.',
);
const tests = jestArguments(program);
program.parse();
const { passed, failed } = await runTests(['test/contract', ...tests()], true);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
