import { isIP } from 'node:net';
import {
  AUDIENCE,
  DEFAULT_ALGORITHMS,
  ISSUER,
  JWKS_URL,
  REQUIRED_SCOPE,
  SIGNATURE_ALGORITHMS,
  type IdentityProvider,
} from './auth/jwt/identity-provider.ts';
import { OperatorError } from './errors.ts';
import { HOST, ON_OR_OFF, oneOf, readSettings, wholeNumber, type Settings } from './setting.ts';
import { DATABASE_URL, DEFAULT_DATABASE_URL, DEFAULT_POOL, type DatabaseLocation } from './stores/database-url.ts';

/**
 * All settings. Parsing, `plant-store --help` and docs/configuration.md come from this table: a new
 * setting is one entry, then `npm run generate`.
 */
export const SETTINGS = {
  host: { variable: 'HOST', meaning: 'address to listen on', ...HOST },
  port: {
    variable: 'PORT',
    default: '3000',
    meaning: 'port to listen on; 0 takes a free one',
    ...wholeNumber(0, 65_535),
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    default: DEFAULT_DATABASE_URL,
    meaning: 'where plants and tokens are kept: `sqlite:` and a file, or `postgres://…`',
    ...DATABASE_URL,
  },
  databasePool: {
    variable: 'DATABASE_POOL',
    default: String(DEFAULT_POOL),
    meaning:
      'connections to PostgreSQL for deletes, one commit at a time each; a process opens two more, for token look-ups and `/readyz`',
    ...wholeNumber(1, 1_000),
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    default: 'info',
    meaning: 'the least severe lines that are logged',
    ...oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  },
  auditLog: {
    variable: 'AUDIT_LOG',
    shownDefault: 'on where LOG_LEVEL is info, debug or trace',
    meaning: '`on` or `off`: one line per change, in a log named `audit`',
    ...ON_OR_OFF,
  },
  production: {
    variable: 'NODE_ENV',
    default: '',
    meaning: '`production`: creates no sample plants and no token, and logs JSON only',
    expected: 'production, development or test',
    parse: (text: string) =>
      ['', 'production', 'development', 'test'].includes(text) ? text === 'production' : undefined,
  },
  docsPage: {
    variable: 'DOCS',
    shownDefault: 'on, in production off',
    meaning: '`on` or `off`: the API reference at `/docs`, and `/openapi.yaml` and `.json`',
    ...ON_OR_OFF,
  },
  corsOrigins: {
    variable: 'CORS_ORIGINS',
    default: '',
    meaning:
      'origins, separated by commas, whose web pages may call the service (CORS); none by default, and no `*`: each is named',
    expected: 'origins with commas between them, such as https://app.example,http://localhost:5173',
    parse: webOrigins,
  },
  adminHost: {
    variable: 'ADMIN_HOST',
    meaning: 'address of the listener for operators: `/livez`, `/readyz` and `/metrics`',
    ...HOST,
  },
  adminPort: {
    variable: 'ADMIN_PORT',
    default: '9464',
    meaning: 'its port; 0 takes a free one',
    ...wholeNumber(0, 65_535),
  },
  adminHosts: {
    variable: 'ADMIN_HOSTS',
    default: '',
    meaning:
      'names, separated by commas, that its `Host` header may have beside addresses and `localhost`; others get 421',
    expected: 'names with commas between them, such as plants.internal',
    parse: hostNames,
  },
  trustProxy: {
    variable: 'TRUST_PROXY',
    default: '0',
    meaning:
      'proxies whose `X-Forwarded-For` (for `DOCS` also `-Host` and `-Proto`) is believed: how many, or their addresses',
    expected: 'the number of proxies in front of the service, from 0 to 9, or their addresses, such as 10.0.0.0/8,::1',
    parse: trustedProxies,
  },
  connectionsPerClient: {
    variable: 'CONNECTIONS_PER_CLIENT',
    default: '1000',
    meaning:
      'connections of one address (IPv6: /64 network) at a time; 0: any number. Peers that `TRUST_PROXY` names are not counted, and with a number of proxies no peer is',
    ...wholeNumber(0, 1_000_000),
  },
  authFailuresPerMinute: {
    variable: 'AUTH_FAILURES_PER_MINUTE',
    default: '100',
    meaning: 'failed authentications from one address before 429; 0: any number',
    ...wholeNumber(0, 1_000_000),
  },
  tokenRequestsPerMinute: {
    variable: 'TOKEN_REQUESTS_PER_MINUTE',
    default: '0',
    meaning: 'requests with one token before 429; 0: any number',
    ...wholeNumber(0, 100_000_000),
  },
  issuer: {
    variable: 'AUTH_ISSUER',
    default: '',
    meaning: 'identity provider whose JWT access tokens are accepted too: its issuer URL',
    ...ISSUER,
  },
  audience: {
    variable: 'AUTH_AUDIENCE',
    default: '',
    meaning: 'what its tokens call this service (`aud`); needed with `AUTH_ISSUER`',
    requires: 'AUTH_ISSUER',
    ...AUDIENCE,
  },
  requiredScope: {
    variable: 'AUTH_REQUIRED_SCOPE',
    default: '',
    meaning: 'scopes that its tokens must have, separated by spaces; else 403',
    requires: 'AUTH_ISSUER',
    ...REQUIRED_SCOPE,
  },
  jwksUrl: {
    variable: 'AUTH_JWKS_URL',
    default: '',
    shownDefault: 'discovered from AUTH_ISSUER',
    meaning: 'where its keys are',
    requires: 'AUTH_ISSUER',
    ...JWKS_URL,
  },
  algorithms: {
    variable: 'AUTH_ALGORITHMS',
    default: DEFAULT_ALGORITHMS,
    meaning: 'signatures that are accepted, asymmetric ones only',
    requires: 'AUTH_ISSUER',
    ...SIGNATURE_ALGORITHMS,
  },
  shutdownTimeout: {
    variable: 'SHUTDOWN_TIMEOUT',
    default: '8',
    meaning:
      'seconds that a graceful shutdown may take; requests at work are cut half a second before (a tenth, below 5)',
    ...wholeNumber(1, 3_600),
  },
} as const;

