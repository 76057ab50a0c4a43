import { pathArguments, runTests } from './checks/jest.ts';

const paths = pathArguments(
  'npm run test:contract --',
  'The tests that follow from the contract, and how often each declared status was seen. All see each of them.',
);
const isComplete = paths.length === 0;
const { passed, failed } = await runTests(isComplete ? ['test/contract'] : paths, isComplete);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
