import { pathArguments, runTests } from './checks/jest.ts';

const paths = pathArguments(
  'npm run test:contract --',
  'The tests that follow from the contract, and how often each declared status was seen. Each must be.',
);
const { passed, failed } = await runTests(paths.length === 0 ? ['test/contract'] : paths, true);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
