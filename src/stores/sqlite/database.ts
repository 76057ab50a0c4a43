import { SqliteConnection, type SqliteStatement } from './driver.ts';
import { existsSync, realpathSync, statSync, type Stats } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, messageOf, OperatorError, StoreError } from '../../errors.ts';
import { ConstraintError, RESTORE_TABLE, StatementError } from '../database.ts';
import type { SchemaVersions } from '../migration-checksums.ts';
import { createPrivateFile, explainOpening, isDamage, requireSqliteFile, RESTORE } from './file.ts';
import { findDamage } from './find-damage.ts';
import { migrate, requireKnownSchema, schemaVersion } from './migrations.ts';

/** Page size of a new file, in bytes. A delete writes its whole page, so small pages write less. */
const PAGE_SIZE = 512;
/** Page cache, in KiB. A larger cache saves no time. */
const PAGE_CACHE = 8_000;
/**
 * WAL size that triggers a checkpoint, in bytes. A larger WAL reduces the writes for scattered
 * deletes, but each checkpoint blocks requests for longer.
 */
const CHECKPOINT_SIZE = 8_192_000;

/** Result codes of a statement's own fault (https://sqlite.org/rescode.html). */
const STATEMENT_CODES = new Set(['SQLITE_ERROR', 'SQLITE_MISMATCH', 'SQLITE_MISUSE', 'SQLITE_RANGE', 'SQLITE_TOOBIG']);

/** A table is gone that the program has made: the operator has to restore it. */
const OWN_TABLE_MISSING = /^no such table: (?:main\.)?(?:plants|tokens)$/;

/** Maximum wait for another process during opening, in milliseconds. */
const OPEN_TIMEOUT = 5_000;
/** Maximum wait of a transaction for another process's lock, in milliseconds. */
export const BUSY_TIMEOUT = 5_000;

/**
 * Opens a SQLite file, creates a missing one and updates the schema.
 * @param seed fills a new database, in the transaction that creates its schema.
 * @throws OperatorError with one line that names the file, which is left unchanged.
 */
