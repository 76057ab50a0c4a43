/**
 * Writes generated/openapi.d.ts from openapi.yaml: `npm run generate`.
 * With --check it writes nothing and fails when the file is stale. A contract with a problem leaves the file as it is.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { messageOf } from '../src/errors.ts';
import { contractTypes } from './contract-types.ts';
import { lintContract } from './lint-contract.ts';

const CONTRACT = new URL('../openapi.yaml', import.meta.url);
const GENERATED = new URL('../generated/openapi.d.ts', import.meta.url);

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

const problems = await lintContract(CONTRACT);
if (problems.length > 0) fail(problems.join('\n'));
const types = await contractTypes(CONTRACT).catch((error: unknown) => fail(`openapi.yaml: ${messageOf(error)}`));
const current = await readFile(GENERATED, 'utf8').catch(() => undefined);
if (process.argv.includes('--check')) {
  if (types !== current) fail('generated/openapi.d.ts is stale: run `npm run generate` and commit what it writes.');
} else if (types !== current) {
  // A reader sees the old file or the new one, never a part.
  const draft = new URL(`${GENERATED.href}.draft`);
  await writeFile(draft, types);
  await rename(draft, GENERATED);
}
