import { fileURLToPath } from 'node:url';
import { commandLine } from 'test-support/command-line.ts';
import { runJest } from './checks/jest.ts';
import { setUp } from './checks/set-up.ts';

commandLine(
  'npm run test:opentelemetry --',
  "Installs OpenTelemetry's packages into test/opentelemetry and runs the test of the traces with them.",
).parse();
// In a folder of their own, so that npm ci does not bring their 200 packages.
const cwd = fileURLToPath(new URL('../test/opentelemetry', import.meta.url));
await setUp(cwd, 'npm', ['ci', '--ignore-scripts']);
const { passed, failed } = await runJest(['test/opentelemetry'], {});
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
