import { isAbsolute, resolve } from 'node:path';
import type { Setting } from '../setting.ts';

/** The location of the database. */
export type DatabaseLocation =
  | {
      readonly kind: 'sqlite';
      /** The absolute path of the file. */
      readonly file: string;
      /** True if a missing folder of the file is made too: elsewhere it may be a typing error. */
      readonly makesFolder?: boolean;
    }
  | {
      readonly kind: 'postgres';
      /** A URL in libpq's syntax, which may name several hosts and contain a password. */
      readonly url: string;
      /** Connections for deletes; {@link DEFAULT_POOL} by default. Two more serve the rest. */
      readonly pool?: number;
    };

/** The database of a service without settings. */
export const DEFAULT_DATABASE_URL = 'sqlite:data/plants.db';

/** Default connections per process: enough for concurrent commits, few enough for others. */
export const DEFAULT_POOL = 5;

/** libpq's parameter that chooses among servers, and its values that suit a service that writes. */
const ATTRS = 'target_session_attrs';
const SESSION_ATTRS: readonly (string | null)[] = [null, 'any', 'primary', 'read-write'];

/** The parameters of TLS that pg knows. It ignores a misspelt one, and connects without TLS. */
const TLS: ReadonlySet<string> = new Set([
  'ssl',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
  'sslnegotiation',
]);

/** The setting DATABASE_URL. */
export const DATABASE_URL: Pick<Setting<DatabaseLocation>, 'expected' | 'parse' | 'isConfidential'> = {
  expected:
    "'sqlite:' and the path of a file, such as sqlite:data/plants.db, or " +
    'postgres://user:password@host:5432/database, with special characters percent-encoded ' +
    '(several hosts with commas between them, target_session_attrs any, primary or read-write, ' +
    'for TLS sslmode, sslrootcert, sslcert, sslkey or sslnegotiation)',
  parse: readDatabaseUrl,
  isConfidential: true,
};

/** @returns undefined for an unsupported URL. */
function readDatabaseUrl(url: string): DatabaseLocation | undefined {
  if (/^postgres(ql)?:\/\//.test(url)) {
    const servers = serversOf(url);
    if (!servers.every((server) => URL.canParse(server))) return undefined;
    // In postgres://user:47/x@host the slash cuts the password, and messages would show its rest as
    // the name of a database.
    const { pathname, hash, searchParams } = new URL(servers[0] ?? url);
    if ((pathname + hash).includes('@')) return undefined;
    // pg takes libpq's parameter host for a single name.
    if (searchParams.get('host')?.includes(',') === true) return undefined;
    if ([...searchParams.keys()].some((name) => /^ssl/i.test(name) && !TLS.has(name))) return undefined;
    return SESSION_ATTRS.includes(searchParams.get(ATTRS)) ? { kind: 'postgres', url } : undefined;
  }
  // In sqlite://data/plants.db, 'data' would be a host; with three slashes the path is absolute.
  const path = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)([^:?#]+)$/.exec(url)?.[1];
  if (path === undefined) return undefined;
  const file = isAbsolute(path) ? path : resolve(path);
  return url === DEFAULT_DATABASE_URL ? { kind: 'sqlite', file, makesFolder: true } : { kind: 'sqlite', file };
}

/**
 * The URLs of the servers that a URL names, in its order
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS).
 */
export function serversOf(url: string): readonly string[] {
  return hostsOf(url)
    .split(',')
    .map((host) => withHosts(url, host));
}

/** True if the URL demands a server that takes writes, as it does among several hosts. */
export function demandsPrimary(url: string): boolean {
  const [first = url, ...furtherServers] = serversOf(url);
  return furtherServers.length > 0 || ['primary', 'read-write'].includes(new URL(first).searchParams.get(ATTRS) ?? '');
}

/** The database's name for messages: its file, or its URL without password and parameters. */
export function databaseName(database: DatabaseLocation): string {
  if (database.kind === 'sqlite') return database.file;
  const { protocol, username, pathname } = new URL(withHosts(database.url, PLACEHOLDER));
  return `${protocol}//${username === '' ? '' : `${username}@`}${hostsOf(database.url)}${pathname}`;
}

/** Replaces the passwords in a URL; '' removes them. Returns other texts as they are. */
export function replacePassword(url: string, text: string): string {
  const hosts = hostsOf(url);
  // WHATWG URLs have one host only.
  const single = withHosts(url, hosts.includes(',') ? PLACEHOLDER : hosts);
  if (!URL.canParse(single)) return url;
  const shown = new URL(single);
  if (shown.password !== '') shown.password = text;
  for (const name of ['password', 'sslpassword']) {
    if (!shown.searchParams.has(name)) continue;
    if (text === '') shown.searchParams.delete(name);
    else shown.searchParams.set(name, text);
  }
  return shown.href.replace(PLACEHOLDER, hosts);
}

/** The text before the hosts, and the hosts. */
const HOSTS = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)/;
/** Stands for several hosts (RFC 6761, section 6.4). */
const PLACEHOLDER = 'hosts.invalid';

function hostsOf(url: string): string {
  return HOSTS.exec(url)?.[2] ?? '';
}

function withHosts(url: string, hosts: string): string {
  return url.replace(HOSTS, (_, before: string) => before + hosts);
}
