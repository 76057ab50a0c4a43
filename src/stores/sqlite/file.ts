import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, messageOf, OperatorError } from '../../errors.ts';
import { shellWord } from '../../shell-word.ts';

/**
 * Prevents SQLite from overwriting a short file, which it treats as an empty database.
 * @throws OperatorError when the file exists and is not a SQLite database.
 */
export function requireSqliteFile(file: string): void {
  const stats = statSync(file);
  if (!stats.isFile()) throw new OperatorError(`The database ${file} is not a file: name a file in DATABASE_URL.`);
  // SQLite would open a read-only file, and every delete would fail.
  accessSync(file, constants.W_OK);
  if (stats.size === 0 || hasSqliteHeader(file)) return;
  throw new OperatorError(`The database ${file} cannot be opened: ${NO_DATABASE}`);
}

/** True if a file begins as a SQLite database does. */
export function hasSqliteHeader(file: string): boolean {
  const header = Buffer.alloc(16);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, header.length, 0);
  } finally {
    closeSync(descriptor);
  }
  // https://sqlite.org/fileformat.html#magic_header_string
  return header.toString('latin1') === 'SQLite format 3\0';
}

const NO_DATABASE = 'it is not a SQLite database. It is left as it is; name another file in DATABASE_URL.';

/** What to do about damage. */
export const RESTORE = 'Stop the service and restore a backup: plant-store restore <file>.';

/** True for an error that shows damage of a file that {@link requireSqliteFile} accepts. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error)) || messageOf(error) === 'unsupported file format';
}

/** The findings of SQLite's check in one line, without headings: *** in database main ***. */
export function foundDamage(text: string): string {
  return text
    .replace(/^\*{3}.*\n/, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ');
}

/** Why a file cannot be opened, with advice. */
export function explainOpening(error: unknown): string {
  const code = codeOf(error);
  if (isDamage(error)) return `it is damaged (${messageOf(error)}). It is left as it is; restore a backup.`;
  if (code.startsWith('SQLITE_BUSY')) return 'another process holds it. Try again when that has finished.';
  // By plant-store restore, before this process could lock it.
  if (code === 'SQLITE_READONLY_DBMOVED') return 'it was replaced meanwhile. Start again.';
  if (/^(SQLITE_(CANTOPEN|READONLY)|EACCES|EPERM|EROFS|ENOTDIR|EEXIST)/.test(code)) {
    return `its folder or the file cannot be written (${messageOf(error)}). Give this user the right to, or name another in DATABASE_URL.`;
  }
  return code.startsWith('E') ? `${messageOf(error)}. Correct DATABASE_URL.` : messageOf(error);
}

/**
 * Creates an empty database file, mode 0600, and missing folders, mode 0700, whatever the umask.
 * SQLite gives `-wal` and `-shm` the same mode (https://sqlite.org/src/doc/trunk/src/os_unix.c).
 * @throws OperatorError for a missing folder that may not be made.
 */
export function createPrivateFile(file: string, makesFolder: boolean): void {
  requireFolder(file, makesFolder);
  // Keeps a file that another process has just created.
  closeSync(openSync(file, 'a', 0o600));
}

/**
 * Makes missing folders of a database file, mode 0700.
 * @throws OperatorError for a missing folder that may not be made.
 */
export function requireFolder(file: string, makesFolder: boolean): void {
  const folder = dirname(file);
  if (makesFolder) mkdirSync(folder, { recursive: true, mode: 0o700 });
  else if (!existsSync(folder)) {
    throw new OperatorError(
      `There is no database ${file}, nor its folder. Correct DATABASE_URL, or make the folder for a new database.`,
    );
  }
}

/**
 * Finds database files that other users can open, and a folder where they can create files. Read
 * access to `-shm` suffices to hold SQLite's locks and block every write.
 * @returns the shell command that closes them; undefined if none is needed, and on Windows.
 */
export function closingCommand(file: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const open = [file, `${file}-wal`, `${file}-shm`].filter((name) => hasMode(name, 0o077));
  const commands = open.length > 0 ? [`chmod 600 ${open.map(shellWord).join(' ')}`] : [];
  // A sticky folder, such as /tmp, is shared on purpose and cannot be closed for one file.
  const folder = dirname(file);
  if (hasMode(folder, 0o002) && !hasMode(folder, 0o1000)) commands.push(`chmod o-w ${shellWord(folder)}`);
  return commands.length > 0 ? commands.join(' && ') : undefined;
}

function hasMode(name: string, bits: number): boolean {
  const stats = statSync(name, { throwIfNoEntry: false });
  return stats !== undefined && (stats.mode & bits) !== 0;
}
