import type { IncomingMessage } from 'node:http';
import { OperatorError, RequestError } from '../errors.ts';
import type { Contract, Operation } from './document/load.ts';

/** The authenticated sender of a request. */
export interface Principal {
  /** A name for logs; never the credentials. */
  readonly name: string;
}

/**
 * Verifies the credentials of one security scheme. Rejects with a RequestError: 401 with
 * `WWW-Authenticate` for missing or invalid credentials, 403 for insufficient rights, 503 if
 * verification is not possible.
 */
export type Verifier = (request: IncomingMessage, scopes: readonly string[]) => Promise<Principal>;

/** Verifiers by the name of the security scheme in the contract. */
export type Verifiers = Readonly<Record<string, Verifier>>;

/**
 * Verifies a request against an operation's `security`; undefined where credentials are optional.
 * Rejects as a Verifier does.
 */
export type Authenticator = (request: IncomingMessage) => Promise<Principal | undefined>;

/**
 * Statuses that refuse credentials. Other failures do not, so no alternative is tried after them.
 */
const REFUSALS = [401, 403];

/**
 * Creates the authenticator of an operation. One alternative of its `security` must hold, with all
 * its schemes; otherwise the first refusal is thrown, 403 before 401 (RFC 9110, section 15.5.4).
 * @throws OperatorError when a scheme has no verifier: it fails closed.
 */
export function createAuthenticator({ security }: Operation, verifiers: Verifiers): Authenticator {
  const alternatives = security.map((requirement) =>
    Object.entries(requirement).map(([scheme, scopes]) => ({ verify: verifierOf(scheme, verifiers), scopes })),
  );
  return async (request) => {
    let refusal: RequestError | undefined;
    for (const schemes of alternatives) {
      try {
        let principal: Principal | undefined;
        for (const { verify, scopes } of schemes) principal = await verify(request, scopes);
        return principal;
      } catch (error) {
        if (!(error instanceof RequestError) || !REFUSALS.includes(error.status)) throw error;
        if (refusal === undefined || error.status > refusal.status) refusal = error;
      }
    }
    if (refusal !== undefined) throw refusal;
    return undefined;
  };
}

/**
 * Requires a verifier for every scheme that the contract declares, used or not.
 * @throws OperatorError that names the scheme without one.
 */
export function requireVerifiers({ document }: Contract, verifiers: Verifiers): void {
  for (const scheme of Object.keys(document.components?.securitySchemes ?? {})) verifierOf(scheme, verifiers);
}

function verifierOf(scheme: string, verifiers: Verifiers): Verifier {
  const verifier = Object.hasOwn(verifiers, scheme) ? verifiers[scheme] : undefined;
  if (verifier !== undefined) return verifier;
  throw new OperatorError(
    `The security scheme '${scheme}' of the contract has no verifier: add one to the verifiers that createApp is given.`,
  );
}
