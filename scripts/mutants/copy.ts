import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the project. */
export const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** What compiler, generator and tests need. */
const SOURCES = [
  ...['openapi.yaml', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'README.md'],
  ...['src', 'generated', 'docs', 'scripts', 'test'],
];

/** Runs with a copy of the project in a temporary folder, which is removed afterwards. */
export async function withCopy<T>(work: (folder: string) => Promise<T>): Promise<T> {
  // What the programs in it say of their files is the real path, also where the temporary folder is a link.
  const parent = await mkdtemp(join(await realpath(tmpdir()), 'plant-store-mutants-'));
  // A server of PostgreSQL, which does not run as root, has its files in there.
  await chmod(parent, 0o711);
  const folder = join(parent, 'project');
  try {
    for (const source of SOURCES) {
      // The benchmarks have dependencies of their own, which nothing else needs.
      const filter = (path: string): boolean => basename(path) !== 'node_modules';
      await cp(join(PROJECT, source), join(folder, source), { recursive: true, filter });
    }
    await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
    await mkdir(temporary(folder));
    return await work(folder);
  } finally {
    await rm(parent, { recursive: true, maxRetries: 3 });
  }
}

/** The folder for what the programs in a copy leave behind: beside it, and removed with it. */
export function temporary(folder: string): string {
  return join(folder, '..', 'temporary');
}
