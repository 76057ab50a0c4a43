import { join } from 'node:path';
import { commandLine } from '../test/support/command-line.ts';
import { inTemporaryFolder } from '../test/support/temporary-folder.ts';
import { ExampleMessages } from '../packages/openapi-exact/test/conformance/example-messages.ts';
import {
  places,
  readDocuments,
  type SourceDocument,
} from '../packages/openapi-exact/test/conformance/source-document.ts';
import { testOperation } from '../packages/openapi-exact/test/conformance/test-operation.ts';

const program = commandLine(
  'npm run test:contracts --',
  'Serves each operation of the OpenAPI documents in a folder alone, with generated valid and invalid requests.',
)
  .argument('<folder>', 'the documents, in folders of any depth; or a single one')
  .option('--verbose', 'a line for each operation that is not served and each invalid request that is accepted')
  .option('--only <text>', 'only operations that have the text in METHOD /path')
  .parse();
const { verbose = false, only = '' } = program.opts<{ verbose?: boolean; only?: string }>();
const [source = ''] = program.args;

const COUNTED = ['served', 'operations', 'accepted', 'invalid'] as const;
const total = { served: 0, operations: 0, accepted: 0, invalid: 0 };
let skipped = 0;
const skip = (name: string, reason: string | undefined): void => {
  skipped++;
  if (reason !== undefined) console.log(`${name}: skipped, ${reason}`);
};
await inTemporaryFolder('contracts', async (folder) => {
  const file = join(folder, 'openapi.json');
  for await (const document of readDocuments(source, skip)) await testDocument(document, file);
});
if (skipped > 0) console.log(`skipped ${skipped} files that are no documents of OpenAPI 3`);
console.error(`${total.invalid} invalid requests sent`);
console.log(summary(total));

/** @param file where the contract of each operation is written. */
async function testDocument(document: SourceDocument, file: string): Promise<void> {
  const counts = { served: 0, operations: 0, accepted: 0, invalid: 0 };
  const messages = new ExampleMessages(document);
  const lines: string[] = [];
  for (const place of places(document)) {
    const name = `${place.method.toUpperCase()} ${place.path}`;
    if (!name.includes(only)) continue;
    const { fault, accepted, invalid } = await testOperation(messages, place, file);
    counts.operations++;
    if (fault === undefined) counts.served++;
    counts.accepted += accepted.length;
    counts.invalid += invalid;
    lines.push(...(fault === undefined ? accepted : [fault]).map((reason) => `  ${name}: ${reason}`));
  }
  if (counts.operations === 0 && only !== '') return;
  console.log(`${document.name}: ${summary(counts)}`);
  if (verbose) for (const line of lines) console.log(line);
  for (const key of COUNTED) total[key] += counts[key];
}

function summary({ served, operations, accepted }: typeof total): string {
  return `served ${served} of ${operations} operations, accepted ${accepted} invalid requests`;
}
