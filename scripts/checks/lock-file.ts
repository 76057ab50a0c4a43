/**
 * Checks package-lock.json: every package has its SHA-512 and no address of its own. A package with
 * an install script stands in `allowScripts` of package.json.
 */
import { readFile } from 'node:fs/promises';

interface Entry {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  /** A package of this project (npm workspace). */
  readonly link?: boolean;
}

/** What is wrong with the lock file, one sentence for each problem. */
export async function lockFileProblems(): Promise<string[]> {
  // npm writes both files in these forms.
  const { packages } = (await read('package-lock.json')) as { packages: Record<string, Entry> };
  const { allowScripts } = (await read('package.json')) as { allowScripts: Record<string, boolean> };
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .flatMap(([path, entry]) => problemsOf(path, entry, Object.keys(allowScripts)));
}

function problemsOf(path: string, entry: Entry, allowed: readonly string[]): string[] {
  const name = path.replace(/^.*node_modules\//, '');
  const problems = [
    [entry.integrity?.startsWith('sha512-') !== true, 'has no SHA-512'],
    [entry.resolved !== undefined, `comes from an address of its own: ${entry.resolved}`],
    [
      entry.hasInstallScript === true && !allowed.includes(name),
      'has an install script that allowScripts neither allows nor refuses',
    ],
  ] as const;
  return problems.flatMap(([applies, text]) => (applies ? [`package-lock.json: ${path} ${text}.`] : []));
}

async function read(name: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8'));
}
