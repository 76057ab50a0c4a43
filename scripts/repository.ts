import { InvalidArgumentError } from 'commander';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { commandLine } from 'test-support/command-line.ts';

/** The manifests that name the repository, with the folder of each. */
const FOLDERS: readonly string[] = [
  '',
  'packages/openapi-exact',
  'packages/openapi-exact-cli',
  'packages/openapi-exact-reference',
  'packages/plant-store-client',
];

/**
 * The fields of a package.json that name the repository
 * (https://docs.npmjs.com/cli/configuring-npm/package-json).
 */
function repositoryFields(url: string, folder: string): Readonly<Record<string, unknown>> {
  return {
    repository: { type: 'git', url: `git+${url}.git`, ...(folder === '' ? {} : { directory: folder }) },
    homepage: folder === '' ? `${url}#readme` : `${url}/tree/main/${folder}#readme`,
    bugs: { url: `${url}/issues` },
  };
}

/** Writes the fields into every manifest, after the licence. */
async function writeRepository(url: string): Promise<void> {
  for (const folder of FOLDERS) {
    const file = fileURLToPath(new URL(`../${folder === '' ? '' : `${folder}/`}package.json`, import.meta.url));
    // npm has checked the form.
    const manifest = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    const fields = repositoryFields(url, folder);
    const entries = Object.entries(manifest).filter(([name]) => !Object.hasOwn(fields, name));
    const position = entries.findIndex(([name]) => name === 'license') + 1;
    const written = Object.fromEntries(entries.toSpliced(position, 0, ...Object.entries(fields)));
    await writeFile(file, `${JSON.stringify(written, null, 2)}\n`);
  }
}

function repositoryUrl(text: string): string {
  if (/^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+(?<!\.git)$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the URL of a repository, such as https://github.com/owner/plant-store.');
}

const [url] = commandLine(
  'npm run repository --',
  'Writes the URL of the repository into every package.json: repository, homepage and bugs. Releases do so.',
)
  .argument('<url>', 'such as https://github.com/owner/plant-store', repositoryUrl)
  .parse().processedArgs as [string];
await writeRepository(url);