/** The settings of a process, read once at the start. */
export interface Config extends Omit<Settings<typeof SETTINGS>, keyof IdentityProvider> {
  readonly database: DatabaseLocation;
  /** Whether changes are written to the audit log. */
  readonly audit: boolean;
  /** Whether the public port serves the API reference. */
  readonly docs: boolean;
  /** The identity provider whose JWT access tokens are accepted; null for none. */
  readonly identityProvider: IdentityProvider | null;
}

/**
 * Reads the environment variables that `plant-store --help` lists.
 * @throws OperatorError naming every bad variable and what would be right.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const settings = readSettings(SETTINGS, environment, problems);
  const { issuer, audience, jwksUrl, requiredScope, algorithms, ...remaining } = settings;
  const { databaseUrl, databasePool, logLevel, production } = settings;
  if (issuer !== '' && audience === '') {
    problems.push('AUTH_AUDIENCE must be set with AUTH_ISSUER: what its tokens call this service');
  }
  if (problems.length > 0) throw new OperatorError(`Bad settings: ${problems.join('; ')}.`);
  return {
    ...remaining,
    database: databaseUrl.kind === 'postgres' ? { ...databaseUrl, pool: databasePool } : databaseUrl,
    // By default on if the log level includes requests.
    audit: settings.auditLog ?? ['info', 'debug', 'trace'].includes(logLevel),
    // Off by default in production.
    docs: settings.docsPage ?? !production,
    identityProvider: issuer === '' ? null : { issuer, audience, jwksUrl, requiredScope, algorithms },
  };
}

function hostNames(text: string): readonly string[] | undefined {
  const names = text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim().toLowerCase()]));
  return names.every((name) => /^[\w.-]+$/.test(name)) ? names : undefined;
}

/** Origins as browsers write them (RFC 6454, section 6.2): scheme, host, any other port. */
function webOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(',').flatMap((origin) => (origin.trim() === '' ? [] : [origin.trim()]));
  return origins.every((origin) => /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin)
    ? origins
    : undefined;
}

/** The number of trusted proxies, or their addresses and networks. */
function trustedProxies(text: string): number | readonly string[] | undefined {
  if (/^\d$/.test(text)) return Number(text);
  const proxies = text.split(',').map((proxy) => proxy.trim());
  return proxies.every(isAddressOrNetwork) ? proxies : undefined;
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...surplus] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (surplus.length > 0 || longest < 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= longest);
}
