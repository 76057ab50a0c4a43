/**
 * `npm run contract:diff [-- <git ref>]`: what the change of openapi.yaml since that commit (default: main) means for clients.
 * Exits 1 when it breaks them and info.version has not got a higher major version. scripts/contract-diff/oasdiff.ts and
 * operations.ts list what is breaking.
 */
import { contractDiff } from './contract-diff/contract-diff.ts';
import { OperatorError } from '../src/errors.ts';

const [ref = 'main', ...rest] = process.argv.slice(2);
try {
  if (rest.length > 0) throw new OperatorError('Usage: npm run contract:diff [-- <git ref>]');
  const { report, passed } = await contractDiff(new URL('../', import.meta.url), ref);
  console.log(report);
  process.exitCode = passed ? 0 : 1;
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