export function openDatabase(
  { file, makesFolder = false }: { readonly file: string; readonly makesFolder?: boolean },
  seed?: (connection: SqliteConnection) => void,
): SqliteDatabase {
  let connection: SqliteConnection | undefined;
  try {
    if (existsSync(file)) requireSqliteFile(file);
    else createPrivateFile(file, makesFolder);
    connection = new SqliteConnection(file, { timeout: OPEN_TIMEOUT });
    connection.defaultSafeIntegers(true);
    requireKnownSchema(connection, file);
    // Has no effect on an existing database.
    connection.pragma(`page_size = ${PAGE_SIZE}`);
    connection.pragma(`cache_size = -${PAGE_CACHE}`);
    connection.pragma('journal_mode = WAL');
    connection.pragma(
      `wal_autocheckpoint = ${String(CHECKPOINT_SIZE / Number(connection.pragma('page_size', { simple: true })))}`,
    );
    const schema = migrate(connection, file, seed);
    // In WAL mode better-sqlite3 defaults to NORMAL, with which a power failure loses commits
    // (https://sqlite.org/pragma.html#pragma_synchronous).
    connection.pragma('synchronous = FULL');
    if (connection.pragma('synchronous', { simple: true }) !== 2n) throw new Error('synchronous=FULL was refused');
    connection.pragma('busy_timeout = 0');
    return new SqliteDatabase(connection, file, schema);
  } catch (error) {
    connection?.close();
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The database ${file} cannot be opened: ${explainOpening(error)}`, { cause: error });
  }
}

/** An open database with a single writer. */
export class SqliteDatabase {
  readonly connection: SqliteConnection;
  readonly schema: SchemaVersions;
  /** Resolves when the outcome of a commit is unknown; all later writes are refused. */
  readonly failed: Promise<StoreError>;
  #fail: (error: StoreError) => void = () => undefined;
  /** Prepared, because `connection.transaction` does not distinguish a failed COMMIT. */
  readonly #begin: SqliteStatement;
  readonly #commit: SqliteStatement;
  readonly #rollback: SqliteStatement;
  readonly #file: string;
  /** Ends the search for damage. */
  readonly #endOfInspection = new AbortController();
  /** The search for damage, which another process makes. */
  #inspection: ReturnType<typeof findDamage> = Promise.resolve(undefined);
  readonly #files: readonly { readonly name: string; readonly known: Stats | undefined }[];
  /** Why the outcome of a commit is unknown; no more writes after it. */
  #failure: StoreError | undefined;
  /** Whether the last transaction failed. */
  #isFailing = false;
  /** The error that showed damage. It stays set: other pages may still be readable and writable. */
  #damage: StoreError | undefined;

  constructor(connection: SqliteConnection, file: string, schema: SchemaVersions) {
    this.connection = connection;
    this.schema = schema;
    this.failed = new Promise((resolve) => (this.#fail = resolve));
    this.#begin = connection.prepare('BEGIN IMMEDIATE');
    this.#commit = connection.prepare('COMMIT');
    this.#rollback = connection.prepare('ROLLBACK');
    this.#file = file;
    // The write-ahead log and its index exist while this connection is open
    // (https://sqlite.org/walformat.html), beside the target of a symbolic link.
    const real = realpathSync(file);
    this.#files = [file, `${real}-wal`, `${real}-shm`].map((name) => ({ name, known: identify(name) }));
  }

  /**
   * Runs `work` in one transaction, durable once the promise resolves. Retries while another
   * process holds the lock, without blocking the event loop.
   * @throws StoreError when it was rolled back or its outcome is unknown; ConstraintError when a
   * deferred constraint refused the commit.
   */
  async transaction<T>(work: () => T): Promise<T> {
    const deadline = performance.now() + BUSY_TIMEOUT;
    for (;;) {
      try {
        const result = this.#attempt(work);
        this.#isFailing = false;
        return result;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw this.#asFailure(error);
        // A short pause, because the lock has no queue: the next process to ask gets it.
        await pause(1);
      }
    }
  }

  /** Rejects with a StoreError while transactions would fail. */
  async check(): Promise<void> {
    const { connection } = this;
    try {
      const lasting = this.#failure ?? this.#damage;
      if (lasting !== undefined) throw lasting;
      this.#requireSameFile();
      // Only a write shows whether there is space again; this one changes nothing.
      if (this.#isFailing)
        this.#attempt(() => connection.pragma(`user_version = ${String(schemaVersion(connection))}`));
      else await runRead(() => connection.pragma('user_version'));
      this.#isFailing = false;
    } catch (error) {
      throw this.#asFailure(error);
    }
  }

  /**
   * Reads the whole file in the background, until {@link endInspection}; nothing after it. Rejects
   * with a StoreError for damage, as {@link check} does from then on, and with another error if the
   * file cannot be read.
   */
  async inspect(): Promise<void> {
    const { signal } = this.#endOfInspection;
    if (signal.aborted) return;
    this.#inspection = findDamage(this.#file, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return undefined;
    });
    const damage = await this.#inspection;
    if (damage === undefined) return;
    this.#damage ??= new StoreError(`The database ${this.#file} is damaged: ${damage}. ${RESTORE}`, 'nothing done');
    throw this.#damage;
  }

  /** Ends {@link inspect}, whose process would leave the WAL behind if it closed the file last. */
  async endInspection(): Promise<void> {
    this.#endOfInspection.abort();
    // Its failure is the one of `inspect`.
    await this.#inspection.catch(() => undefined);
  }

  /** Checkpoints the WAL and closes the file. */
  close(): void {
    const { connection } = this;
    try {
      if (connection.open && this.#failure === undefined) connection.pragma('wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // Commits in the WAL are durable: the next process to open the file finds them.
      if (!isSqliteError(error)) throw error;
    } finally {
      connection.close();
    }
  }

  #attempt<T>(work: () => T): T {
    if (this.#failure !== undefined) throw this.#failure;
    this.#requireSameFile();
    this.#begin.run();
    try {
      const result = work();
      this.#commit.run();
      return result;
    } finally {
      if (this.connection.inTransaction) this.#rollback.run();
    }
  }

  /** A file that was removed or replaced still accepts commits here, which would be lost. */
  #requireSameFile(): void {
    for (const { name, known } of this.#files) {
      const now = identify(name);
      if (known === undefined || (now?.dev === known.dev && now.ino === known.ino)) continue;
      throw new StoreError(`The database ${name} was removed or replaced: restart the service.`, 'nothing done');
    }
  }

  #asFailure(error: unknown): unknown {
    this.#isFailing = true;
    const known = asFailure(error);
    if (known instanceof StoreError && isDamage(error)) this.#damage ??= known;
    if (known instanceof StoreError && known.outcome === 'unknown' && this.#failure === undefined) {
      this.#failure = new StoreError(known.message, 'nothing done', { cause: error });
      this.#fail(known);
    }
    return known;
  }
}

