/** `npm run test:contract`: the tests that follow from the contract, and how often each declared status was seen. */
import { runTests } from './run-tests.ts';

const { passed, failed } = await runTests(['test/contract', ...process.argv.slice(2)], true);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
