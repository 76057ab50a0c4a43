import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from 'test-support/process.ts';
import { temporaryFolder } from 'test-support/temporary-folder.ts';
import { UNUSED_SCHEMA } from './unused-schema.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = [
  ...['README.md', 'openapi.yaml', 'package.json', 'package-lock.json', 'redocly.yaml'],
  ...['.redocly.lint-ignore.yaml', 'tsconfig.json', 'tsconfig.build.json', 'src', 'generated', 'docs'],
  ...['packages', 'scripts', 'test'],
];

/** Dependencies are linked, not copied, and nothing that was built. */
const COPY = { recursive: true, filter: (path: string) => !['node_modules', 'dist'].includes(basename(path)) };

/** How a program ended, and what it wrote. */
interface Output {
  readonly code: number | null;
  readonly output: string;
}

/** A copy of the project in which a test may edit what it likes. */
export class ScratchCopy {
  readonly folder: string;
  readonly #original: ReadonlyMap<string, string>;

  constructor(folder: string, original: ReadonlyMap<string, string>) {
    this.folder = folder;
    this.#original = original;
  }

  read(path: string): Promise<string> {
    return readFile(join(this.folder, path), 'utf8');
  }

  /** Replaces a file as editors do: no reader sees a part of it. */
  async write(path: string, text: string): Promise<void> {
    const file = join(this.folder, path);
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  }

  /** Replaces text in a file of the copy; fails when the text is not there. */
  async edit(path: string, from: string, to: string): Promise<void> {
    const text = await this.read(path);
    if (!text.includes(from)) throw new Error(`${path} does not contain: ${from}`);
    const changed = text.replace(from, () => to);
    await this.write(path, changed);
  }

  /** The project's files that were changed, added or removed since the copy was made. */
  async changes(): Promise<string[]> {
    const now = await sourcesIn(this.folder);
    const paths = new Set([...this.#original.keys(), ...now.keys()]);
    return [...paths].filter((path) => this.#original.get(path) !== now.get(path)).sort();
  }

  /** Runs a script of the copy, such as scripts/generate.ts. */
  run(script: string, ...args: string[]): Promise<Output> {
    return this.#start(process.execPath, '--require', UNUSED_SCHEMA, '--import', 'tsx', script, ...args);
  }

  /** Runs the compiler, which remembers what it has compiled. */
  compile(...args: string[]): Promise<Output> {
    const remembering = ['--singleThreaded', '--incremental', '--tsBuildInfoFile', join(this.folder, 'compiled')];
    const compiler = join(this.folder, 'node_modules/typescript-7/bin/tsc');
    return this.#start(process.execPath, compiler, ...remembering, ...args);
  }

  /**
   * `npm run test:contract` with these test files only, such as `contract/scopes`. One file loads
   * them all, and so the service once. It loads one after another: side by side, the store of one
   * refuses what has waited too long for the others.
   */
  async testContract(tests: readonly string[]): Promise<Output> {
    const file = 'test/together.test.ts';
    await this.write(file, tests.map((path) => `await import('./${path}.test.ts');\n`).join(''));
    const outcome = await this.run('scripts/test-contract.ts', file);
    await rm(join(this.folder, file));
    return outcome;
  }

  async #start(command: string, ...args: readonly string[]): Promise<Output> {
    const { code, stdout, stderr } = await startProcess(command, args, { cwd: this.folder }).ended;
    return { code, output: stderr + stdout };
  }
}

/** Copies the project into a temporary folder, which the test removes. */
export async function scratchCopy(): Promise<ScratchCopy> {
  const folder = await temporaryFolder();
  await Promise.all(SOURCES.map((path) => cp(join(PROJECT, path), join(folder, path), COPY)));
  const original = await sourcesIn(folder);
  for (const path of ['node_modules', 'packages/openapi-exact/node_modules']) {
    if (existsSync(join(PROJECT, path))) await symlink(join(PROJECT, path), join(folder, path));
  }
  return new ScratchCopy(folder, original);
}

/** The texts of the project's files in a folder, by path, without files that programs add. */
async function sourcesIn(folder: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    const folders = path.split(sep);
    // Node.js 26 follows the links.
    if (!entry.isFile() || folders.includes('node_modules') || folders.includes('dist')) continue;
    if (SOURCES.includes(folders[0] ?? '')) texts.set(path, await readFile(join(folder, path), 'utf8'));
  }
  return texts;
}
