import { isAbsolute, resolve } from 'node:path';
import type { Setting } from '../setting.ts';

/** Where the plants and tokens are. */
export type DatabaseLocation =
  | {
      readonly kind: 'sqlite';
      /** The absolute path of the file. */
      readonly file: string;
    }
  | {
      readonly kind: 'postgres';
      /** As libpq writes it; it may hold a password. */
      readonly url: string;
      /** The connections of this process for deletes; by default {@link DEFAULT_POOL}. Two more are for the rest. */
      readonly pool?: number;
    };

/** Connections of a process to PostgreSQL: enough for several commits at a time, few enough for many processes. */
export const DEFAULT_POOL = 5;

/** How DATABASE_URL is read. */
export const DATABASE_URL: Pick<Setting<DatabaseLocation>, 'expected' | 'parse' | 'isConfidential'> = {
  expected:
    "'sqlite:' and the path of a file, such as sqlite:data/plants.db, or " +
    'postgres://user:password@host:5432/database, with special characters percent-encoded',
  parse: readDatabaseUrl,
  isConfidential: true,
};

/** Undefined when it names no database that the service can work with. */
export function readDatabaseUrl(url: string): DatabaseLocation | undefined {
  if (/^postgres(ql)?:\/\//.test(url)) {
    if (!URL.canParse(url)) return undefined;
    // In postgres://user:47/x@host the password is cut at its slash, and the rest of it would be shown as the name of a database.
    const { pathname, hash } = new URL(url);
    return (pathname + hash).includes('@') ? undefined : { kind: 'postgres', url };
  }
  // In sqlite://data/plants.db, 'data' would be a host; with three slashes there is none, and the path is absolute.
  const path = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)([^:?#]+)$/.exec(url)?.[1];
  if (path === undefined) return undefined;
  return { kind: 'sqlite', file: isAbsolute(path) ? path : resolve(path) };
}

/** What logs and messages call a database: its file, or its URL without password and parameters. */
export function nameOf(database: DatabaseLocation): string {
  if (database.kind === 'sqlite') return database.file;
  const { protocol, username, host, pathname } = new URL(database.url);
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

/** A URL with another text in place of its passwords; '' removes them. */
export function replacePassword(url: string, text: string): string {
  const shown = new URL(url);
  if (shown.password !== '') shown.password = text;
  for (const name of ['password', 'sslpassword']) {
    if (!shown.searchParams.has(name)) continue;
    if (text === '') shown.searchParams.delete(name);
    else shown.searchParams.set(name, text);
  }
  return shown.href;
}
