/**
 * Writes generated/openapi.d.ts and src/client/operations.ts from openapi.yaml, and docs/configuration.md
 * from src/config.ts: `npm run generate`.
 * With --check it writes nothing and fails when a file is stale. A contract with a problem leaves the files as they are.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { messageOf } from '../src/errors.ts';
import { configurationGuide } from './configuration-guide.ts';
import { contractOperations } from './contract-operations.ts';
import { contractTypes } from './contract-types.ts';
import { lintContract } from './lint-contract.ts';

const CONTRACT = new URL('../openapi.yaml', import.meta.url);
const GENERATED: Readonly<Record<string, (contract: URL) => string | Promise<string>>> = {
  'generated/openapi.d.ts': contractTypes,
  'src/client/operations.ts': contractOperations,
  'docs/configuration.md': configurationGuide,
};

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

const problems = await lintContract(CONTRACT);
if (problems.length > 0) fail(problems.join('\n'));
const texts = await Promise.all(
  Object.entries(GENERATED).map(async ([name, write]) => ({ name, text: await write(CONTRACT) })),
).catch((error: unknown) => fail(`openapi.yaml: ${messageOf(error)}`));
for (const { name, text } of texts) {
  const file = new URL(`../${name}`, import.meta.url);
  const current = await readFile(file, 'utf8').catch(() => undefined);
  if (text === current) continue;
  if (process.argv.includes('--check')) {
    fail(`${name} is stale: run \`npm run generate\` and commit what it writes.`);
  }
  // A reader sees the old file or the new one, never a part.
  const draft = new URL(`${file.href}.draft`);
  await writeFile(draft, text);
  await rename(draft, file);
}
