import type { IncomingMessage } from 'node:http';
import { didYouMean } from '../errors/nearest.ts';
import { ConfigurationError, RequestError } from '../errors/errors.ts';
import { requireFunction } from '../errors/require-function.ts';
import type { Contract, Operation } from '../document/read-contract.ts';
import { resolve, type SecurityScheme } from '../schema/openapi-document.ts';
import type { Credentials } from './credential-kinds.ts';
import { credentialReader, type CredentialReader } from './credentials.ts';
import { credentialsOf } from './schemes.ts';
import { isPrincipal, type AnyVerifiers, type Principal, type Verifier } from './verifier.ts';

/**
 * Verifies a request against an operation's `security`; undefined where credentials are optional.
 * Returns at once unless a verifier or the guard returns a promise.
 * @throws RequestError 401 with `WWW-Authenticate`, or as a Verifier does.
 */
export type Authenticator = (request: IncomingMessage) => Principal | undefined | Promise<Principal | undefined>;

/**
 * Gets the outcome of each authentication, for example for a rate limit. Promises are awaited.
 * @example
 * const guard: Guard = {
 *   accept: ({ name }) => limiter.require(name),
 *   refuse: ({ socket }) => limiter.count(socket),
 * };
 */
export interface Guard {
  /** @throws RequestError to refuse a client that is authenticated. */
  readonly accept: (principal: Principal) => void | Promise<void>;
  /**
   * Runs for refused credentials, also if others let the request in, or none are needed.
   * @throws RequestError that replaces the refusal.
   */
  readonly refuse: (request: IncomingMessage, refusal: RequestError) => void | Promise<void>;
}

/** A security scheme as an operation asks for it. */
interface RequiredScheme extends CredentialReader {
  readonly name: string;
  readonly verifier: Verifier<Credentials[keyof Credentials]>;
  /** The scopes that the operation asks for. */
  readonly scopes: readonly string[];
}

/** Creates the authenticators of the operations of a contract. */
export class Authentication {
  readonly #schemes: ReadonlyMap<string, SecurityScheme>;
  readonly #verifiers: AnyVerifiers;
  readonly #realm: string;
  readonly #guard: Guard | undefined;

