/**
 * Checks package-lock.json: every package has its SHA-512 and no address of its own. A package with
 * an install script is in `allowScripts` of package.json. npm's entries are amended.
 */
import { readFile, writeFile } from 'node:fs/promises';

interface Entry {
  /** The name in the registry, where the folder has another. */
  readonly name?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  /** A package of this project (npm workspace). */
  readonly link?: boolean;
}

interface LockFile {
  packages: Record<string, Entry>;
}

const ROOT = new URL('../../', import.meta.url);
const LOCK_FILE = new URL('package-lock.json', ROOT);

/** What `npm ci` reads in the lock file and npm does not write there. */
const AMENDMENTS: Readonly<Record<string, object>> = {
  // Its binaries are in the package. Without this npm runs node-gyp, which needs Python
  // (https://github.com/WiseLibs/better-sqlite3/issues/1516).
  'node_modules/better-sqlite3': { gypfile: false },
  // An optional dependency is installed only where its `engines` allow it.
  'node_modules/better-sqlite3-12': { engines: { node: '20.x' } },
};

/** What is wrong with the lock file, one sentence for each problem. */
export async function lockFileProblems(): Promise<string[]> {
  const text = await readFile(LOCK_FILE, 'utf8');
  // npm writes both files in these forms.
  const lockFile = JSON.parse(text) as LockFile;
  const { allowScripts } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8')) as {
    allowScripts: Record<string, boolean>;
  };
  const isAmended = text === amended(text);
  return [
    ...(isAmended ? [] : ['package-lock.json: npm has removed entries; npm run lock writes them again.']),
    ...Object.entries(lockFile.packages).flatMap(([path, entry]) => problemsOf(path, entry, Object.keys(allowScripts))),
  ];
}

function problemsOf(path: string, entry: Entry, reviewed: readonly string[]): string[] {
  const { name = path.replace(/^.*node_modules\//, ''), integrity = '', resolved, hasInstallScript, link } = entry;
  if (!path.includes('node_modules/') || link === true) return [];
  const isReviewed = hasInstallScript !== true || reviewed.includes(name);
  const problems = [
    integrity.startsWith('sha512-') ? '' : 'has no SHA-512',
    resolved === undefined ? '' : `comes from an address of its own: ${resolved}`,
    isReviewed ? '' : 'has an install script that allowScripts neither allows nor refuses',
  ];
  return problems.filter((text) => text !== '').map((text) => `package-lock.json: ${path} ${text}.`);
}

/** Adds the entries that npm has left out. */
export async function amendLockFile(): Promise<void> {
  await writeFile(LOCK_FILE, amended(await readFile(LOCK_FILE, 'utf8')));
}

/** @throws Error for an amended package that the lock file does not have any more. */
function amended(text: string): string {
  // npm has written it.
  const lockFile = JSON.parse(text) as LockFile;
  for (const [path, amendment] of Object.entries(AMENDMENTS)) {
    const entry = lockFile.packages[path];
    if (entry === undefined) throw new Error(`package-lock.json has no ${path}: remove it from AMENDMENTS.`);
    Object.assign(entry, amendment);
  }
  return `${JSON.stringify(lockFile, null, 2)}\n`;
}
