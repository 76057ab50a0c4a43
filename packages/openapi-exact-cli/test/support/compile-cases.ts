import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatOption, generateFiles } from 'openapi-exact-cli';
import { startProcess } from 'test-support/process.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc');

/** A contract, and a program that is compiled with its generated files. */
export interface CompiledCase {
  /** The text of the contract. */
  readonly contract: string;
  /** As `--format` takes them. */
  readonly formats?: readonly string[];
  readonly program: string;
}

/** What came of a case. */
export interface Compiled {
  /** The messages of the compiler. */
  readonly errors: readonly string[];
  /** The text of the generated `shapes.ts`. */
  readonly shapes: string;
}

/** Generates the files of contracts, and compiles all with their programs in one run. */
export async function compileCases<Name extends string>(
  cases: Readonly<Record<Name, CompiledCase>>,
): Promise<Readonly<Record<Name, Compiled>>> {
  return inTemporaryFolder('compiled', async (folder) => {
    // Safe: Object.keys of a record with these names alone.
    const names = Object.keys(cases) as Name[];
    for (const name of names) await writeCase(join(folder, name), cases[name]);
    const lines = await compilerLines(folder);
    const isOf = (line: string, name: string): boolean => line.startsWith(`${name}/`);
    const stray = lines.filter((line) => !names.some((name) => isOf(line, name)));
    if (stray.length > 0) throw new Error(stray.join('\n'));
    const compiled = await Promise.all(
      names.map(async (name): Promise<[Name, Compiled]> => {
        const shapes = await readFile(join(folder, name, 'shapes.ts'), 'utf8');
        return [name, { errors: lines.filter((line) => isOf(line, name)), shapes }];
      }),
    );
    // Safe: each name was compiled.
    return Object.fromEntries(compiled) as Record<Name, Compiled>;
  });
}

async function writeCase(folder: string, { contract, formats = [], program }: CompiledCase): Promise<void> {
  await mkdir(folder);
  const file = join(folder, 'openapi.yaml');
  await writeFile(file, contract);
  const options = { contract: file, out: folder, check: false, formats: formats.map(formatOption) };
  const { errors } = await generateFiles(options);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  await writeFile(join(folder, 'program.ts'), program);
}

/** The messages of the compiler for the files in the folders of a folder. */
async function compilerLines(folder: string): Promise<readonly string[]> {
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const compilerOptions = { typeRoots: [join(ROOT, 'node_modules/@types')] };
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*/*.ts'], exclude: [] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = [TSC, '-p', folder, '--singleThreaded', '--pretty', 'false'];
  const { stdout } = await startProcess(process.execPath, compiler, { cwd: folder }).ended;
  // What belongs to a message is indented.
  return stdout.split('\n').filter((line) => /^\S/.test(line));
}
