import type { IncomingMessage } from 'node:http';
import { RequestError } from '../../errors.ts';
import type { SecurityScheme } from '../document/openapi-document.ts';
import { challenge } from './challenge.ts';
import { kindOf } from './schemes.ts';
import type { Credentials } from './verifier.ts';

/** The refusals of one security scheme, created once. */
interface Refusals {
  /** For a request without its credentials. */
  readonly missing: RequestError;
  /** For credentials that are malformed or that the verifier does not know: the same for both. */
  readonly invalid: RequestError;
}

/** Reads the credentials of one security scheme from requests. */
export interface CredentialReader extends Refusals {
  /** @throws RequestError `missing` or, for malformed credentials, `invalid`. */
  read(request: IncomingMessage): Credentials[keyof Credentials];
}

/**
 * The reader of a security scheme that {@link kindOf} knows.
 * @param realm the protection space that challenges name.
 */
export function credentialReader(scheme: SecurityScheme, realm: string): CredentialReader {
  const kind = kindOf(scheme);
  if (kind === 'basic') return new BasicReader(realm);
  return kind === 'bearer' ? new BearerReader(realm) : new ApiKeyReader(scheme, realm);
}

/**
 * The characters that continue the name of an authentication scheme, or an empty rest: 'Bearer: x'
 * is a malformed Bearer, 'Bearers x' another scheme, and 'Bearer' alone carries no credentials.
 */
const NOT_CREDENTIALS = String.raw`(?![\w!#$%&'*+.^${'`'}|~-]|[ \t]*$)`;

/** Bearer tokens of the Authorization header: RFC 6750, section 2.3, discourages the query. */
class BearerReader implements CredentialReader {
  static readonly #TOKEN = /^bearer +(\S+)$/i;
  static readonly #SCHEME = new RegExp(`^bearer${NOT_CREDENTIALS}`, 'i');
  readonly missing: RequestError;
  readonly invalid: RequestError;

  constructor(realm: string) {
    this.missing = missing(
      "This operation needs a token: send the header 'Authorization: Bearer <ACCESS_TOKEN>'.",
      challenge('Bearer', { realm }),
    );
    this.invalid = invalid(
      'The access token is not valid: ask the operator of the service for a new one.',
      challenge('Bearer', { realm, error: 'invalid_token' }),
    );
  }

  read({ headers: { authorization = '' } }: IncomingMessage): string {
    const token = BearerReader.#TOKEN.exec(authorization)?.[1];
    if (token !== undefined) return token;
    throw BearerReader.#SCHEME.test(authorization) ? this.invalid : this.missing;
  }
}

/** User names and passwords of the Authorization header, in UTF-8 (RFC 7617, section 2.1). */
class BasicReader implements CredentialReader {
  static readonly #BASE64 = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
  static readonly #SCHEME = new RegExp(`^basic${NOT_CREDENTIALS}`, 'i');
  static readonly #UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly missing: RequestError;
  readonly invalid: RequestError;

  constructor(realm: string) {
    const basic = challenge('Basic', { realm, charset: 'UTF-8' });
    this.missing = missing(
      "This operation needs a user name and a password: send the header 'Authorization: Basic <BASE64>'.",
      basic,
    );
    this.invalid = invalid('The user name or the password is not valid.', basic);
  }

  read({ headers: { authorization = '' } }: IncomingMessage): Credentials['basic'] {
    const base64 = BasicReader.#BASE64.exec(authorization)?.[1];
    if (base64 === undefined) throw BasicReader.#SCHEME.test(authorization) ? this.invalid : this.missing;
    const text = this.#decode(base64);
    const colon = text.indexOf(':');
    // Neither part may hold control characters (section 2).
    if (colon === -1 || /\p{Cc}/u.test(text)) throw this.invalid;
    return { username: text.slice(0, colon), password: text.slice(colon + 1) };
  }

  #decode(base64: string): string {
    try {
      return BasicReader.#UTF8.decode(Buffer.from(base64, 'base64'));
    } catch {
      throw this.invalid;
    }
  }
}

/**
 * API keys. The challenge is the unregistered `ApiKey`, since a 401 must have one (RFC 9110,
 * section 15.5.2).
 */
class ApiKeyReader implements CredentialReader {
  readonly missing: RequestError;
  readonly invalid: RequestError;
  readonly #texts: (request: IncomingMessage) => readonly string[];

  constructor({ in: location = '', name = '' }: SecurityScheme, realm: string) {
    const place = location === 'query' ? 'query parameter' : location;
    const own = challenge('ApiKey', { realm, in: location, name });
    this.missing = missing(`This operation needs an API key: send it in the ${place} '${name}'.`, own);
    this.invalid = invalid('The API key is not valid: ask the operator of the service for a new one.', own);
    const key = name.toLowerCase();
    if (location === 'query') this.#texts = ({ url }): readonly string[] => queryTexts(url, name);
    else if (location === 'cookie') this.#texts = ({ headers }): readonly string[] => cookieTexts(headers.cookie, name);
    else this.#texts = ({ headersDistinct }): readonly string[] => headersDistinct[key] ?? [];
  }

  read(request: IncomingMessage): string {
    const [text = '', ...others] = this.#texts(request).filter((one) => one !== '');
    // Of two keys, another program on the way may have seen the other one.
    if (others.length > 0) throw this.invalid;
    if (text === '') throw this.missing;
    return text;
  }
}

function queryTexts(url = '', name: string): readonly string[] {
  const start = url.indexOf('?');
  return start === -1 ? [] : new URLSearchParams(url.slice(start + 1)).getAll(name);
}

/** The values of a cookie (RFC 6265, section 4.2.1), as they are. */
function cookieTexts(header = '', name: string): readonly string[] {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

function missing(message: string, own: string): RequestError {
  return new RequestError('noCredentials', message, { headers: { 'WWW-Authenticate': own } });
}

function invalid(message: string, own: string): RequestError {
  return new RequestError('invalidToken', message, { headers: { 'WWW-Authenticate': own } });
}
