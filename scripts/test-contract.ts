import { jestArguments, runTests } from './checks/jest.ts';

const args = jestArguments(
  'npm run test:contract --',
  'The tests that follow from the contract, and how often each declared status was seen.',
);
// Of some tests alone, no status need be seen.
const complete = !args.some((argument) => argument.startsWith('--testNamePattern'));
const { passed, failed } = await runTests(['test/contract', ...args], complete);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
