import { cp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = [
  ...['README.md', 'openapi.yaml', 'package.json', 'package-lock.json', 'redocly.yaml'],
  ...['.redocly.lint-ignore.yaml', 'tsconfig.json', 'tsconfig.build.json', 'src', 'generated', 'docs'],
  ...['scripts', 'test'],
];

/** Dependencies are linked, not copied; those of the benchmarks are large. */
const COPY = { recursive: true, filter: (path: string) => basename(path) !== 'node_modules' };

/** A copy of the project in which a test may edit what it likes. */
export interface ScratchCopy {
  readonly folder: string;
  /** Replaces text in a file of the copy; fails when the text is not there. */
  edit(path: string, from: string, to: string): Promise<void>;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  /** The project's files that were changed, added or removed since the copy was made. */
  changes(): Promise<string[]>;
  /** Runs a script of the copy, such as scripts/generate.ts. */
  run(script: string, ...args: string[]): Promise<Output>;
  /** Runs the compiler, which remembers what it has compiled. */
  compile(...args: string[]): Promise<Output>;
  /**
   * `npm run test:contract` with these test files only, such as `contract/scopes`. They run as one
   * file, which loads the service once.
   */
  testContract(tests: readonly string[]): Promise<Output>;
}

/** How a program ended, and what it wrote. */
interface Output {
  readonly code: number | null;
  readonly output: string;
}

/** Copies the project into a temporary folder, which the test removes. */
export async function scratchCopy(): Promise<ScratchCopy> {
  const folder = await temporaryFolder();
  await Promise.all(SOURCES.map((path) => cp(join(PROJECT, path), join(folder, path), COPY)));
  const original = await sourcesIn(folder);
  for (const path of ['node_modules', 'scripts/generate/node_modules']) {
    await symlink(join(PROJECT, path), join(folder, path));
  }
  const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  const write = (path: string, text: string): Promise<void> => writeFile(join(folder, path), text);
  const start = async (command: string, ...args: readonly string[]): Promise<Output> => {
    const { code, stdout, stderr } = await startProcess(command, args, { cwd: folder }).ended;
    return { code, output: stderr + stdout };
  };
  const run: ScratchCopy['run'] = (...args) => start(process.execPath, '--import', 'tsx', ...args);
  const remembering = ['--singleThreaded', '--incremental', '--tsBuildInfoFile', join(folder, 'compiled')];
  return {
    folder,
    read,
    write,
    run,
    compile: (...args) => start(join(folder, 'node_modules/.bin/tsc'), ...remembering, ...args),
    testContract: async (tests) => {
      const file = 'test/together.test.ts';
      await write(file, tests.map((path) => `import './${path}.test.ts';\n`).join(''));
      const outcome = await run('scripts/test-contract.ts', file);
      await rm(join(folder, file));
      return outcome;
    },
    edit: async (path, from, to) => {
      const text = await read(path);
      if (!text.includes(from)) throw new Error(`${path} does not contain: ${from}`);
      await write(
        path,
        text.replace(from, () => to),
      );
    },
    changes: async () => {
      const now = await sourcesIn(folder);
      const paths = new Set([...original.keys(), ...now.keys()]);
      return [...paths].filter((path) => original.get(path) !== now.get(path)).sort();
    },
  };
}

/** The texts of the project's files in a folder, by path, without files that programs add. */
async function sourcesIn(folder: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    const folders = path.split(sep);
    // Node.js 26 follows the links.
    if (!entry.isFile() || folders.includes('node_modules')) continue;
    if (SOURCES.includes(folders[0] ?? '')) texts.set(path, await readFile(join(folder, path), 'utf8'));
  }
  return texts;
}
