import type { Setting } from '../../setting.ts';
import { readProviderUrl } from './provider-url.ts';

/** An identity provider whose JWT access tokens are accepted, under these conditions. */
export interface IdentityProvider {
  /** The issuer identifier, exactly as in the tokens. */
  readonly issuer: string;
  /** The audience that the tokens must name. */
  readonly audience: string;
  /** The URL of the keys; null: read it from the provider's metadata. */
  readonly jwksUrl: URL | null;
  /** Scopes that a token must have, all of them. */
  readonly requiredScope: readonly string[];
  /** The accepted signature algorithms. */
  readonly algorithms: readonly string[];
}

/**
 * Asymmetric signature algorithms (RFC 7518, section 3.1; RFC 8037; RFC 9864). Shared secrets and
 * `none` are excluded: a verifier of such tokens could forge them (RFC 8725, sections 2.1, 3.2).
 */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
export const DEFAULT_ALGORITHMS = 'RS256,PS256,ES256,EdDSA,Ed25519';
const URL_FORM = 'an https URL (http to this machine only) without password or fragment';

/** How a setting of an identity provider is read. */
type Reading<T> = Pick<Setting<T>, 'expected' | 'parse' | 'isConfidential'>;

export const ISSUER: Reading<string> = {
  expected: `${URL_FORM} or query, such as https://login.example.com`,
  parse: (text) => (text === '' || (readProviderUrl(text) && !text.includes('?')) ? text : undefined),
  isConfidential: true,
};

export const AUDIENCE: Reading<string> = {
  expected: 'a text without control characters',
  parse: (text) => (/\p{C}/u.test(text) ? undefined : text),
  isConfidential: true,
};

export const REQUIRED_SCOPE: Reading<readonly string[]> = {
  expected: 'scopes with a space between them, such as plants:delete',
  parse: (text) => {
    if (text === '') return [];
    // RFC 6749, section 3.3: such a text needs no escapes in a challenge.
    return /^(?:[\x21\x23-\x5b\x5d-\x7e]+(?: (?!$)|$))*$/.test(text) ? text.split(' ') : undefined;
  },
};

export const JWKS_URL: Reading<URL | null> = {
  expected: `${URL_FORM}, such as https://login.example.com/keys`,
  parse: (text) => (text === '' ? null : readProviderUrl(text)),
  isConfidential: true,
};

export const SIGNATURE_ALGORITHMS: Reading<readonly string[]> = {
  expected: `some of ${ALGORITHMS.join(',')}`,
  parse: (text) => {
    const names = (text === '' ? DEFAULT_ALGORITHMS : text).split(',').map((name) => name.trim());
    return names.every((name) => ALGORITHMS.includes(name)) ? names : undefined;
  },
};
