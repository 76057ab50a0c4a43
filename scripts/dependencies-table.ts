/**
 * `npx tsx scripts/dependencies-table.ts`: what README.md's table of dependencies says of each, measured: the locked version, the
 * licence, the size of the installed package without what it depends on, and when its newest version was published, which the registry tells.
 * Mirrors of the registry may tell the day on which they copied it: compare an old package's with its repository before it is written down.
 * Whoever adds or updates a dependency copies its row and writes the reasons.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

/** The parts of a package.json that are read; npm has checked its form. */
interface Manifest {
  readonly version: string;
  readonly license?: string;
  /** Its form before npm 2. */
  readonly licenses?: readonly { readonly type: string }[];
  readonly dependencies: Readonly<Record<string, string>>;
}

async function manifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Bytes of all files of a package; packages within it are others. */
async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const own = files.filter(
    (file) => file.isFile() && !join(file.parentPath, '/').includes(join(folder, 'node_modules', '/')),
  );
  const sizes = await Promise.all(own.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The day on which the newest version was published. */
async function lastRelease(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['view', name, 'dist-tags.latest', 'time', '--json'], {
    cwd: PROJECT,
  });
  // The registry's own form: https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md
  const { 'dist-tags.latest': latest, time } = JSON.parse(stdout) as {
    'dist-tags.latest': string;
    time: Readonly<Record<string, string>>;
  };
  return time[latest]?.slice(0, 10) ?? 'unknown';
}

const { dependencies } = await manifest(PROJECT);
for (const name of Object.keys(dependencies)) {
  const folder = join(PROJECT, 'node_modules', name);
  const { version, license, licenses = [] } = await manifest(folder);
  const size = Math.ceil((await sizeOf(folder)) / 1000);
  console.log(
    `| ${name} | ${version} | ${license ?? licenses.map(({ type }) => type).join(' or ')} | ${size} kB | ${await lastRelease(name)} |`,
  );
}
