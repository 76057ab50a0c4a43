import type { Credentials } from '../security/credential-kinds.ts';
import type { CallBounds } from './call-bounds.ts';
import { FIELD_VALUE } from './given-parameter.ts';
import { importCredentials, loadModule } from './load-modules.ts';
import type { PlacedCredential } from './placed-credential.ts';
import type { ContractShapes, OperationShape, SecuritySchemeShape } from './shape.ts';

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
 * @throws TypeError for credentials that cannot be sent, what a function throws, and what
 * `loadModule` throws.
 */
export async function placeCredentials(
  all: readonly SchemeCredentials[],
  bounds: CallBounds,
): Promise<PlacedCredential[]> {
  return Promise.all(
    all.map(async ({ name, scheme, provided }) => {
      const value: unknown = typeof provided === 'function' ? await (provided as () => unknown)() : provided;
      if (isBearer(scheme)) return { in: 'header', name: 'Authorization', text: `Bearer ${accessToken(value)}` };
      const { placedCredential } = await loadModule(importCredentials, bounds);
      return placedCredential(value, name, scheme, FIELD_VALUE);
    }),
  );
}

/** An access token (RFC 6750, section 2.1). Messages do not repeat it. */
function accessToken(value: unknown): string {
  if (typeof value === 'string' && /^[\w.~+/-]+=*$/.test(value)) return value;
  throw new TypeError('An access token must be letters, digits and -._~+/ without spaces (RFC 6750).');
}
