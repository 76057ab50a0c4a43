import type { IncomingMessage } from 'node:http';
import { didYouMean } from '../document/nearest.ts';
import { ConfigurationError, RequestError } from '../errors.ts';
import { requireFunction } from '../require-options.ts';
import type { Contract, Operation } from '../document/load.ts';
import { resolve, type SecurityScheme } from '../document/openapi-document.ts';
import { credentialReader, type CredentialReader } from './credentials.ts';
import { credentialsOf } from './schemes.ts';
import { isPrincipal, type AnyVerifiers, type Credentials, type Principal, type Verifier } from './verifier.ts';

/**
 * Verifies a request against an operation's `security`; undefined where credentials are optional.
 * Rejects with a RequestError: 401 with `WWW-Authenticate`, or as a Verifier does.
 */
export type Authenticator = (request: IncomingMessage) => Promise<Principal | undefined>;

/**
 * Is told the outcome of each authentication, for example for a rate limit. A promise is awaited.
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
   * Is also told of refused credentials where the operation needs none.
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
   * @param options.realm the protection space of challenges; the contract's title by default.
   * @throws ConfigurationError when a scheme of the contract, used or not, has no verifier.
   */
  constructor(
    contract: Contract,
    verifiers: AnyVerifiers,
    {
      realm = String(contract.document.info['title']),
      guard,
    }: { realm?: string | undefined; guard?: Guard | undefined },
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
    if (alternatives.length === 0) return () => ANONYMOUS;
    const unauthenticated = withAllChallenges(alternatives);
    return (request) => authenticate(alternatives, unauthenticated, this.#guard, request);
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

const ANONYMOUS = Promise.resolve(undefined);

/**
 * Tries the alternatives in turn. Failures other than a refusal end the search.
 * @param unauthenticated the refusal of a request without any credentials.
 */
async function authenticate(
  alternatives: readonly (readonly RequiredScheme[])[],
  unauthenticated: RequestError,
  guard: Guard | undefined,
  request: IncomingMessage,
): Promise<Principal | undefined> {
  let refusal: RequestError = unauthenticated;
  search: for (const schemes of alternatives) {
    // Credentials that were refused count as such where the request is let in without any.
    if (schemes.length === 0 && refusal !== unauthenticated) await guard?.refuse(request, refusal);
    let principal: Principal | undefined;
    try {
      for (const { name, readCredentials, verifier, scopes, invalid } of schemes) {
        const credentials = readCredentials(request);
        if (credentials === undefined) continue search;
        const found: unknown = await verifier(credentials, scopes, request);
        if (found === undefined || found === null || found === false) {
          refusal = stronger(refusal, invalid);
          continue search;
        }
        // Fails closed on an error that was returned, an empty object or the rows of a database.
        if (!isPrincipal(found)) throw new Error(`The verifier of '${name}' must resolve to an object with a name.`);
        principal = found;
      }
    } catch (error) {
      if (!(error instanceof RequestError) || !REFUSAL_STATUSES.includes(error.status)) throw error;
      refusal = stronger(refusal, error);
      continue;
    }
    // Not in the search, where another alternative could let the request in all the same.
    const accepted = principal === undefined ? undefined : guard?.accept(principal);
    // Most guards have nothing to wait for.
    if (accepted !== undefined) await accepted;
    return principal;
  }
  await guard?.refuse(request, refusal);
  throw refusal;
}

/** Statuses that refuse credentials. */
const REFUSAL_STATUSES = [401, 403];

/** The first of two refusals, unless the second one says more. */
function stronger(first: RequestError, second: RequestError): RequestError {
  return refusalRank(second) > refusalRank(first) ? second : first;
}

/** Insufficient rights come before invalid credentials, and those before missing ones. */
function refusalRank({ status, reason }: RequestError): number {
  if (status === 403) return 2;
  return reason === 'noCredentials' ? 0 : 1;
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
