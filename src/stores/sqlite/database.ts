import Database from 'better-sqlite3';
import { existsSync, realpathSync, statSync, type Stats } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, messageOf, OperatorError, StoreError } from '../../errors.ts';
import { createPrivateFile } from './file-modes.ts';
import { explainOpening, requireSqliteFile } from './file.ts';
import { migrate, requireKnownSchema, schemaVersion } from './migrations.ts';

/** The pages of a new file, in bytes. A delete writes its whole page: with the usual 4,096, deletes from all over 10 million plants took twice as long. */
const PAGE_SIZE = 512;
/** How much of the file is kept in memory, in KiB. Twice of it, as better-sqlite3 has it, is no faster (`npm run bench -- --only plants,import`). */
const CACHE_SIZE = 8_000;
/**
 * How much the WAL may hold until it is written into the file, in bytes; twice of what SQLite does with pages of the usual size. The more, the less is written
 * for deletes from all over the file, and the longer everybody waits meanwhile (some 0.1 s with this).
 */
const CHECKPOINT_SIZE = 8_192_000;

/** How long opening waits for another process that holds the file, in milliseconds. */
const OPEN_TIMEOUT = 5_000;
/** How long a transaction waits for another process that holds the lock, in milliseconds. */
export const BUSY_TIMEOUT = 5_000;

/** An open database with one way to write. */
export interface SqliteDatabase {
  readonly connection: Database.Database;
  /** True when this opening created the schema. */
  readonly created: boolean;
  /** Resolves when the outcome of a commit is unknown; nothing is written from then on. */
  readonly failed: Promise<StoreError>;
  /**
   * Runs `work` in one transaction that is durable when the promise resolves. While another process holds the lock it tries
   * again without blocking the event loop.
   * @throws StoreError when it was rolled back, or its outcome is unknown.
   */
  readonly transaction: <T>(work: () => T) => Promise<T>;
  /** Rejects with a StoreError while transactions would fail. */
  readonly check: () => Promise<void>;
  /** Writes what is in the WAL into the file itself, and closes it. */
  readonly close: () => void;
}

/**
 * Opens a SQLite file, creates it where there is none, and brings its schema up to date.
 * @param seed fills a database that was just created, in the same transaction: it is there with its content or not at all.
 * @throws OperatorError with one line that names the file, which is then as it was.
 */