  /**
   * @param options.realm the protection space of challenges.
   * @throws ConfigurationError when a scheme of the contract, used or not, has no verifier.
   */
  constructor(
    contract: Contract,
    verifiers: AnyVerifiers,
    { realm, guard }: { readonly realm: string; readonly guard: Guard | undefined },
  ) {
    this.#verifiers = verifiers;
    this.#realm = realm;
    this.#guard = guard;
    const schemes = Object.entries(contract.document.components?.securitySchemes ?? {});
    this.#schemes = new Map(schemes.map(([name, scheme]) => [name, resolve(contract.document, scheme)]));
    const needless = Object.keys(verifiers).find((name) => !this.#schemes.has(name));
    if (needless !== undefined) {
      const question = didYouMean(needless, this.#schemes.keys());
      throw new ConfigurationError(
        `The verifier '${needless}' belongs to no security scheme of the contract.${question}`,
      );
    }
    for (const [name, scheme] of this.#schemes) if (credentialsOf(scheme) !== undefined) this.#verifierOf(name);
  }

  /**
   * The authenticator of an operation. One alternative of its `security` must hold, with all its
   * schemes; an empty alternative comes last.
   * @throws ConfigurationError when a scheme has no verifier: it fails closed.
   */
  authenticatorOf({ security }: Operation): Authenticator {
    const alternatives = security
      .map((requirement) => Object.entries(requirement).map(([name, scopes]) => this.#scheme(name, scopes)))
      .toSorted((a, b) => Number(a.length === 0) - Number(b.length === 0));
    if (alternatives.length === 0) return () => undefined;
    const unauthenticated = withAllChallenges(alternatives);
    const guard = this.#guard;
    const [scheme, ...furtherSchemes] = alternatives.length === 1 ? alternatives.flat() : [];
    return scheme !== undefined && furtherSchemes.length === 0
      ? (request) => authenticateWith(scheme, unauthenticated, guard, request)
      : (request) => authenticateWithAny(alternatives, unauthenticated, guard, request);
  }

  #scheme(name: string, scopes: readonly string[]): RequiredScheme {
    const verifier = this.#verifierOf(name);
    const scheme = this.#schemes.get(name);
    if (scheme === undefined) throw new ConfigurationError(`The contract declares no security scheme '${name}'.`);
    return { ...credentialReader(scheme, this.#realm), name, verifier, scopes };
  }

  #verifierOf(name: string): Verifier<Credentials[keyof Credentials]> {
    const verifier = Object.hasOwn(this.#verifiers, name) ? this.#verifiers[name] : undefined;
    if (verifier === undefined) {
      throw new ConfigurationError(
        `The security scheme '${name}' of the contract has no verifier: add one to the verifiers that contractMiddleware is given.`,
      );
    }
    requireFunction(verifier, `The verifier of '${name}'`);
    // The compiler has checked it against its kind of scheme, whose reader makes the credentials.
    return verifier as Verifier<Credentials[keyof Credentials]>;
  }
}

/** Authenticates with the only scheme of an operation. */
function authenticateWith(
  scheme: RequiredScheme,
  unauthenticated: RequestError,
  guard: Guard | undefined,
  request: IncomingMessage,
): Principal | Promise<Principal> {
  const outcome = verify(scheme, request);
  return outcome instanceof Promise
    ? outcome.then((settled) => settle(settled ?? unauthenticated, guard, request))
    : settle(outcome ?? unauthenticated, guard, request);
}

/**
 * Tries the alternatives in turn. Failures other than a refusal end the search.
 * @param unauthenticated the refusal of a request without any credentials.
 */
async function authenticateWithAny(
  alternatives: readonly (readonly RequiredScheme[])[],
  unauthenticated: RequestError,
  guard: Guard | undefined,
  request: IncomingMessage,
): Promise<Principal | undefined> {
  let refusal: RequestError | undefined;
  for (const schemes of alternatives) {
    const outcome = schemes.length === 0 ? undefined : await verifyAll(schemes, request);
    if (outcome instanceof RequestError) refusal = stronger(refusal, outcome);
    else if (outcome !== undefined || schemes.length === 0) {
      // Refused credentials count as such where others, or none, let the request in.
      if (refusal !== undefined) await guard?.refuse(request, refusal);
      return outcome && settle(outcome, guard, request);
    }
  }
  return settle(refusal ?? unauthenticated, guard, request);
}

/**
 * The verdict of a scheme on a request: who sends it, a refusal, or undefined without credentials.
 */
type Outcome = Principal | RequestError | undefined;

/** The outcome of schemes that must all hold: the last principal, or the first other outcome. */
async function verifyAll(schemes: readonly RequiredScheme[], request: IncomingMessage): Promise<Outcome> {
  let principal: Principal | undefined;
  for (const scheme of schemes) {
    const outcome = await verify(scheme, request);
    if (outcome === undefined || outcome instanceof RequestError) return outcome;
    principal = outcome;
  }
  return principal;
}

function verify(scheme: RequiredScheme, request: IncomingMessage): Outcome | Promise<Outcome> {
  try {
    const credentials = scheme.readCredentials(request);
    if (credentials === undefined) return undefined;
    const found: unknown = scheme.verifier(credentials, scheme.scopes, request);
    // Not instanceof: the promise may come from another realm, as Node.js's own do under Jest.
    return typeof found === 'object' && found !== null && 'then' in found
      ? Promise.resolve(found).then(
          (settled) => principalOf(scheme, settled),
          (error: unknown) => refusalIn(scheme, error),
        )
      : principalOf(scheme, found);
  } catch (error) {
    return refusalIn(scheme, error);
  }
}

/**
 * @throws Error for anything else, such as an error that was returned or the rows of a database.
 */
function principalOf({ name, invalid }: RequiredScheme, found: unknown): Principal | RequestError {
  if (found === undefined || found === null || found === false) return invalid;
  if (isPrincipal(found)) return found;
  throw new Error(`The verifier of '${name}' must resolve to an object with a name.`);
}

/** The refusal that a reader or a verifier has thrown. @throws any other failure. */
function refusalIn({ invalid }: RequiredScheme, thrown: unknown): RequestError {
  if (!(thrown instanceof RequestError) || (thrown.status !== 401 && thrown.status !== 403)) throw thrown;
  const { reason, message, status, outcome, headers } = thrown;
  const isComplete = Object.keys(headers).some((name) => name.toLowerCase() === 'www-authenticate');
  if (status === 403 || isComplete) return thrown;
  // A 401 must have a challenge (RFC 9110, section 15.5.2).
  const challenged = { ...headers, ...invalid.headers };
  return new RequestError(reason, message, { status, outcome, headers: challenged, cause: thrown });
}

function stronger(first: RequestError | undefined, second: RequestError): RequestError {
  // Insufficient rights say more than invalid credentials.
  return first === undefined || (second.status === 403 && first.status !== 403) ? second : first;
}

/** Tells the guard of the outcome, which is then returned or thrown. */
function settle(
  outcome: Principal | RequestError,
  guard: Guard | undefined,
  request: IncomingMessage,
): Principal | Promise<Principal> {
  const told = outcome instanceof RequestError ? guard?.refuse(request, outcome) : guard?.accept(outcome);
  return told === undefined ? requirePrincipal(outcome) : Promise.resolve(told).then(() => requirePrincipal(outcome));
}

function requirePrincipal(outcome: Principal | RequestError): Principal {
  if (outcome instanceof RequestError) throw outcome;
  return outcome;
}

/** The refusal of a request without credentials, with the need and the challenge of each scheme. */
function withAllChallenges(alternatives: readonly (readonly RequiredScheme[])[]): RequestError {
  const schemes = alternatives.flat();
  const challenges = new Set(schemes.map(({ challenge }) => challenge));
  const headers = { 'WWW-Authenticate': [...challenges].join(', ') };
  const needed = alternatives
    .filter(({ length }) => length > 0)
    .map((all) => [...new Set(all.map(({ need }) => need))].join(' And '));
  return new RequestError('noCredentials', `This operation needs ${[...new Set(needed)].join(' Or ')}`, { headers });
}
