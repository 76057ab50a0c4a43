import { join } from 'node:path';
import { commandLine, positiveNumber } from 'test-support/command-line.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';
import { testJsonSchemas } from './json-schema-suite.ts';
import {
  ExampleMessages,
  operationKeys,
  readDocuments,
  type OperationKey,
  type SourceDocument,
} from 'openapi-exact-cli/examples';
import { startDocument } from './start-document.ts';
import { testOperation, type Outcome } from './test-operation.ts';
import { testTypes } from './test-types.ts';

const program = commandLine(
  'npm run test:contracts --',
  'Starts each OpenAPI document in a folder as a whole, and serves each of its operations alone, with generated valid and invalid messages, and compiles them with the types of the contract.',
)
  .argument('<folder>', 'the documents, in folders of any depth; or a single one')
  .option('--json-schema', 'the folder is a clone of the JSON Schema Test Suite, whose schemas become request bodies')
  .option('--verbose', 'a line for each operation that is not served and each invalid request that is accepted')
  .option('--most <number>', 'at most so many operations of each document, spread over it', positiveNumber)
  .option('--only <text>', 'only operations that have the text in METHOD /path')
  .parse();
interface Options {
  readonly jsonSchema?: boolean;
  readonly verbose?: boolean;
  readonly only?: string;
  readonly most?: number;
}
const { jsonSchema = false, verbose = false, only = '', most = Infinity } = program.opts<Options>();
const [source = ''] = program.args;

const COUNTED = ['served', 'operations', 'accepted', 'invalid', 'contradictions', 'compiled'] as const;
const NONE = { served: 0, operations: 0, accepted: 0, invalid: 0, contradictions: 0, compiled: 0 };
const total = { ...NONE };
const starts = { documents: 0, started: 0, withErrorBody: 0 };
let skipped = 0;
const skip = (name: string, reason: string | undefined): void => {
  skipped++;
  if (reason !== undefined) console.log(`${name}: skipped, ${reason}`);
};
await inTemporaryFolder('contracts', jsonSchema ? testSuite : testDocuments);

async function testDocuments(folder: string): Promise<void> {
  const file = join(folder, 'openapi.json');
  for await (const document of readDocuments(source, skip)) {
    const { name, bundlingError } = document;
    if (bundlingError === undefined) await testDocument(document, file);
    else skip(name, `this check cannot bundle it: ${bundlingError}`);
  }
  if (skipped > 0) console.log(`skipped ${skipped} files that are no documents of OpenAPI 3, or cannot be read`);
  console.error(`${total.invalid} invalid messages sent, ${total.compiled} messages compiled`);
  const { documents, started, withErrorBody } = starts;
  console.log(`started ${started} of ${documents} whole documents, ${withErrorBody} with an error body of their own`);
  console.log(summary(total));
}

/** Starts a whole document. @returns why it does not start. */
async function startLines(messages: ExampleMessages, document: SourceDocument, file: string): Promise<string[]> {
  const { withoutErrorBody, withErrorBody } = await startDocument(messages, document, file);
  starts.documents++;
  if (withoutErrorBody === undefined) starts.started++;
  if (withErrorBody === undefined) starts.withErrorBody++;
  return [
    ...(withoutErrorBody?.split('\n').map((line) => `  whole: ${line}`) ?? []),
    ...(withErrorBody?.split('\n').map((line) => `  whole, with errorBody: ${line}`) ?? []),
  ];
}

/** Fails for a value that is judged otherwise than the suite and the documentation say. */
async function testSuite(folder: string): Promise<void> {
  const { passed, differing, documented, refused } = await testJsonSchemas(source, folder);
  if (verbose) for (const reason of [...refused, ...documented]) console.log(`  ${reason}`);
  for (const value of differing) console.log(`judged otherwise: ${value}`);
  const sum = `passed ${passed}, ${documented.length} differ as documented, ${differing.length} differ`;
  console.log(`${sum}, ${refused.length} schemas are not served`);
  if (passed === 0 || differing.length > 0) process.exitCode = 1;
}

/** @param file where the contract of each operation is written. */
async function testDocument(document: SourceDocument, file: string): Promise<void> {
  const counts = { ...NONE };
  const messages = new ExampleMessages(document);
  const lines: string[] = only === '' ? await startLines(messages, document, file) : [];
  const served: { operationKey: OperationKey; outcome: Outcome }[] = [];
  for (const operationKey of chosen(document)) {
    const outcome = await testOperation(messages, operationKey, file);
    const { fault, accepted, invalid } = outcome;
    counts.operations++;
    counts.accepted += accepted.length;
    counts.invalid += invalid;
    lines.push(...(fault === undefined ? accepted : [fault]).map((reason) => `  ${nameOf(operationKey)}: ${reason}`));
    if (fault === undefined) served.push({ operationKey, outcome });
  }
  counts.served = served.length;
  if (served.length > 0) {
    const { contradictions, compiled } = await testTypes(document, served, file);
    counts.contradictions = contradictions.length;
    counts.compiled = compiled;
    lines.push(...contradictions.map((contradiction) => `  ${contradiction}`));
  }
  if (counts.operations === 0 && only !== '') return;
  console.log(`${document.name}: ${summary(counts)}`);
  if (verbose) for (const line of lines) console.log(line);
  for (const key of COUNTED) total[key] += counts[key];
}

/** The operations to test, spread evenly over the document. */
function chosen(document: SourceDocument): OperationKey[] {
  const all = operationKeys(document).filter((operationKey) => nameOf(operationKey).includes(only));
  const step = Math.max(1, all.length / most);
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function nameOf({ method, path }: OperationKey): string {
  return `${method.toUpperCase()} ${path}`;
}

function summary({ served, operations, accepted, contradictions }: typeof total): string {
  return `served ${served} of ${operations} operations, accepted ${accepted} invalid messages, ${contradictions} contradictions of types`;
}
