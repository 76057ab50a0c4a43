import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, OperatorError } from '../errors.ts';

/** Ids on disk, in input order. */
export interface Spool {
  append(ids: readonly bigint[]): Promise<void>;
  /** Reads `count` ids, beginning at this index. */
  spooledIds(index: number, count: number): Promise<BigInt64Array>;
  /** Deletes the spool. */
  close(): Promise<void>;
}

/** Bytes per id. */
const ID_BYTES = 8;

/**
 * Opens an empty spool in the system's temporary folder, so that long input needs little memory.
 * @throws OperatorError, as do its methods, when the folder is not writable.
 */
export async function openSpool(): Promise<Spool> {
  const folder = await explained(mkdtemp(join(tmpdir(), 'plant-store-import-')));
  const file = await explained(open(join(folder, 'ids'), 'w+'));
  // An unlinked file disappears with its process. Windows cannot unlink an open file.
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  if (process.platform !== 'win32') await remove();
  return {
    append: (ids) => explained(file.appendFile(new Uint8Array(BigInt64Array.from(ids).buffer))),
    spooledIds: async (index, count) => {
      const ids = new BigInt64Array(count);
      const { bytesRead } = await explained(file.read(new Uint8Array(ids.buffer), 0, ids.byteLength, index * ID_BYTES));
      if (bytesRead !== ids.byteLength)
        throw new OperatorError(`The spool in ${tmpdir()} was cut short: import again.`);
      return ids;
    },
    close: async () => {
      await file.close();
      await remove();
    },
  };
}

async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new OperatorError(
      `The import needs room in ${tmpdir()}: ${messageOf(cause)}. Make some, or name another folder in TMPDIR.`,
      { cause },
    );
  }
}
