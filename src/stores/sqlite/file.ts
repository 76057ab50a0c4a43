import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { codeOf, messageOf, OperatorError } from '../../errors.ts';

/**
 * Prevents SQLite from overwriting a short file, which it treats as an empty database.
 * @throws OperatorError when the file exists and is not a SQLite database.
 */
export function requireSqliteFile(file: string): void {
  const stats = statSync(file);
  if (!stats.isFile()) throw new OperatorError(`The database ${file} is not a file: name a file in DATABASE_URL.`);
  // SQLite would open a read-only file, and every delete would fail.
  accessSync(file, constants.W_OK);
  if (stats.size === 0) return;
  const header = Buffer.alloc(16);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, header.length, 0);
  } finally {
    closeSync(descriptor);
  }
  // https://sqlite.org/fileformat.html#magic_header_string
  if (header.toString('latin1') !== 'SQLite format 3\0') {
    throw new OperatorError(`The database ${file} cannot be opened: ${NO_DATABASE}`);
  }
}

const NO_DATABASE = 'it is not a SQLite database. It is left as it is; name another file in DATABASE_URL.';

/** Why a file cannot be opened, with advice. */
export function explainOpening(error: unknown): string {
  const code = codeOf(error);
  if (code === 'SQLITE_NOTADB') return NO_DATABASE;
  if (code.startsWith('SQLITE_CORRUPT')) return 'it is damaged. It is left as it is; restore a backup.';
  if (code.startsWith('SQLITE_BUSY')) return 'another process holds it. Try again when that has finished.';
  if (/^(SQLITE_(CANTOPEN|READONLY)|EACCES|EPERM|EROFS|ENOTDIR|EEXIST)/.test(code)) {
    return `its folder or the file cannot be written (${messageOf(error)}). Give this user the right to, or name another in DATABASE_URL.`;
  }
  return messageOf(error);
}
