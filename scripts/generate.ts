import { readFile, rename, writeFile } from 'node:fs/promises';
import { messageOf } from '../src/errors.ts';
import { commandLine } from '../test/support/command-line.ts';
import { lintContract } from './checks/contract.ts';
import { configurationGuide } from './generate/configuration-guide.ts';
import { contractOperations } from './generate/operations.ts';
import { contractTypes } from './generate/types.ts';

const CONTRACT = new URL('../openapi.yaml', import.meta.url);
const GENERATED: Readonly<Record<string, (contract: URL) => string | Promise<string>>> = {
  'generated/openapi.d.ts': contractTypes,
  'generated/operations.ts': contractOperations,
  'docs/configuration.md': configurationGuide,
};

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

const { check = false } = commandLine('npm run generate --', `Writes ${Object.keys(GENERATED).join(' and ')}.`)
  .option('--check', 'write nothing, and fail when a file is stale')
  .parse()
  .opts<{ check?: boolean }>();
const problems = await lintContract(CONTRACT);
if (problems.length > 0) fail(problems.join('\n'));
const texts = await Promise.all(
  Object.entries(GENERATED).map(async ([name, write]) => ({ name, text: await write(CONTRACT) })),
).catch((error: unknown) => fail(`openapi.yaml: ${messageOf(error)}`));
for (const { name, text } of texts) {
  const file = new URL(`../${name}`, import.meta.url);
  const current = await readFile(file, 'utf8').catch(() => undefined);
  if (text === current) continue;
  if (check) fail(`${name} is stale: run \`npm run generate\` and commit what it writes.`);
  // A reader sees the old file or the new one, never a part.
  const draft = new URL(`${file.href}.draft`);
  await writeFile(draft, text);
  await rename(draft, file);
}
