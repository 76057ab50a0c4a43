import type { IncomingMessage } from 'node:http';
import { OperatorError, RequestError } from '../errors.ts';
import type { Contract, Operation } from './document/load.ts';

/** Who sent a request, as far as its credentials tell. */
export interface Principal {
  /** A name for logs; never the credentials themselves. */
  readonly name: string;
}

/**
 * Verifies the credentials of one security scheme. It throws, or rejects with, a RequestError that carries the answer: 401 with
 * `WWW-Authenticate` when they are missing or bad, 403 when they are good but do not suffice, 503 when they could not be verified.
 */
export type Verifier = (request: IncomingMessage, scopes: readonly string[]) => Principal | Promise<Principal>;

/** The statuses of a refusal. Any other failure does not tell whether the credentials are good: no alternative makes up for it. */
const REFUSALS = [401, 403];

/** Verifies a request against an operation's `security`; undefined for operations that anybody may call. It fails as a Verifier does. */
export type Authenticator = (request: IncomingMessage) => Principal | undefined | Promise<Principal | undefined>;

/**
 * An authenticator for an operation: one of its alternatives must hold, with all the schemes it names. When none does, the
 * answer of the first is given: that of the first with good credentials, if there are any (RFC 9110, section 15.5.4).
 * @throws OperatorError when a scheme has no verifier: the service never fails open.
 */
export function createAuthenticator(
  operation: Operation,
  verifiers: Readonly<Record<string, Verifier>>,
): Authenticator {
  const alternatives = operation.security.map((requirement) =>
    Object.entries(requirement).map(([scheme, scopes]) => ({ verify: verifierOf(scheme, verifiers), scopes })),
  );
  const [only, ...others] = alternatives.flat();
  // The usual contract, spared the loops below.
  if (only !== undefined && others.length === 0 && alternatives.length === 1) {
    return (request) => {
      const found = only.verify(request, only.scopes);
      // A promise of another kind, such as a database client's own, must not pass for the one whom it will name.
      return 'then' in found ? Promise.resolve(found) : found;
    };
  }
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
 * @throws OperatorError naming the scheme without one.
 */
export function requireVerifiers({ document }: Contract, verifiers: Readonly<Record<string, Verifier>>): void {
  for (const scheme of Object.keys(document.components?.securitySchemes ?? {})) verifierOf(scheme, verifiers);
}

function verifierOf(scheme: string, verifiers: Readonly<Record<string, Verifier>>): Verifier {
  const verifier = Object.hasOwn(verifiers, scheme) ? verifiers[scheme] : undefined;
  if (verifier !== undefined) return verifier;
  throw new OperatorError(
    `The security scheme '${scheme}' of the contract has no verifier: add one to the verifiers that createApp is given.`,
  );
}
