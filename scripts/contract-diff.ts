import { ConfigurationError } from 'openapi-exact';
import { OperatorError } from '../src/errors.ts';
import { commandLine } from 'test-support/command-line.ts';
import { baseOf } from './contract-diff/committed.ts';
import { contractDiff } from './contract-diff/contract-diff.ts';

const HELP = `
oasdiff judges the change, and a few checks beside it: base paths, credentials, encoding of
parameters, ranges of statuses, the first body of a response. A schema that changed without any of
them noticing counts as breaking, in whichever direction it changed.

Known gaps:
- a change that no check judges (multipleOf, not, uniqueItems, limits of items, schemas of response
  headers) is not reported beside another change of the same operation
- a property of a response that loses its enum; a meaning that changes in a description
- callbacks, webhooks and links

oasdiff is installed for Linux on x64. Elsewhere set OASDIFF to the path of its program
(https://github.com/oasdiff/oasdiff).`;

const program = commandLine(
  'npm run contract:diff --',
  'What the change of openapi.yaml since a commit means for clients. Exits 1 when it breaks them and info.version has not got a higher major version.',
)
  .argument('[ref]', 'git branch, tag or commit (default: main; on main the last tag, or else HEAD~1)')
  .addHelpText('after', HELP)
  .parse();
try {
  const folder = new URL('../', import.meta.url);
  const [given] = program.args;
  const { ref, meaning = '' } = given === undefined ? await baseOf(new URL('openapi.yaml', folder)) : { ref: given };
  if (meaning !== '') console.log(`Comparing with ${ref}, ${meaning}.`);
  const { report, passed } = await contractDiff(folder, ref);
  console.log(report);
  process.exitCode = passed ? 0 : 1;
} catch (error) {
  if (!(error instanceof OperatorError || error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
