import { readFile, rename, writeFile } from 'node:fs/promises';
import { loadContract } from 'openapi-exact';
import { messageOf, OperatorError } from '../src/errors.ts';
import { commandLine } from 'test-support/command-line.ts';
import { generateFrom } from './checks/contract.ts';
import { apiGuide } from './generate/api-guide.ts';
import { configurationGuide } from './generate/configuration-guide.ts';
import { errorTableMistakes } from './generate/error-table.ts';

const CONTRACT = 'openapi.yaml';
/** What openapi-exact generates. */
const GENERATED = 'generated';
/** What the plant store adds. */
const GUIDES: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/configuration.md': configurationGuide,
  'docs/api.md': apiGuide,
};

const written = `${GENERATED}/, ${Object.keys(GUIDES).join(', ')}`;
const { check } = commandLine('npm run generate --', `Writes ${written}.`)
  .option('--check', 'write nothing, and fail when a file is stale', false)
  .parse()
  .opts<{ check: boolean }>();
try {
  process.chdir(new URL('..', import.meta.url).pathname);
  await generate();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

/** Writes the files that are stale. */
async function generate(): Promise<void> {
  // Refused contracts are described by the checks, with all mistakes at once.
  const contract = await loadContract(new URL(`../${CONTRACT}`, import.meta.url)).catch(() => undefined);
  const text = await readFile(CONTRACT, 'utf8').catch(() => '');
  const mistakes = contract === undefined ? [] : errorTableMistakes(contract, CONTRACT, text);
  const guides = await staleGuides();
  const isWriting = !check && contract !== undefined && mistakes.length === 0;
  const { errors, warnings, stale } = await generateFrom(CONTRACT, GENERATED, isWriting);
  for (const warning of warnings) console.error(warning);
  const all = [...errors, ...mistakes];
  if (contract === undefined || all.length > 0) throw new OperatorError(all.join('\n'));
  const names = [...stale, ...guides.map(({ name }) => name)];
  if (check && names.length > 0) {
    throw new OperatorError(
      names.map((name) => `${name} is stale: run \`npm run generate\` and commit what it writes.`).join('\n'),
    );
  }
  for (const { name, text } of guides) {
    // A reader sees the old file or the new one, never a part.
    await writeFile(`${name}.draft`, text);
    await rename(`${name}.draft`, name);
  }
  for (const name of names) console.log(`Wrote ${name}`);
  if (names.length === 0) console.log(`Up to date: ${written}`);
}

async function staleGuides(): Promise<readonly { name: string; text: string }[]> {
  const guides = Object.entries(GUIDES).map(async ([name, write]) => {
    const text = await write();
    const current = await readFile(name, 'utf8').catch(() => undefined);
    return { name, text, isStale: text !== current };
  });
  return (await Promise.all(guides)).filter(({ isStale }) => isStale);
}
