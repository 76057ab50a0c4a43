import { isAbsolute, resolve } from 'node:path';
import type { Setting } from '../setting.ts';

/** The location of the database. */
export type DatabaseLocation =
  | {
      readonly kind: 'sqlite';
      /** The absolute path of the file. */
      readonly file: string;
    }
  | {
      readonly kind: 'postgres';
      /** A URL in libpq's syntax; it may contain a password. */
      readonly url: string;
      /**
       * Connections for deletes; {@link DEFAULT_POOL} by default. Two more serve other statements.
       */
      readonly pool?: number;
    };

/**
 * Default connections per process: enough for concurrent commits, few enough for many processes.
 */
export const DEFAULT_POOL = 5;

/** The setting DATABASE_URL. */
export const DATABASE_URL: Pick<Setting<DatabaseLocation>, 'expected' | 'parse' | 'isConfidential'> = {
  expected:
    "'sqlite:' and the path of a file, such as sqlite:data/plants.db, or " +
    'postgres://user:password@host:5432/database, with special characters percent-encoded',
  parse: readDatabaseUrl,
  isConfidential: true,
};

/** @returns undefined for an unsupported URL. */
export function readDatabaseUrl(url: string): DatabaseLocation | undefined {
  if (/^postgres(ql)?:\/\//.test(url)) {
    if (!URL.canParse(url)) return undefined;
    // In postgres://user:47/x@host the slash cuts the password, and messages would show its rest as
    // the name of a database.
    const { pathname, hash } = new URL(url);
    return (pathname + hash).includes('@') ? undefined : { kind: 'postgres', url };
  }
  // In sqlite://data/plants.db, 'data' would be a host; with three slashes the path is absolute.
  const path = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)([^:?#]+)$/.exec(url)?.[1];
  if (path === undefined) return undefined;
  return { kind: 'sqlite', file: isAbsolute(path) ? path : resolve(path) };
}

/**
 * The database's name for logs and messages: its file, or its URL without password and parameters.
 */
export function nameOf(database: DatabaseLocation): string {
  if (database.kind === 'sqlite') return database.file;
  const { protocol, username, host, pathname } = new URL(database.url);
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

/** Replaces the passwords in a URL; '' removes them. */
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
