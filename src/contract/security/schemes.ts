import type { Contract, Operation } from '../document/load.ts';
import { resolve, type SecurityScheme } from '../document/openapi-document.ts';
import { Refused } from '../document/refusal.ts';
import type { Credentials } from './verifier.ts';

/** The security schemes of an operation, by name. */
export type Schemes = ReadonlyMap<string, SecurityScheme>;

/** The kind of credentials of a security scheme; undefined for one that is not served. */
export function kindOf({ type, scheme = '', name }: SecurityScheme): keyof Credentials | undefined {
  if (type === 'oauth2' || type === 'openIdConnect') return 'bearer';
  if (type === 'apiKey') return name === undefined ? undefined : 'apiKey';
  const http = type === 'http' ? scheme.toLowerCase() : '';
  return http === 'basic' || http === 'bearer' ? http : undefined;
}

/**
 * The security schemes that an operation asks for.
 * @throws Refused with each whose credentials the engine cannot read.
 */
export function schemesOf({ document }: Contract, { security }: Operation): Schemes {
  const used = new Set(security.flatMap((requirement) => Object.keys(requirement)));
  const schemes = Object.entries(document.components?.securitySchemes ?? {})
    .filter(([name]) => used.has(name))
    .map(([name, reference]): [string, SecurityScheme] => [name, resolve(document, reference)]);
  const refusals = schemes
    .filter(([, scheme]) => kindOf(scheme) === undefined)
    .map(([name, node]) => ({ node, key: 'type', reason: `the security scheme '${name}' ${unserved(node)}` }));
  if (refusals.length > 0) throw new Refused(refusals);
  return new Map(schemes);
}

/** Why a scheme is not served, and the way out. */
function unserved({ type, scheme }: SecurityScheme): string {
  if (type === 'mutualTLS') {
    return 'is mutualTLS, which is not served: verify client certificates in the proxy that ends TLS, and leave it out.';
  }
  if (type === 'apiKey') return 'must have a name: the header, query parameter or cookie of the key.';
  return `of the type ${type}${scheme === undefined ? '' : ` ${scheme}`} is not served: use http basic, http bearer, apiKey, oauth2 or openIdConnect.`;
}
