import { postgresServer } from '../test/support/postgres.ts';
import { jestArguments, runTests } from './checks/jest.ts';
import { lockFileProblems } from './checks/lock-file.ts';
import { report, runCheck } from './checks/run-check.ts';

const args = jestArguments(
  'npm test --',
  'Builds, then checks types, lint, generated files and lock file beside all tests. The last line counts them.',
);
const isComplete = args.length === 0;
// All files share one server, since each start of one takes seconds.
const postgres = isComplete ? await postgresServer() : undefined;
if (postgres !== undefined) process.env['TEST_DATABASE_URL'] = postgres.adminUrl;
// The tests start the built program; the other checks run beside them.
const built = await runCheck('build', 'npm', 'run', 'build', '--', '--no-types');
const [counts, ...checks] = await Promise.all([
  runTests(args, isComplete),
  runCheck('types', 'npm', 'run', 'types'),
  runCheck('lint and format', 'npm', 'run', 'lint'),
  runCheck('generated files', 'npm', 'run', 'generate', '--', '--check'),
  runCheck('bill of materials', 'npm', 'sbom', '--omit=dev', '--sbom-format=cyclonedx'),
  lockFileProblems().then((problems) => report('lock file', problems)),
]);
await postgres?.close();
const results = [built, ...checks];
const failed = counts.failed + results.filter((ok) => !ok).length;
console.log(`${counts.passed + results.filter((ok) => ok).length} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
