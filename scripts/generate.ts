import { readFile, rename, writeFile } from 'node:fs/promises';
import { messageOf, OperatorError } from '../src/errors.ts';
import { commandLine } from '../test/support/command-line.ts';
import { contractProblems } from './checks/contract.ts';
import { apiGuide } from './generate/api-guide.ts';
import { configurationGuide } from './generate/configuration-guide.ts';
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

const { check = false } = commandLine('npm run generate --', `Writes ${Object.keys(GENERATED).join(', ')}.`)
  .option('--check', 'write nothing, and fail when a file is stale')
  .parse()
  .opts<{ check?: boolean }>();
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

/** What the files must be. @throws OperatorError with a line for each problem of the contract. */
async function generatedTexts(): Promise<{ name: string; text: string }[]> {
  const problems = await contractProblems(CONTRACT);
  if (problems.length > 0) throw new OperatorError(problems.join('\n'));
  const entries = Object.entries(GENERATED);
  return Promise.all(entries.map(async ([name, write]) => ({ name, text: await write(CONTRACT) })));
}
