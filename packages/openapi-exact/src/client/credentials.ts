import type { Credentials } from '../security/credential-kinds.ts';
import { FIELD_VALUE } from './parameter-text.ts';
import type { ApiKeyLocation, ContractShapes, OperationShape, SecuritySchemeShape } from './shape.ts';

/** A value, or a function that returns one, such as a token that is renewed. */
export type Provided<Value> = Value | (() => Value | Promise<Value>);

/** Security schemes by their kinds alone. */
export type AnySecuritySchemes = Readonly<Record<string, keyof Credentials>>;

/**
 * Credentials by the names of the contract's security schemes.
 * @example const credentials: ClientCredentials<securitySchemes> = { apiKey: 'secret' };
 */
export type ClientCredentials<SecuritySchemes> = {
  readonly [Name in keyof SecuritySchemes]?: SecuritySchemes[Name] extends keyof Credentials
    ? Provided<Credentials[SecuritySchemes[Name]]> | undefined
    : never;
};

/** The credentials of a client as it calls their functions. */
export interface GivenCredentials {
  /** The credentials of each bearer scheme. */
  readonly token: Provided<unknown>;
  /** By the name of their scheme. */
  readonly credentials: Readonly<Record<string, Provided<unknown>>>;
}

/** The credentials of a security scheme. */
export interface SchemeCredentials {
  /** The name of the scheme in messages. */
  readonly name: string;
  readonly scheme: SecuritySchemeShape;
  readonly provided: Provided<unknown>;
}

/** A credential of a request: its place and its text. */
export interface PlacedCredential {
  readonly in: ApiKeyLocation;
  readonly name: string;
  readonly text: string;
}

/** @throws TypeError unless a token is a text or a function, or undefined. */
export function requireToken(token: unknown): void {
  if (['string', 'function', 'undefined'].includes(typeof token)) return;
  throw new TypeError('The token must be an access token, or a function that returns one.');
}

/**
 * Validates the option `credentials`; their texts are validated when they are sent.
 * @throws TypeError for a security scheme that the contract does not have, and for a wrong type.
 */
export function requireCredentials(
  credentials: unknown,
  { securitySchemes = {} }: ContractShapes,
): asserts credentials is GivenCredentials['credentials'] {
  if (typeof credentials !== 'object' || credentials === null)
    throw new TypeError(
      'credentials must be an object with credentials by security scheme; cookies are an option too.',
    );
  for (const [name, provided] of Object.entries(credentials)) {
    if (!Object.hasOwn(securitySchemes, name)) {
      const known = Object.keys(securitySchemes).join(', ');
      throw new TypeError(`The contract has no security scheme '${name}': its schemes are ${known || 'none'}.`);
    }
    if (provided === null || !['string', 'object', 'function', 'undefined'].includes(typeof provided))
      throw new TypeError(`credentials.${name} must be credentials, or a function that returns them.`);
  }
}

/**
 * The credentials for an operation: those of its first security requirement for which all are
 * given, or else some. A token is sent to every operation.
 */
export function credentialsFor(
  { security = [] }: OperationShape,
  { securitySchemes = {} }: ContractShapes,
  { token, credentials }: GivenCredentials,
): readonly SchemeCredentials[] {
  const alternatives = security.map((names) => ({
    names,
    given: names.flatMap((name): SchemeCredentials[] => {
      const scheme = Object.hasOwn(securitySchemes, name) ? securitySchemes[name] : undefined;
      const own = Object.hasOwn(credentials, name) ? credentials[name] : undefined;
      const provided = own ?? (isBearer(scheme) ? token : undefined);
      return scheme === undefined || provided === undefined ? [] : [{ name, scheme, provided }];
    }),
  }));
  const { given } = alternatives.find(({ names, given: all }) => all.length === names.length) ??
    alternatives.find(({ given: some }) => some.length > 0) ?? { given: [] };
  const isAuthorized = given.some(({ scheme }) => 'scheme' in scheme);
  return isAuthorized || token === undefined
    ? given
    : [{ name: 'token', scheme: { scheme: 'Bearer' }, provided: token }, ...given];
}

function isBearer(shape: SecuritySchemeShape | undefined): boolean {
  return shape !== undefined && 'scheme' in shape && shape.scheme === 'Bearer';
}

/**
 * Calls the functions of credentials, and places what they return.
 * @throws TypeError for credentials that cannot be sent, and what a function throws.
 */
export async function placeCredentials(all: readonly SchemeCredentials[]): Promise<PlacedCredential[]> {
  return Promise.all(
    all.map(async ({ name, scheme, provided }) => {
      const value: unknown = typeof provided === 'function' ? await (provided as () => unknown)() : provided;
      if ('in' in scheme) return { ...scheme, text: requireApiKey(value, name, scheme.in) };
      const text =
        scheme.scheme === 'Basic' ? basicText(value, name) : requireAuthorization(value, name, scheme.scheme);
      return { in: 'header', name: 'Authorization', text: `${scheme.scheme} ${text}` };
    }),
  );
}

/** An access token (RFC 6750, section 2.1). */
const ACCESS_TOKEN = /^[\w.~+/-]+=*$/;

/** What stands behind the name of an authentication scheme. Messages do not repeat it. */
function requireAuthorization(value: unknown, name: string, scheme: string): string {
  if (scheme === 'Bearer') {
    if (typeof value === 'string' && ACCESS_TOKEN.test(value)) return value;
    throw new TypeError('An access token must be letters, digits and -._~+/ without spaces (RFC 6750).');
  }
  if (typeof value === 'string' && value !== '' && FIELD_VALUE.test(value)) return value;
  throw new TypeError(
    `credentials.${name} must be the text behind '${scheme}', in Latin-1 without control characters.`,
  );
}

/** The characters of an API key by location: those that the service reads as they were sent. */
const API_KEYS: Readonly<Record<ApiKeyLocation, { readonly pattern: RegExp; readonly rule: string }>> = {
  header: { pattern: FIELD_VALUE, rule: 'Latin-1 without control characters and outer spaces' },
  query: { pattern: /^\P{Cs}*$/u, rule: 'text without half of a surrogate pair' },
  cookie: { pattern: /^[!-:<-~]*$/, rule: "ASCII without spaces and ';'" },
};

function requireApiKey(value: unknown, name: string, location: ApiKeyLocation): string {
  const { pattern, rule } = API_KEYS[location];
  if (typeof value === 'string' && value !== '' && pattern.test(value)) return value;
  throw new TypeError(`credentials.${name} must be an API key for a ${location}: ${rule}, not empty.`);
}

/** A user name and a password in UTF-8 (RFC 7617, section 2.1). */
function basicText(value: unknown, name: string): string {
  const { username, password } = Object(value) as Readonly<Record<string, unknown>>;
  if (typeof username === 'string' && typeof password === 'string') {
    const text = `${username}:${password}`;
    // Neither part may have control characters, and a colon ends the user name.
    if (!username.includes(':') && !/\p{Cc}|\p{Cs}/u.test(text))
      return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  }
  throw new TypeError(
    `credentials.${name} must be { username, password } without control characters, and without ':' in the user name.`,
  );
}
