import type { IncomingMessage } from 'node:http';
import { types } from 'node:util';
import { isObject } from '../schema/openapi-document.ts';
import type { Credentials } from './credential-kinds.ts';

/**
 * The authenticated sender of a request.
 * @example const principal: Principal = { name: 'anna' };
 */
export interface Principal {
  /** A name for logs, not empty; never the credentials. */
  readonly name: string;
}

/** Whether a value is a principal: verifiers may be written without types. */
export function isPrincipal(value: unknown): value is Principal {
  // `instanceof` misses errors of another realm, such as a test runner's.
  const isError = value instanceof Error || types.isNativeError(value);
  return !isError && isObject(value) && typeof value['name'] === 'string' && value['name'] !== '';
}

/**
 * Verifies the credentials that the library has read from a request. Returns undefined, or a
 * promise of it, for credentials that are not valid: the library responds 401 with the scheme's
 * challenge. Throws a RequestError: 403 for insufficient rights, 503 if verification is not
 * possible. Any other value without a name is a mistake of the verifier: the library responds 500.
 * @param scopes the scopes or roles that the contract's `security` asks for.
 * @example
 * const verify: Verifier<string> = (token) => (token === 'secret' ? { name: 'me' } : undefined);
 */
export type Verifier<C, User extends Principal = Principal> = (
  credentials: C,
  scopes: readonly string[],
  request: IncomingMessage,
) => User | undefined | Promise<User | undefined>;

/**
 * A verifier for each security scheme of the generated `securitySchemes`, and for nothing else.
 * `User` is the principal that handlers get.
 * @example
 * const verifiers: Verifiers<securitySchemes, User> = {
 *   bearerAuth: async (token) => users.get(token),
 * };
 */
export type Verifiers<Schemes, User extends Principal = Principal> = {
  readonly [Name in keyof Schemes]: Schemes[Name] extends keyof Credentials
    ? Verifier<Credentials[Schemes[Name]], User>
    : never;
};

/** Verifiers as the library calls them, by the name of the security scheme in the contract. */
export type AnyVerifiers = Readonly<Record<string, Verifier<never>>>;
