import { commandLine } from '../test/support/command-line.ts';
import { requireOpenFolders } from '../test/support/open-folders.ts';
import { jestArguments, runTests } from './checks/jest.ts';
import { lockFileProblems } from './checks/lock-file.ts';
import { report, runCheck } from './checks/run-check.ts';

const program = commandLine(
  'npm test --',
  'Types, lint, generated files, lock file and build side by side, then all tests. The last line counts them.',
);
const tests = jestArguments(program);
program.parse();
const args = tests();
requireOpenFolders();
const checks = await Promise.all([
  runCheck('types', 'npm', 'run', 'types'),
  runCheck('build', 'npm', 'run', 'build', '--', '--no-types'),
  runCheck('lint and format', 'npm', 'run', 'lint'),
  runCheck('generated files', 'npm', 'run', 'generate', '--', '--check'),
  runCheck('bill of materials', 'npm', 'sbom', '--omit=dev', '--sbom-format=cyclonedx'),
  lockFileProblems().then((problems) => report('lock file', problems)),
]);
const counts = await runTests(args, args.length === 0);
const failed = counts.failed + checks.filter((ok) => !ok).length;
console.log(`${counts.passed + checks.filter((ok) => ok).length} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
