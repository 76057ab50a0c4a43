import { readProviderUrl } from './provider-url.ts';

/** Whose JWT access tokens are accepted, and which of them. */
export interface IdentityProvider {
  /** Its issuer identifier, exactly as its tokens carry it. */
  readonly issuer: string;
  /** What its tokens call this service. */
  readonly audience: string;
  /** Where its keys are; undefined: its metadata say so. */
  readonly jwksUrl: URL | undefined;
  /** The scopes that a token must have, each of them. */
  readonly requiredScope: readonly string[];
  /** The signature algorithms that a token may have. */
  readonly algorithms: readonly string[];
}

/**
 * The signatures that only the provider can make (RFC 7518, section 3.1; RFC 8037; RFC 9864). Those with a shared secret, and none at
 * all, are not to be had: whoever can verify such a token could make one (RFC 8725, sections 2.1 and 3.2).
 */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
const DEFAULT_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
const URL_FORM = 'an https URL (http to this machine only) without password or fragment';

/**
 * Reads the settings of an identity provider.
 * @param problems gets a line for each bad one.
 * @returns null when there is none.
 */
export function readIdentityProvider(
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): IdentityProvider | null {
  const {
    AUTH_ISSUER: issuer = '',
    AUTH_AUDIENCE: audience = '',
    AUTH_JWKS_URL: jwks = '',
    AUTH_REQUIRED_SCOPE: scope = '',
    AUTH_ALGORITHMS: named = '',
  } = environment;
  const given = { AUTH_AUDIENCE: audience, AUTH_JWKS_URL: jwks, AUTH_REQUIRED_SCOPE: scope, AUTH_ALGORITHMS: named };
  if (issuer === '') {
    const useless = Object.entries(given).filter(([, value]) => value !== '');
    for (const [name] of useless) problems.push(`${name} needs AUTH_ISSUER, the identity provider that it is about`);
    return null;
  }
  if (readProviderUrl(issuer) === undefined || issuer.includes('?')) {
    problems.push(`AUTH_ISSUER must be ${URL_FORM} or query, such as https://login.example.com`);
  }
  if (audience === '') problems.push('AUTH_AUDIENCE must be set with AUTH_ISSUER: what its tokens call this service');
  else if (/\p{C}/u.test(audience)) problems.push('AUTH_AUDIENCE must be a text without control characters');
  const jwksUrl = readProviderUrl(jwks);
  if (jwks !== '' && jwksUrl === undefined) {
    problems.push(`AUTH_JWKS_URL must be ${URL_FORM}, such as https://login.example.com/keys`);
  }
  // RFC 6749, section 3.3: such a text needs no escapes in a challenge.
  if (!/^(?:[\x21\x23-\x5b\x5d-\x7e]+(?: (?!$)|$))*$/.test(scope)) {
    problems.push(
      `AUTH_REQUIRED_SCOPE must be scopes with a space between them, such as plants:delete, not '${scope}'`,
    );
  }
  const algorithms = named === '' ? DEFAULT_ALGORITHMS : named.split(',').map((name) => name.trim());
  if (!algorithms.every((name) => ALGORITHMS.includes(name))) {
    problems.push(`AUTH_ALGORITHMS must be some of ${ALGORITHMS.join(',')}, not '${named}'`);
  }
  return { issuer, audience, jwksUrl, requiredScope: scope === '' ? [] : scope.split(' '), algorithms };
}