/** Runs a read, which never waits for a writer in WAL mode. Rejects with a StoreError. */
export function runRead<T>(query: () => T): Promise<T> {
  try {
    return Promise.resolve(query());
  } catch (error) {
    const failure = asFailure(error);
    // A read changes nothing, however it fails.
    return Promise.reject(
      failure instanceof StoreError ? new StoreError(failure.message, 'nothing done', { cause: error }) : failure,
    );
  }
}

/** The status of a file; undefined if it does not exist. @throws StoreError on other failures. */
function identify(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (cause) {
    throw new StoreError(`The database ${file} cannot be reached: ${messageOf(cause)}`, 'nothing done', { cause });
  }
}

/** True for a fault of a statement, such as its syntax, an unknown name or a wrong value. */
function isOfStatement(error: unknown): boolean {
  return STATEMENT_CODES.has(codeOf(error)) && !OWN_TABLE_MISSING.test(messageOf(error)) && !isDamage(error);
}

/** The error of a statement's own fault. */
function asStatementError(cause: unknown): StatementError {
  return new StatementError(reasonOf(cause), { cause });
}

/** The message of an error, with its code if it has one. */
function reasonOf(cause: unknown): string {
  const code = codeOf(cause);
  return `SQLite: ${messageOf(cause)}${code === '' ? '' : ` (${code})`}`;
}

/**
 * The error of a statement that leaves the others of its transaction unchanged
 * (https://sqlite.org/lang_conflict.html): of a constraint, of the statement itself, or of a value
 * that the driver cannot bind. Undefined for others, which may have ended the transaction.
 */
export function failureOfStatement(cause: unknown): ConstraintError | StatementError | undefined {
  if (codeOf(cause).startsWith('SQLITE_CONSTRAINT')) return new ConstraintError(reasonOf(cause), { cause });
  return isOfStatement(cause) || !isSqliteError(cause) ? asStatementError(cause) : undefined;
}

/**
 * The error of a failed statement or commit: a ConstraintError, a StatementError for the
 * statement's own fault, otherwise a StoreError; errors that are not SQLite's as they are.
 */
export function asFailure(error: unknown): unknown {
  if (!isSqliteError(error)) return error;
  const ofStatement = failureOfStatement(error);
  if (ofStatement !== undefined) return ofStatement;
  // After a failed write or fsync, the commit may still reach the disk
  // (https://sqlite.org/atomiccommit.html).
  const outcome = error.code.startsWith('SQLITE_IOERR') ? 'unknown' : 'nothing done';
  return new StoreError(`SQLite: ${error.message} (${error.code})${adviceOn(error)}`, outcome, { cause: error });
}

function adviceOn(error: Error): string {
  if (isDamage(error)) return `. The database is damaged. ${RESTORE}`;
  if (isBusy(error)) return '. Another process holds it: try again when that has finished.';
  return OWN_TABLE_MISSING.test(error.message) ? `. ${RESTORE_TABLE}` : '';
}

function isBusy(error: unknown): boolean {
  return isSqliteError(error) && error.code.startsWith('SQLITE_BUSY');
}

/**
 * Tests the code, not the class: the native module uses the first SqliteError class that a process
 * loads, and a test runner loads several.
 */
function isSqliteError(error: unknown): error is InstanceType<typeof SqliteConnection.SqliteError> {
  return codeOf(error).startsWith('SQLITE_');
}
