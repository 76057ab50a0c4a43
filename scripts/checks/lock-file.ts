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
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  return installed.flatMap(([path, { integrity = '', resolved, hasInstallScript = false }]) => {
    const isAllowed = Object.keys(allowScripts).includes(path.replace(/^.*node_modules\//, ''));
    const problems = [
      integrity.startsWith('sha512-') ? '' : 'has no SHA-512',
      resolved === undefined ? '' : `comes from an address of its own: ${resolved}`,
      hasInstallScript && !isAllowed ? 'has an install script that allowScripts neither allows nor refuses' : '',
    ];
    return problems.filter((text) => text !== '').map((text) => `package-lock.json: ${path} ${text}.`);
  });
}

async function read(name: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8'));
}
