import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract } from '../packages/openapi-exact/src/document/load.ts';
import { messageOf, OperatorError } from '../src/errors.ts';
import { commandLine } from '../test/support/command-line.ts';
import { checkAndLint } from './checks/contract.ts';
import { apiGuide } from './generate/api-guide.ts';
import { configurationGuide } from './generate/configuration-guide.ts';
import { missingHandlers } from './generate/missing-handlers.ts';
import { clientShapes } from '../packages/openapi-exact/src/generate/client-shapes.ts';
import { contractTypes } from '../packages/openapi-exact/src/generate/types.ts';

const CONTRACT = new URL('../openapi.yaml', import.meta.url);
const GENERATED: Readonly<Record<string, (contract: Contract) => string | Promise<string>>> = {
  'generated/openapi.d.ts': contractTypes,
  'generated/shapes.ts': clientShapes,
  'docs/configuration.md': configurationGuide,
  'docs/api.md': apiGuide,
};

const { check, contract, out } = commandLine('npm run generate --', `Writes ${Object.keys(GENERATED).join(', ')}.`)
  .option('--check', 'write nothing, and fail when a file is stale', false)
  .option('--contract <file>', 'check another contract instead, and write its types into --out')
  .option('--out <folder>', 'the folder for openapi.d.ts', '.')
  .parse()
  .opts<{ check: boolean; contract?: string; out: string }>();
try {
  if (contract === undefined) await generate();
  else await generateTypes(pathToFileURL(contract), join(out, 'openapi.d.ts'));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

/** Writes the files that are stale, and names the handlers that are missing. */
async function generate(): Promise<void> {
  const { texts, missing } = await checkAndLint(CONTRACT, async (of) => ({
    texts: await Promise.all(
      Object.entries(GENERATED).map(async ([name, write]) => {
        const file = new URL(`../${name}`, import.meta.url);
        const current = await readFile(file, 'utf8').catch(() => undefined);
        return { name, file, current, text: await write(of) };
      }),
    ),
    missing: await missingHandlers(of),
  }));
  const stale = texts.filter(({ text, current }) => text !== current);
  if (check && stale.length > 0) {
    const lines = stale.map(({ name }) => `${name} is stale: run \`npm run generate\` and commit what it writes.`);
    throw new OperatorError(lines.join('\n'));
  }
  for (const { name, file, text } of stale) {
    // A reader sees the old file or the new one, never a part.
    const draft = new URL(`${file.href}.draft`);
    await writeFile(draft, text);
    await rename(draft, file);
    console.log(`Wrote ${name}`);
  }
  if (stale.length === 0) console.log(`Up to date: ${Object.keys(GENERATED).join(', ')}`);
  for (const line of missing) console.error(line);
}

/** Writes the types of another contract. @throws as {@link checkAndLint} does. */
async function generateTypes(file: URL, target: string): Promise<void> {
  const types = await checkAndLint(file, contractTypes);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, types);
  console.log(`Wrote ${target}`);
}
