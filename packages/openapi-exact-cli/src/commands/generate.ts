import {
  COMPILED_AT_START,
  ConfigurationError,
  displayName,
  messageOf,
  problemLine,
  schemasOfDocument,
  unknownFormat,
  type Contract,
} from 'openapi-exact/contract';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { clientShapes } from '../generate/client-shapes.ts';
import { contractTypes } from '../generate/contract-types.ts';
import { formatArgument, type FormatOption } from '../generate/format-option.ts';
import { reviewContract } from '../lint/review.ts';
import { contractFile } from './contract-file.ts';

/** The generators, by the names of their files. */
const GENERATED: Readonly<
  Record<string, (contract: Contract, formats: readonly FormatOption[]) => string | Promise<string>>
> = {
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
  /** Formats with types of their own, as `--format` has them; none by default. */
  readonly formats?: readonly FormatOption[] | undefined;
}

/** The result of {@link generateFiles}. */
export interface Generated {
  /** Why the contract cannot be served, a line each. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The files that were stale. They are written now, unless there are errors, or with `check`. */
  readonly stale: readonly string[];
  /** The files of the contract. */
  readonly files: readonly string[];
}

/**
 * Writes the files that are stale. Errors and warnings go to standard error.
 * @returns whether it is done, which is false for a contract that cannot be served, and for stale
 * files with `check`; and the files of the contract.
 */
export async function generate(options: GenerateOptions): Promise<{ isDone: boolean; files: readonly string[] }> {
  const { contract: from, out, check, formats = [] } = options;
  const { errors, warnings, stale, files } = await generateFiles(options);
  for (const line of [...errors, ...warnings]) console.error(line);
  if (errors.length > 0) return { isDone: false, files };
  if (check) {
    for (const name of stale)
      console.error(
        `${name} is stale: run \`openapi-exact generate ${from} --out ${out}${formats.map(formatArgument).join('')}\`.`,
      );
    return { isDone: stale.length === 0, files };
  }
  for (const name of stale) console.log(`Wrote ${name}`);
  if (stale.length === 0) console.log(`Up to date: ${Object.keys(GENERATED).join(', ')} in ${out}`);
  return { isDone: true, files };
}

/**
 * Generates and prints nothing. The schemas of a large contract are left to `check`, since to
 * compile them takes longer than all else.
 * @throws ConfigurationError when the contract cannot be read or does not have a format, or when
 * the folder cannot be written.
 */
export async function generateFiles({ contract: name, out, check, formats = [] }: GenerateOptions): Promise<Generated> {
  const review = await reviewContract(contractFile(name), COMPILED_AT_START);
  const { contract, files } = review;
  const [errors, warnings] = [review.errors.map(problemLine), review.warnings.map(problemLine)];
  if (contract === undefined) return { errors, warnings, stale: [], files };
  requireFormats(contract, formats);
  const stale = await staleFiles(contract, out, formats);
  if (!check) await writeFiles(stale, out);
  return { errors, warnings, stale: stale.map(({ path }) => displayName(resolve(path))), files };
}

/** @throws ConfigurationError for a format without a place: its name may be misspelt. */
function requireFormats({ document }: Contract, formats: readonly FormatOption[]): void {
  const names = formats.map(({ name }) => name);
  const unknown = unknownFormat('--format names', names, names.length === 0 ? [] : schemasOfDocument(document));
  if (unknown !== undefined) throw new ConfigurationError(unknown);
}

async function writeFiles(stale: readonly { path: string; text: string }[], out: string): Promise<void> {
  try {
    await mkdir(out, { recursive: true });
    for (const { path, text } of stale) {
      // A reader sees the old file or the new one, never a part.
      await writeFile(`${path}.draft`, text);
      await rename(`${path}.draft`, path);
    }
  } catch (cause) {
    const message = `The folder ${out} cannot be written: ${messageOf(cause)}. Name another with --out.`;
    throw new ConfigurationError(message, { cause });
  }
}

/** One after another: what one file is made of need not be in memory beside that of the next. */
async function staleFiles(
  contract: Contract,
  out: string,
  formats: readonly FormatOption[],
): Promise<readonly { path: string; text: string }[]> {
  const stale: { path: string; text: string }[] = [];
  for (const [name, make] of Object.entries(GENERATED)) {
    const path = join(out, name);
    const current = await readFile(path, 'utf8').catch(() => undefined);
    const text = await make(contract, formats);
    if (text !== current) stale.push({ path, text });
  }
  return stale;
}
