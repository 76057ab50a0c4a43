import { SqliteConnection } from './driver.ts';
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf, messageOf, OperatorError } from '../../errors.ts';
import { explainOpening, foundDamage, isDamage, requireSqliteFile, RESTORE } from './file.ts';
import { requireKnownSchema } from './migrations.ts';

/** Maximum wait for another process that holds the file, in milliseconds. */
const LOCK_TIMEOUT = 5_000;

/**
 * Copies a SQLite database to a new file, mode 0600, as a snapshot; writers may continue. Checks
 * the copy before giving it its name. Does not update the schema.
 * @throws OperatorError with one line on failure, without a new file.
 */
export async function backupSqlite(file: string, destination: string): Promise<void> {
  const connection = open(file);
  const partial = `${resolve(destination)}.partial`;
  try {
    if (existsSync(destination)) throw taken(destination);
    reserve(partial);
    try {
      // In one step: a backup in several steps restarts after each commit of another process.
      await connection.backup(partial, { progress: () => Infinity });
      requireSound(partial);
      publish(partial, destination);
    } finally {
      rmSync(partial, { force: true });
    }
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    if (isDamage(cause)) throw damaged(messageOf(cause));
    throw new OperatorError(`The backup ${destination} cannot be written: ${messageOf(cause)}.`, { cause });
  } finally {
    connection.close();
  }
}

function open(file: string): SqliteConnection {
  let connection: SqliteConnection | undefined;
  try {
    requireSqliteFile(file);
    connection = new SqliteConnection(file, { timeout: LOCK_TIMEOUT, fileMustExist: true });
    requireKnownSchema(connection, file);
    return connection;
  } catch (cause) {
    connection?.close();
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError(`The database ${file} cannot be opened: ${explainOpening(cause)}`, { cause });
  }
}

/** Creates an empty file with mode 0600. */
function reserve(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (cause) {
    throw codeOf(cause) === 'EEXIST' ? taken(file) : cause;
  }
}

/** Reserves the name last: an interrupted backup would leave an empty file, a valid database. */
function publish(partial: string, destination: string): void {
  reserve(destination);
  try {
    renameSync(partial, destination);
  } catch (cause) {
    rmSync(destination, { force: true });
    throw cause;
  }
}

function taken(file: string): OperatorError {
  return new OperatorError(`There is a file ${file} already, which is left as it is: name a new one.`);
}

/** Copying does not detect damaged pages, and a backup may replace an older, sound one. */
function requireSound(file: string): void {
  const copy = new SqliteConnection(file);
  try {
    const found = copy.pragma('quick_check(1)', { simple: true });
    if (found !== 'ok') throw damaged(foundDamage(String(found)));
  } finally {
    copy.close();
  }
}

function damaged(found: string): OperatorError {
  return new OperatorError(`Nothing was backed up: the database is damaged: ${found}. ${RESTORE}`);
}
