import { isIP } from 'node:net';
import { readIdentityProvider, type IdentityProvider } from './auth/identity-provider.ts';
import { OperatorError } from './errors.ts';
import { DEFAULT_POOL, readDatabaseUrl, type DatabaseLocation } from './stores/database-url.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The settings of a process, read once at its start. */
export interface Config {
  /** The address to listen on. */
  readonly host: string;
  /** The port to listen on; 0 lets the system choose. */
  readonly port: number;
  /** The address and port of the listener for operators; port 0 lets the system choose. */
  readonly adminHost: string;
  readonly adminPort: number;
  readonly database: DatabaseLocation;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Whether changes are written to the audit log. */
  readonly audit: boolean;
  /** Failed authentications that one address may have in a minute; 0: any number. */
  readonly authFailuresPerMinute: number;
  /** Requests that one token may make in a minute; 0: any number. */
  readonly tokenRequestsPerMinute: number;
  /** Whose JWT access tokens are accepted besides the service's own; null: nobody's. */
  readonly identityProvider: IdentityProvider | null;
  /** The proxies whose X-Forwarded-For is believed: how many there are, or their addresses; none by default. */
  readonly trustProxy: number | readonly string[];
  /** Connections of one client network at a time; 0: any number. */
  readonly connectionsPerClient: number;
  /** Names that a Host header of the operators' listener may have, lower-case, beside addresses and localhost. */
  readonly adminHosts: readonly string[];
  /** How long requests at work may take once the process was told to stop, in seconds. */
  readonly shutdownTimeout: number;
  /** Whether the public port has an API reference. */
  readonly docs: boolean;
  /** True with NODE_ENV=production: nothing is created that was not asked for, and logs are JSON. */
  readonly production: boolean;
}

/**
 * Reads the environment variables that `plant-store --help` lists.
 * @throws OperatorError naming every bad variable and what would be right.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];

  function text<T>(name: string, preset: string, what: string, read: (value: string) => T | undefined): T | undefined {
    const value = environment[name] ?? preset;
    const result = read(value);
    // What was given may hold a password: it is not repeated.
    const given = name === 'DATABASE_URL' ? '' : `, not '${value}'`;
    if (result === undefined) problems.push(`${name} must be ${what}${given}`);
    return result;
  }
  const host = (name: string): string | undefined =>
    text(name, '127.0.0.1', 'an address or a name such as 127.0.0.1', (value) =>
      /^[\w.:%-]+$/.test(value) ? value : undefined,
    );
  const whole = (name: string, preset: number, from: number, to: number): number | undefined =>
    text(name, String(preset), `a number from ${from} to ${to}`, (value) =>
      /^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to ? Number(value) : undefined,
    );

  const database = (): DatabaseLocation | undefined => {
    const location = text(
      'DATABASE_URL',
      'sqlite:data/plants.db',
      "'sqlite:' and the path of a file, such as sqlite:data/plants.db, or postgres://user:password@host:5432/database, with special characters percent-encoded",
      readDatabaseUrl,
    );
    const pool = whole('DATABASE_POOL', DEFAULT_POOL, 1, 1_000);
    if (pool === undefined) return undefined;
    return location?.kind === 'postgres' ? { ...location, pool } : location;
  };

  const settings = {
    host: host('HOST'),
    port: whole('PORT', 3000, 0, 65_535),
    adminHost: host('ADMIN_HOST'),
    adminPort: whole('ADMIN_PORT', 9464, 0, 65_535),
    database: database(),
    logLevel: text('LOG_LEVEL', 'info', `one of ${LOG_LEVELS.join(', ')}`, (value) =>
      LOG_LEVELS.find((level) => level === value),
    ),
    // With the lines about requests by default.
    audit: text('AUDIT_LOG', '', 'on or off', (value) =>
      value === ''
        ? ['info', 'debug', 'trace'].includes(environment['LOG_LEVEL'] ?? 'info')
        : value === 'on' || (value === 'off' ? false : undefined),
    ),
    authFailuresPerMinute: whole('AUTH_FAILURES_PER_MINUTE', 100, 0, 1_000_000),
    tokenRequestsPerMinute: whole('TOKEN_REQUESTS_PER_MINUTE', 0, 0, 100_000_000),
    identityProvider: readIdentityProvider(environment, problems),
    trustProxy: text(
      'TRUST_PROXY',
      '0',
      'the number of proxies in front of the service, from 0 to 9, or their addresses, such as 10.0.0.0/8,::1',
      readProxies,
    ),
    connectionsPerClient: whole('CONNECTIONS_PER_CLIENT', 1_000, 0, 1_000_000),
    adminHosts: text('ADMIN_HOSTS', '', 'names with commas between them, such as plants.internal', readNames),
    shutdownTimeout: whole('SHUTDOWN_TIMEOUT', 8, 1, 3_600),
    // A page for people: in production for those who ask for it.
    docs: text('DOCS', '', 'on or off', (value) =>
      value === '' ? environment['NODE_ENV'] !== 'production' : value === 'on' || (value === 'off' ? false : undefined),
    ),
    production: text('NODE_ENV', '', 'production, development or test', (value) =>
      ['', 'production', 'development', 'test'].includes(value) ? value === 'production' : undefined,
    ),
  };
  if (problems.length > 0 || !isComplete(settings)) throw new OperatorError(`Bad settings: ${problems.join('; ')}.`);
  return settings;
}

/** True when no setting is undefined, which is when there was no problem. */
function isComplete(settings: { readonly [Name in keyof Config]: Config[Name] | undefined }): settings is Config {
  return Object.values(settings).every((value) => value !== undefined);
}

function readProxies(value: string): number | string[] | undefined {
  if (/^\d$/.test(value)) return Number(value);
  const proxies = value.split(',').map((proxy) => proxy.trim());
  return proxies.every(isAddressOrSubnet) ? proxies : undefined;
}

function readNames(value: string): string[] | undefined {
  const names = value.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim().toLowerCase()]));
  return names.every((name) => /^[\w.-]+$/.test(name)) ? names : undefined;
}

function isAddressOrSubnet(proxy: string): boolean {
  const [address = '', bits, ...rest] = proxy.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    rest.length === 0 && longest > 0 && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= longest))
  );
}
