/**
 * `npm test`: everything that must hold, in one command. Types, lint, generated files and the build are checked side by side;
 * then all tests run. The last line counts them.
 */
import { check, checkNpm, checkScript } from './check.ts';
import { requireOpenFolders } from './closed-folder.ts';
import { runTests } from './run-tests.ts';

requireOpenFolders();
const checks = await Promise.all([
  checkScript('types'),
  checkScript('build'),
  check('lint', 'oxlint'),
  check('format', 'oxfmt', '--check'),
  check('generated files', 'tsx', 'scripts/generate.ts', '--check'),
  check('lock file', 'tsx', 'scripts/check-lock.ts'),
  checkNpm('bill of materials', 'sbom', '--omit=dev', '--sbom-format=cyclonedx'),
  check('workflows', 'tsx', 'scripts/lint-workflows.ts'),
]);
const args = process.argv.slice(2);
const tests = await runTests(args, args.length === 0);
const failed = tests.failed + checks.filter((ok) => !ok).length;
console.log(`${tests.passed + checks.filter((ok) => ok).length} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
