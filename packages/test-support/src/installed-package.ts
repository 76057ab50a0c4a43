import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const execute = promisify(execFile);

/** A folder outside the project in which a package is installed as its users have it. */
class InstalledPackage {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.folder, name), text);
  }

  /** Runs a program such as npx in the folder. @throws Error with its output when it fails. */
  async run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { PATH = '', HOME = '' } = process.env;
    const options = { cwd: this.folder, env: { PATH, HOME, ...env }, timeout: 300_000 };
    const { stdout } = await execute(program, args, options).catch((error: unknown) => {
      // Compilers say on standard output what is wrong.
      const { stdout: said = '', message } = error as { stdout?: string; message: string };
      throw new Error(`${message}\n${said}`);
    });
    return stdout;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}

/** The parts of a package.json that are read; npm has checked their form. */
interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/**
 * Packs built packages and installs them as `npm install` does, offline: the dependencies that they
 * declare, and others that their user has, are links to those of the project.
 * @param sources the folders of the packages in the project.
 */
async function install(sources: readonly string[], others: readonly string[]): Promise<InstalledPackage> {
  const folder = await temporaryFolder();
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '.bin'), { recursive: true });
  const manifests: Manifest[] = [];
  for (const archive of await pack(folder, ...sources)) {
    await execute('tar', ['-xzf', join(folder, archive), '-C', modules]);
    const manifest = JSON.parse(await readFile(join(modules, 'package/package.json'), 'utf8')) as Manifest;
    await rename(join(modules, 'package'), join(modules, manifest.name));
    manifests.push(manifest);
  }
  const installed = manifests.map(({ name }) => name);
  const needed = manifests.flatMap((manifest) =>
    Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
  );
  for (const dependency of new Set([...needed, ...others])) {
    if (installed.includes(dependency)) continue;
    await mkdir(dirname(join(modules, dependency)), { recursive: true });
    await symlink(join(PROJECT, 'node_modules', dependency), join(modules, dependency));
  }
  for (const { name, bin = {} } of manifests) {
    for (const [command, file] of Object.entries(bin)) {
      await chmod(join(modules, name, file), 0o755);
      await symlink(join('..', name, file), join(modules, '.bin', command));
    }
  }
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  return new InstalledPackage(folder);
}

export function installService(): Promise<InstalledPackage> {
  return install(['.'], []);
}

/** openapi-exact-reference beside Express and the types of Node.js. */
export function installReference(): Promise<InstalledPackage> {
  return install(['./packages/openapi-exact-reference'], ['express', '@types/node']);
}

/** Programs that a user of openapi-exact has, and where they are in the project. */
const PROGRAMS = { tsc: 'typescript-7/bin/tsc', tsx: 'tsx/dist/cli.mjs', jest: 'jest/bin/jest.js' };

/** Installs openapi-exact and its command line beside what their users have: Express and types. */
export async function installLibrary(): Promise<InstalledPackage> {
  const others = ['express', '@types/node', '@types/express', 'tsx'];
  const installed = await install(['./packages/openapi-exact', './packages/openapi-exact-cli'], others);
  for (const [name, file] of Object.entries(PROGRAMS))
    await symlink(join(PROJECT, 'node_modules', file), join(installed.folder, 'node_modules/.bin', name));
  return installed;
}

/** The only packages that may come with the client. */
const CLIENT_DEPENDENCIES = ['lossless-json'];

/**
 * Packs the built client and installs the archive with `npm install --offline`. Dependencies other
 * than {@link CLIENT_DEPENDENCIES} fail, because npm's cache is empty.
 */
export async function installClient(): Promise<InstalledPackage> {
  const folder = await temporaryFolder();
  const dependencies = CLIENT_DEPENDENCIES.map((name) => `./node_modules/${name}`);
  const [archive, ...archives] = await pack(folder, './packages/plant-store-client', ...dependencies);
  const manifest = {
    private: true,
    type: 'module',
    dependencies: { 'plant-store-client': `file:${archive}` },
    overrides: Object.fromEntries(CLIENT_DEPENDENCIES.map((name, index) => [name, `file:${archives[index]}`])),
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const offline = ['--offline', '--ignore-scripts', '--cache', join(folder, 'cache')];
  await execute('npm', ['install', ...offline, ...quiet], { cwd: folder });
  return new InstalledPackage(folder);
}

/** Packs what was built before the tests. @returns the names of the archives. */
async function pack(folder: string, ...args: readonly string[]): Promise<string[]> {
  const options = ['--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  const { stdout } = await execute('npm', ['pack', ...options, ...args], { cwd: PROJECT });
  return stdout.trim().split('\n');
}