export function openDatabase(file: string, seed?: (connection: Database.Database) => void): SqliteDatabase {
  let connection: Database.Database | undefined;
  try {
    if (existsSync(file)) requireSqliteFile(file);
    else createPrivateFile(file);
    connection = new Database(file, { timeout: OPEN_TIMEOUT });
    connection.defaultSafeIntegers(true);
    requireKnownSchema(connection, file);
    // Has no effect on a file that has pages already.
    connection.pragma(`page_size = ${PAGE_SIZE}`);
    connection.pragma(`cache_size = -${CACHE_SIZE}`);
    connection.pragma('journal_mode = WAL');
    connection.pragma(
      `wal_autocheckpoint = ${String(CHECKPOINT_SIZE / Number(connection.pragma('page_size', { simple: true })))}`,
    );
    const created = migrate(connection, seed);
    // WAL makes better-sqlite3 start at NORMAL, with which a power cut loses commits (https://sqlite.org/pragma.html#pragma_synchronous).
    connection.pragma('synchronous = FULL');
    if (connection.pragma('synchronous', { simple: true }) !== 2n) throw new Error('synchronous=FULL was refused');
    connection.pragma('busy_timeout = 0');
    return database(connection, file, created);
  } catch (error) {
    connection?.close();
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The database ${file} cannot be opened: ${explainOpening(error)}`, { cause: error });
  }
}

function database(connection: Database.Database, file: string, created: boolean): SqliteDatabase {
  // Prepared once: `connection.transaction` cannot be told apart from a failed COMMIT.
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const rollback = connection.prepare('ROLLBACK');

  // With its write-ahead log and the log's index, which exist as long as this connection does (https://sqlite.org/walformat.html), beside the file that a
  // symbolic link leads to.
  const real = realpathSync(file);
  const files = [file, `${real}-wal`, `${real}-shm`].map((name) => ({ name, known: identify(name) }));
  /** What made the outcome of a commit unknown: nothing is written after it. */
  let failure: StoreError | undefined;
  /** Whether the last transaction failed. */
  let isFailing = false;
  /** What showed that the file is damaged, which it stays: other pages may still be read and written. */
  let damage: StoreError | undefined;
  let fail: (error: StoreError) => void = () => undefined;
  const failed = new Promise<StoreError>((resolve) => {
    fail = resolve;
  });

  /** A file that was removed or replaced still takes commits here, and nobody will ever find them. */
  function requireSameFile(): void {
    for (const { name, known } of files) {
      const now = identify(name);
      if (known === undefined || (now?.dev === known.dev && now.ino === known.ino)) continue;
      throw new StoreError(`The database ${name} was removed or replaced: restart the service.`, 'nothing done');
    }
  }

  function attempt<T>(work: () => T): T {
    if (failure !== undefined) throw failure;
    requireSameFile();
    begin.run();
    try {
      const result = work();
      commit.run();
      return result;
    } finally {
      if (connection.inTransaction) rollback.run();
    }
  }

  async function transaction<T>(work: () => T): Promise<T> {
    const deadline = performance.now() + BUSY_TIMEOUT;
    for (;;) {
      try {
        const result = attempt(work);
        isFailing = false;
        return result;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw asFailure(error);
        // Often, because the lock has no queue: whoever asks while it is free gets it.
        await pause(1);
      }
    }
  }

  async function check(): Promise<void> {
    try {
      const lasting = failure ?? damage;
      if (lasting !== undefined) throw lasting;
      requireSameFile();
      // Whether there is room again only a write can tell: one that changes nothing.
      if (isFailing) attempt(() => connection.pragma(`user_version = ${String(schemaVersion(connection))}`));
      else await read(() => connection.pragma('user_version'));
      isFailing = false;
    } catch (error) {
      throw asFailure(error);
    }
  }

  function asFailure(error: unknown): unknown {
    isFailing = true;
    const known = asStoreError(error);
    if (known instanceof StoreError && codeOf(error).startsWith('SQLITE_CORRUPT')) damage ??= known;
    if (known instanceof StoreError && known.outcome === 'unknown' && failure === undefined) {
      failure = new StoreError(known.message, 'nothing done', { cause: error });
      fail(known);
    }
    return known;
  }

  function close(): void {
    try {
      if (connection.open && failure === undefined) connection.pragma('wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // What stays in the WAL is durable there: whoever opens the file next finds it.
      if (!isSqliteError(error)) throw error;
    } finally {
      connection.close();
    }
  }

  return { connection, created, failed, transaction, check, close };
}

/** Runs a read, which in WAL mode never waits for a writer. It rejects with a StoreError. */
export function read<T>(query: () => T): Promise<T> {
  try {
    return Promise.resolve(query());
  } catch (error) {
    const failure = asStoreError(error);
    // A read changes nothing, whatever becomes of it.
    return Promise.reject(
      failure instanceof StoreError ? new StoreError(failure.message, 'nothing done', { cause: error }) : failure,
    );
  }
}

/** What a file is; undefined when it is no longer there. @throws StoreError when that cannot be seen. */
function identify(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (cause) {
    throw new StoreError(`The database ${file} cannot be reached: ${messageOf(cause)}`, 'nothing done', { cause });
  }
}

/** A failure of SQLite as the store's own, with what it means for the work. */
function asStoreError(error: unknown): unknown {
  if (!isSqliteError(error)) return error;
  // After a failed write or fsync the commit may be found on the disk later (https://sqlite.org/atomiccommit.html).
  const outcome = error.code.startsWith('SQLITE_IOERR') ? 'unknown' : 'nothing done';
  return new StoreError(`SQLite: ${error.message} (${error.code})`, outcome, { cause: error });
}

function isBusy(error: unknown): boolean {
  return isSqliteError(error) && error.code.startsWith('SQLITE_BUSY');
}

/**
 * By its code, not its class: the native module makes errors of the first SqliteError class that a process loaded, and a
 * test runner loads several.
 */
function isSqliteError(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return codeOf(error).startsWith('SQLITE_');
}
