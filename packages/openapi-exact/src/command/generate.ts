import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract } from '../document/load.ts';
import { displayName } from '../document/sources.ts';
import { clientShapes } from '../generate/client-shapes.ts';
import { contractTypes } from '../generate/types.ts';
import { COMPILED_AT_START } from '../prepare.ts';
import { reviewContract } from '../review.ts';

/** What is generated from a contract, by the name of its file. */
const GENERATED: Readonly<Record<string, (contract: Contract) => string | Promise<string>>> = {
  'openapi.d.ts': contractTypes,
  'shapes.ts': clientShapes,
};

/** Options of {@link generate}. */
export interface GenerateOptions {
  readonly contract: string;
  /** The folder that the files are written to. */
  readonly out: string;
  /** Whether stale files are named, and not written. */
  readonly check: boolean;
}

/** The result of {@link generate}. */
export interface Generated {
  /** False for a contract that cannot be served, and for stale files with `check`. */
  readonly isDone: boolean;
  /** The files of the contract. */
  readonly files: readonly string[];
}

/**
 * Writes the files that are stale. Errors and warnings go to standard error. The schemas of a large
 * contract are left to `check`, since to compile them takes longer than all else.
 */
export async function generate(options: GenerateOptions): Promise<Generated> {
  const { contract, errors, warnings, files } = await reviewContract(
    pathToFileURL(options.contract),
    COMPILED_AT_START,
  );
  for (const line of [...errors, ...warnings]) console.error(line);
  if (contract === undefined) return { isDone: false, files };
  const stale = await staleFiles(contract, options.out);
  const names = stale.map(({ path }) => displayName(resolve(path)));
  if (options.check) {
    const { contract: from, out } = options;
    for (const name of names) console.error(`${name} is stale: run \`openapi-exact generate ${from} --out ${out}\`.`);
    return { isDone: stale.length === 0, files };
  }
  await mkdir(options.out, { recursive: true });
  for (const { path, text } of stale) {
    // A reader sees the old file or the new one, never a part.
    await writeFile(`${path}.draft`, text);
    await rename(`${path}.draft`, path);
  }
  for (const name of names) console.log(`Wrote ${name}`);
  if (stale.length === 0) console.log(`Up to date: ${Object.keys(GENERATED).join(', ')} in ${options.out}`);
  return { isDone: true, files };
}

/** One after another: what one file is made of need not be in memory beside that of the next. */
async function staleFiles(contract: Contract, out: string): Promise<readonly { path: string; text: string }[]> {
  const stale: { path: string; text: string }[] = [];
  for (const [name, make] of Object.entries(GENERATED)) {
    const path = join(out, name);
    const current = await readFile(path, 'utf8').catch(() => undefined);
    const text = await make(contract);
    if (text !== current) stale.push({ path, text });
  }
  return stale;
}
