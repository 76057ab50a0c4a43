import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from './service.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** A folder elsewhere, in which the package is installed as its users have it. */
export interface InstalledPackage {
  readonly folder: string;
  /** Runs a program such as npx in the folder. @throws Error with its output when it fails. */
  run(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  write(name: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Packs the built project and installs the package as `npm install` does, offline: the
 * dependencies that it declares are links to those of the project.
 */
export async function installPackage(): Promise<InstalledPackage> {
  const folder = await temporaryFolder();
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'plant-store');
  await mkdir(join(modules, '.bin'), { recursive: true });
  // It was built before the tests.
  await run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder], { cwd: PROJECT });
  const manifest = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')) as Manifest;
  const archive = join(folder, `plant-store-${manifest.version}.tgz`);
  await run('tar', ['-xzf', archive, '-C', modules]);
  await rename(join(modules, 'package'), installed);
  await rm(archive);
  for (const name of Object.keys(manifest.dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(PROJECT, 'node_modules', name), join(modules, name));
  }
  for (const [name, file] of Object.entries(manifest.bin)) {
    await chmod(join(installed, file), 0o755);
    await symlink(join('..', 'plant-store', file), join(modules, '.bin', name));
  }
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  await write('package.json', '{ "private": true, "type": "module" }\n');
  return {
    folder,
    write,
    run: async (program, args, env = {}) => {
      const { PATH = '', HOME = '' } = process.env;
      const options = { cwd: folder, env: { PATH, HOME, ...env }, timeout: 60_000 };
      const { stdout } = await run(program, args, options).catch((error: unknown) => {
        // Compilers say on standard output what is wrong.
        const { stdout: said = '', message } = error as { stdout?: string; message: string };
        throw new Error(`${message}\n${said}`);
      });
      return stdout;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** What is read of package.json. */
interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
}
