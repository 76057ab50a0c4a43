import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { codeOf, messageOf, OperatorError } from '../../errors.ts';
import type { DatabaseLocation } from '../database-url.ts';
import { SqliteConnection } from './driver.ts';
import { explainOpening, foundDamage, hasSqliteHeader, isDamage, requireFolder } from './file.ts';
import { isPlantStore, requireKnownSchema, requireOwnFile } from './migrations.ts';

/**
 * Replaces a SQLite database by a backup, in one step: a crash leaves the one or the other. No
 * service may have the database open, and none can open it meanwhile.
 * @returns the name under which the replaced database is kept; undefined without one.
 * @throws OperatorError with one line on failure; the database stays in its place.
 */
export async function restoreSqlite(
  backup: string,
  { file, makesFolder = false }: Extract<DatabaseLocation, { kind: 'sqlite' }>,
): Promise<string | undefined> {
  const target = existsSync(file) ? realpathSync(file) : file;
  requireBackupFile(backup, target);
  let held: SqliteConnection | undefined;
  try {
    requireFolder(target, makesFolder);
    held = holdDatabase(target);
    const copy = `${target}.restoring`;
    await copyPrivately(backup, copy);
    try {
      requireBackup(copy, backup);
      return replace(target, copy);
    } finally {
      rmSync(copy, { force: true });
    }
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError(`Nothing was restored: ${messageOf(cause)}.`, { cause });
  } finally {
    held?.close();
  }
}

/** Checks a file by its name, size and header. @throws OperatorError if it cannot be a backup. */
function requireBackupFile(backup: string, target: string): void {
  const { stats, isSqlite } = inspectFile(backup);
  const current = statSync(target, { throwIfNoEntry: false });
  if (stats.dev === current?.dev && stats.ino === current.ino) throw noBackup(backup, 'it is the database itself');
  if (!isSqlite) throw noBackup(backup, 'plant-store backup writes SQLite files');
  // A database whose commits are in its write-ahead log: the copy would be an older state.
  if ((statSync(`${realpathSync(backup)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw noBackup(backup, 'it has a write-ahead log (-wal), as a database in use has; use plant-store backup on it');
  }
}

function inspectFile(backup: string): { readonly stats: Stats; readonly isSqlite: boolean } {
  try {
    const stats = statSync(backup);
    return { stats, isSqlite: stats.isFile() && hasSqliteHeader(backup) };
  } catch (cause) {
    throw new OperatorError(`The backup ${backup} cannot be read: ${messageOf(cause)}.`, { cause });
  }
}

/** Reads all of a copy. @throws OperatorError unless it is a sound database of the plant store. */
function requireBackup(copy: string, backup: string): void {
  const connection = new SqliteConnection(copy);
  try {
    const found = connection.pragma('quick_check(1)', { simple: true });
    if (found !== 'ok') throw noBackup(backup, `it is damaged: ${foundDamage(String(found))}`);
    if (!isPlantStore(connection)) throw noBackup(backup, 'it is not a database of the plant store');
    requireKnownSchema(connection, backup);
  } catch (cause) {
    throw isDamage(cause) ? noBackup(backup, `it is damaged: ${messageOf(cause)}`) : cause;
  } finally {
    connection.close();
  }
}

/**
 * Locks a database for this process alone, and writes its WAL into it, so that one file has all.
 * @returns undefined where there is none, or it is damaged so much that SQLite cannot lock it.
 * @throws OperatorError when another process has it open.
 */
function holdDatabase(target: string): SqliteConnection | undefined {
  if (!existsSync(target)) {
    requireNoIndex(target);
    return undefined;
  }
  const connection = new SqliteConnection(target, { timeout: 0, fileMustExist: true });
  try {
    requireOwnFile(connection, target);
    // Fails while another connection is open (https://sqlite.org/wal.html#persistence_of_wal_mode).
    connection.pragma('journal_mode = DELETE');
    connection.exec('BEGIN EXCLUSIVE');
    return connection;
  } catch (cause) {
    connection.close();
    if (codeOf(cause).startsWith('SQLITE_BUSY')) {
      throw new OperatorError(`Nothing was restored: a process has the database ${target} open. Stop the service.`);
    }
    if (cause instanceof OperatorError) throw cause;
    if (!isDamage(cause)) {
      throw new OperatorError(`The database ${target} cannot be opened: ${explainOpening(cause)}`, { cause });
    }
    requireNoIndex(target);
    return undefined;
  }
}

/** Without a database that can be locked, the index of its WAL is the only trace of a service. */
function requireNoIndex(target: string): void {
  if (!existsSync(`${target}-shm`)) return;
  throw new OperatorError(
    `Nothing was restored: ${target}-shm shows that a service uses the database, or was killed. ` +
      'Stop the service; if none runs, remove that file.',
  );
}

/** Copies a file durably to a new one, mode 0600. */
async function copyPrivately(from: string, to: string): Promise<void> {
  try {
    await pipeline(createReadStream(from), createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }));
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') {
      throw new OperatorError(
        `Nothing was restored: ${to} is there, from a restore that runs or was killed. If none runs, remove it.`,
      );
    }
    rmSync(to, { force: true });
    throw cause;
  }
}

/** Gives a copy the name of the database. @returns the new name of the database before, if any. */
function replace(target: string, copy: string): string | undefined {
  const name = `${target}.replaced-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  const hasDatabase = existsSync(target);
  // A second name first, so that there is a database at every moment.
  if (hasDatabase) linkSync(target, name);
  // Of a damaged database; SQLite would apply it to the restored one.
  if (existsSync(`${target}-wal`)) renameSync(`${target}-wal`, `${name}-wal`);
  renameSync(copy, target);
  flushFolder(dirname(target));
  return hasDatabase ? name : undefined;
}

/** Makes the names in a folder durable. Windows opens no folders. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function noBackup(backup: string, why: string): OperatorError {
  return new OperatorError(`Nothing was restored: ${backup} is not a backup: ${why}.`);
}
