import { closeSync, mkdirSync, openSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { shellWord } from '../../shell-word.ts';

/**
 * Creates an empty database file, mode 0600, and missing folders, mode 0700, whatever the umask.
 * SQLite gives `-wal` and `-shm` the same mode (https://sqlite.org/src/doc/trunk/src/os_unix.c).
 */
export function createPrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Keeps a file that another process has just created.
  closeSync(openSync(file, 'a', 0o600));
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
  const stats: Stats | undefined = statSync(name, { throwIfNoEntry: false });
  return stats !== undefined && (stats.mode & bits) !== 0;
}
