import type { Contract, Operation } from '../document/read-contract.ts';
import { resolve, type SecurityScheme } from '../schema/openapi-document.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';
import type { Credentials } from './credential-kinds.ts';

/** Where an API key may be. */
const KEY_LOCATIONS = ['header', 'query', 'cookie'];

/** The kind of credentials of a security scheme; undefined for a scheme that is not served. */
export function credentialsOf(securityScheme: SecurityScheme): keyof Credentials | undefined {
  const { type, scheme, name, in: location = '' } = securityScheme;
  if (type === 'oauth2' || type === 'openIdConnect') return 'bearer';
  if (type === 'apiKey') return (name ?? '') !== '' && KEY_LOCATIONS.includes(location) ? 'apiKey' : undefined;
  const http = type === 'http' ? (scheme ?? '').toLowerCase() : '';
  if (http === 'basic' || http === 'bearer') return http;
  return /^[\w!#$%&'*+.^`|~-]+$/.test(http) ? 'http' : undefined;
}

/** The security schemes that an operation names, served or not. */
export function schemesOf({ document }: Contract, { security }: Operation): ReadonlyMap<string, SecurityScheme> {
  const named = new Set(security.flatMap((requirement) => Object.keys(requirement)));
  const schemes = Object.entries(document.components?.securitySchemes ?? {}).filter(([name]) => named.has(name));
  return new Map(schemes.map(([name, reference]) => [name, resolve(document, reference)]));
}

/** The schemes of an operation whose credentials the library cannot read. */
export function refusedSchemes(contract: Contract, operation: Operation): readonly Diagnostic[] {
  return [...schemesOf(contract, operation)]
    .filter(([, scheme]) => credentialsOf(scheme) === undefined)
    .map(([name, node]) => ({ node, key: 'type', reason: `the security scheme '${name}' ${unserved(node)}` }));
}

/** Why a scheme is not served, and the way out. */
function unserved({ type, scheme }: SecurityScheme): string {
  if (type === 'mutualTLS') {
    return 'is mutualTLS, which is not served: verify client certificates in the proxy that ends TLS, and leave it out.';
  }
  if (type === 'apiKey') return 'must have a name, and be in a header, query or cookie.';
  return `of the type ${type}${scheme === undefined ? '' : ` ${scheme}`} is not served: use http with the name of a scheme, apiKey, oauth2 or openIdConnect.`;
}
