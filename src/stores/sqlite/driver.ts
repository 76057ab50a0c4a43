import type Sqlite from 'better-sqlite3';
import { createRequire } from 'node:module';
import { messageOf, OperatorError } from '../../errors.ts';

/** The major version of better-sqlite3 for this Node.js, and the package that has it. */
const { major, name } = process.versions.node.startsWith('20.')
  ? // Version 13 needs Node-API 10 and crashes here.
    { major: '12', name: 'better-sqlite3-12' }
  : // Version 12 aborts the process when garbage collection frees a statement.
    { major: '13', name: 'better-sqlite3' };

/** better-sqlite3 in the version that this Node.js runs. */
export const SqliteConnection = loadDriver();
export type SqliteConnection = Sqlite.Database;
export type SqliteStatement<Values extends unknown[] = unknown[], Row = unknown> = Sqlite.Statement<Values, Row>;

/** @throws OperatorError when the version is not installed, or crashes on this Node.js. */
function loadDriver(): typeof Sqlite {
  const require = createRequire(import.meta.url);
  const needed = `Node.js ${process.versions.node} needs better-sqlite3 ${major} for SQLite`;
  try {
    // npm has checked its form.
    const { version } = require(`${name}/package.json`) as { version: string };
    if (!version.startsWith(`${major}.`)) throw new OperatorError(`${needed}, and ${version} is installed.`);
    // Safe: both versions have the interface that the types describe.
    return require(name) as typeof Sqlite;
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError(`${needed}: run npm ci with this Node.js. (${messageOf(cause).split('\n')[0] ?? ''})`, {
      cause,
    });
  }
}
