import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf, OperatorError } from '../errors.ts';
import type { PlantStore } from '../plants/plant-store.ts';
import { InvalidLines } from './invalid-lines.ts';
import { showProgress, type ProgressTerminal } from './progress.ts';
import { readIds } from './read-ids.ts';
import { openSpool, type Spool } from './spool.ts';

/** The result of an import. */
export interface Imported {
  readonly imported: number;
  /** Ids that were already in the store, or repeated in the input. */
  readonly present: number;
  readonly invalid: number;
}

/** The stores that an import needs. */
interface ImportStores {
  readonly plants: PlantStore;
  /** The part of a distributed store that holds a plant: a transaction adds to one part only. */
  readonly partOf?: ((id: bigint) => number) | undefined;
}

/** How an import is done. */
interface ImportOptions {
  readonly skipInvalid: boolean;
  /** Receives the lines that are skipped, and how much was done before a failure. */
  readonly report: (line: string) => void;
  readonly terminal: ProgressTerminal | undefined;
}

/** Rows per transaction: a running server waits for the lock during one transaction at most. */
const TRANSACTION_ROWS = 8_000;
/** Ids sorted together, of 8 bytes each. Neighbouring ids share pages, which reduces writes. */
const SORTED_IDS = 1_000_000;

/**
 * Imports ids from a file or standard input ('-'), after a check of the whole input, in short
 * transactions that let a running server continue.
 * @param open opens the stores, after the check.
 * @throws OperatorError, without an import, when the input is unreadable or has invalid lines.
 */
export async function importPlants(
  open: () => Promise<ImportStores>,
  file: string,
  options: ImportOptions,
): Promise<Imported> {
  const spool = await openSpool();
  try {
    const { ids, problems } = await fillSpool(spool, file, options.terminal);
    const invalid = problems.count;
    if (invalid > 0 && !options.skipInvalid) {
      throw new OperatorError(
        `Nothing was imported: ${problems.messages().join('; ')}. ${problems.advice()} Correct the input, or import the rest with --skip-invalid.`,
      );
    }
    for (const problem of problems.messages()) options.report(`skipped: ${problem}`);
    const imported = await insertFromSpool(spool, ids, await open(), options);
    return { imported, present: ids - imported, invalid };
  } finally {
    await spool.close();
  }
}

async function fillSpool(
  spool: Spool,
  file: string,
  terminal: ProgressTerminal | undefined,
): Promise<{ ids: number; problems: InvalidLines }> {
  const size = file === '-' ? undefined : await fileSize(file);
  const progress = showProgress(terminal, 'reading', size);
  const problems = new InvalidLines();
  let ids = 0;
  try {
    for await (const lines of readIds(input(file, progress.advance))) {
      const found: bigint[] = [];
      for (const line of lines) {
        if ('id' in line) found.push(line.id);
        else problems.noteLine(line);
      }
      ids += found.length;
      await spool.append(found);
    }
  } finally {
    progress.end();
  }
  return { ids, problems };
}

async function insertFromSpool(
  spool: Spool,
  ids: number,
  { plants, partOf }: ImportStores,
  { report, terminal }: ImportOptions,
): Promise<number> {
  const progress = showProgress(terminal, 'importing', ids);
  let imported = 0;
  let done = 0;
  try {
    for (let from = 0; from < ids; from += SORTED_IDS) {
      const sorted = (await spool.spooledIds(from, Math.min(SORTED_IDS, ids - from))).sort();
      for (const batch of transactionsOf(sorted, partOf)) {
        imported += await plants.insertPlants(batch);
        done += batch.length;
        progress.advance(batch.length);
        // SQLite's lock has no queue: without a pause, a server in another process rarely gets it.
        await pause(1);
      }
    }
  } catch (error) {
    report(`${done} of ${ids} ids were imported before the import failed. It is safe to import them all again.`);
    throw error;
  } finally {
    progress.end();
  }
  return imported;
}

/** The ids of each transaction, in their order within a part. */
function* transactionsOf(ids: BigInt64Array, partOf: ImportStores['partOf'] = () => 0): Generator<bigint[]> {
  const batches = new Map<number, bigint[]>();
  for (const id of ids) {
    const part = partOf(id);
    const batch = batches.get(part) ?? [];
    if (batch.push(id) === 1) batches.set(part, batch);
    if (batch.length < TRANSACTION_ROWS) continue;
    yield batch;
    batches.delete(part);
  }
  yield* batches.values();
}

async function fileSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

async function* input(file: string, advance: (bytes: number) => void): AsyncGenerator<string> {
  const stream = file === '-' ? process.stdin.setEncoding('utf8') : createReadStream(file, 'utf8');
  try {
    // Both streams have an encoding, so their chunks are strings.
    for await (const chunk of stream as AsyncIterable<string>) {
      advance(Buffer.byteLength(chunk));
      yield chunk;
    }
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): OperatorError {
  const name = file === '-' ? 'Standard input' : `The file ${file}`;
  return new OperatorError(`${name} cannot be read: ${messageOf(cause)}`, { cause });
}
