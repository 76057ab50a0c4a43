import { postgresServer } from '../test/support/postgres.ts';
import { startProcess } from 'test-support/process.ts';
import { commandLine } from 'test-support/command-line.ts';
import { DEAR_TESTS } from './checks/dear-tests.ts';
import { runTests } from './checks/jest.ts';
import { lockFileProblems } from './checks/lock-file.ts';

const program = commandLine(
  'npm test --',
  'Builds, then checks types, lint, generated files and lock file beside the tests. The last line counts them.',
)
  .argument('[paths...]', 'only test files whose path matches')
  .option('--all', 'also the dear tests, which scripts/checks/dear-tests.ts lists, as npm run test:all does', false)
  .parse();
const paths = program.args;
const isComplete = paths.length === 0 && program.opts<{ all: boolean }>().all;
const left = paths.length === 0 && !isComplete ? DEAR_TESTS.map(({ path }) => path) : [];
// The tests start the built program; the other checks run beside them. All files share one server
// of PostgreSQL, since each start of one takes seconds.
const [built, postgres] = await Promise.all([
  runCheck('build', 'npm', 'run', 'build', '--', '--no-types'),
  isComplete ? postgresServer() : undefined,
]);
if (postgres !== undefined) process.env['TEST_DATABASE_URL'] = postgres.adminUrl;
if (left.length > 0) process.env['TEST_DATABASES'] = 'SQLite';
// The compiler and the linter collect less garbage (https://pkg.go.dev/runtime, GOGC).
process.env['GOGC'] = '1600';
const [counts, ...checks] = await Promise.all([
  runTests([...paths, ...left.flatMap((path) => ['--testPathIgnorePatterns', path])], isComplete),
  runCheck('types', 'npm', 'run', 'types', '--', '--singleThreaded'),
  runCheck('lint and format', 'npm', 'run', 'lint'),
  runCheck('generated files', 'npm', 'run', 'generate', '--', '--check'),
  runCheck('bill of materials', 'npm', 'sbom', '--omit=dev', '--sbom-format=cyclonedx'),
  lockFileProblems().then((problems) => report('lock file', problems)),
]);
await postgres?.close();
if (left.length > 0) console.log(`left to npm run test:all: operations on PostgreSQL, ${left.join(', ')}`);
const results = [built, ...checks];
const failed = counts.failed + results.filter((ok) => !ok).length;
console.log(`${counts.passed + results.filter((ok) => ok).length} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs a program to its end and prints its output when it fails. @returns whether it succeeded. */
async function runCheck(name: string, command: string, ...args: string[]): Promise<boolean> {
  const { code, stdout, stderr } = await startProcess(command, args).ended;
  return report(name, code === 0 ? [] : [stderr + stdout]);
}

/** Prints the result of a check with its problems. @returns whether there are none. */
function report(name: string, problems: readonly string[]): boolean {
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}
