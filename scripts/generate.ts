import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadContract } from '../src/contract/document/load.ts';
import { messageOf, OperatorError } from '../src/errors.ts';
import { commandLine } from '../test/support/command-line.ts';
import { contractProblems } from './checks/contract.ts';
import { apiGuide } from './generate/api-guide.ts';
import { configurationGuide } from './generate/configuration-guide.ts';
import { missingHandlers } from './generate/missing-handlers.ts';
import { contractOperations } from './generate/operations.ts';
import { contractTypes } from './generate/types.ts';

const CONTRACT = new URL('../openapi.yaml', import.meta.url);
const GENERATED: Readonly<Record<string, (contract: URL) => string | Promise<string>>> = {
  'generated/openapi.d.ts': contractTypes,
  'generated/operations.ts': contractOperations,
  'docs/configuration.md': configurationGuide,
  'docs/api.md': apiGuide,
};

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

const {
  check = false,
  quiet = false,
  contract,
  out,
} = commandLine('npm run generate --', `Writes ${Object.keys(GENERATED).join(', ')}.`)
  .option('--check', 'write nothing, and fail when a file is stale')
  .option('--quiet', 'without the handlers that are missing')
  .option('--contract <file>', 'check another contract instead, and write its types into --out')
  .option('--out <folder>', 'the folder for openapi.d.ts', '.')
  .parse()
  .opts<{ check?: boolean; quiet?: boolean; contract?: string; out: string }>();
if (contract !== undefined) {
  await generateTypes(pathToFileURL(contract), join(out, 'openapi.d.ts')).catch((error: unknown) =>
    fail(messageOf(error)),
  );
  process.exit();
}
const texts = await generatedTexts().catch((error: unknown) => fail(messageOf(error)));
const stale: { name: string; text: string }[] = [];
for (const { name, text } of texts) {
  const current = await readFile(new URL(`../${name}`, import.meta.url), 'utf8').catch(() => undefined);
  if (text !== current) stale.push({ name, text });
}
if (check && stale.length > 0) {
  fail(stale.map(({ name }) => `${name} is stale: run \`npm run generate\` and commit what it writes.`).join('\n'));
}
for (const { name, text } of stale) {
  // A reader sees the old file or the new one, never a part.
  const file = new URL(`../${name}`, import.meta.url);
  const draft = new URL(`${file.href}.draft`);
  await writeFile(draft, text);
  await rename(draft, file);
  console.log(`Wrote ${name}`);
}
if (stale.length === 0) console.log(`Up to date: ${Object.keys(GENERATED).join(', ')}`);
if (!quiet) for (const line of await missingHandlers(await loadContract(CONTRACT))) console.error(line);

/** What the files must be. @throws OperatorError with a line for each problem of the contract. */
async function generatedTexts(): Promise<{ name: string; text: string }[]> {
  await requireNoProblem(CONTRACT);
  const entries = Object.entries(GENERATED);
  return Promise.all(entries.map(async ([name, write]) => ({ name, text: await write(CONTRACT) })));
}

/** Writes the types of another contract. @throws OperatorError with a line for each problem. */
async function generateTypes(file: URL, target: string): Promise<void> {
  await requireNoProblem(file);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, await contractTypes(file));
  console.log(`Wrote ${target}`);
}

/** Prints the first warnings. @throws OperatorError with a line for each problem. */
async function requireNoProblem(file: URL): Promise<void> {
  const { errors, warnings, furtherWarnings } = await contractProblems(file);
  for (const warning of warnings) console.error(warning);
  if (furtherWarnings > 0) console.error(`and ${furtherWarnings} more warnings`);
  if (errors.length > 0) throw new OperatorError(errors.join('\n'));
}
