import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '../errors.ts';

/** Ids on the disk, in the order in which they came. */
export interface Spool {
  append(ids: readonly bigint[]): Promise<void>;
  /** Reads `count` ids from the one with this index on. */
  read(index: number, count: number): Promise<BigInt64Array>;
  /** Removes the spool. */
  close(): Promise<void>;
}

/** Bytes of an id. */
const ID_BYTES = 8;

/**
 * Opens an empty spool in the system's folder for temporary files, so that an input of any length takes little memory.
 * @throws OperatorError, as do its methods, when that folder does not take it.
 */
export async function openSpool(): Promise<Spool> {
  const folder = await explained(mkdtemp(join(tmpdir(), 'plant-store-import-')));
  const file = await explained(open(join(folder, 'ids'), 'w+'));
  return {
    append: (ids) => explained(file.appendFile(new Uint8Array(BigInt64Array.from(ids).buffer))),
    read: async (index, count) => {
      const ids = new BigInt64Array(count);
      await explained(file.read(new Uint8Array(ids.buffer), 0, ids.byteLength, index * ID_BYTES));
      return ids;
    },
    close: async () => {
      await file.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(
      `The import needs room in ${tmpdir()}: ${reason}. Make some, or name another folder in TMPDIR.`,
      { cause },
    );
  }
}
