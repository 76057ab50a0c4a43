import type { IncomingMessage } from 'node:http';
import { RequestError } from '../errors/errors.ts';
import type { SecurityScheme } from '../schema/openapi-document.ts';
import { requireOnce } from '../http/repeated-header.ts';
import { challenge } from './challenge.ts';
import { credentialsOf } from './schemes.ts';
import type { Credentials } from './credential-kinds.ts';

/** Reads the credentials of one security scheme from requests. Its refusal is created once. */
export interface CredentialReader {
  /** What a request needs, as the end of a sentence: `a token: send the header …`. */
  readonly need: string;
  /** The challenge to a request without its credentials. */
  readonly challenge: string;
  /** For credentials that are malformed or that the verifier does not know: the same for both. */
  readonly invalid: RequestError;
  /** @returns undefined without credentials. @throws RequestError `invalid` for malformed ones. */
  readonly readCredentials: (request: IncomingMessage) => Credentials[keyof Credentials] | undefined;
}

/**
 * The reader of a security scheme that {@link credentialsOf} knows.
 * @param realm the protection space that challenges name.
 */
export function credentialReader(scheme: SecurityScheme, realm: string): CredentialReader {
  const kind = credentialsOf(scheme);
  if (kind === 'apiKey') return apiKeyReader(scheme, realm);
  if (kind === 'basic') return schemeReader('Basic', { realm, charset: 'UTF-8' }, {}, basicCredentials);
  if (kind === 'http') return schemeReader(scheme.scheme ?? '', { realm }, {}, (text) => text);
  // RFC 6750, section 3.1; section 2.3 discourages tokens in the query.
  return schemeReader('Bearer', { realm }, { error: 'invalid_token' }, (text) => (/\s/.test(text) ? undefined : text));
}

/** What a client sends behind the name of a scheme, for messages. */
const CREDENTIAL_EXAMPLES: ReadonlyMap<string, readonly [what: string, example: string, invalid: string]> = new Map([
  ['Basic', ['a user name and a password', 'BASE64', 'The user name or the password is not valid.']],
  ['Bearer', ['a token', 'ACCESS_TOKEN', 'The token is not valid.']],
] as const);
const OTHER = ['credentials', 'CREDENTIALS', 'The credentials are not valid.'] as const;

/** The name of an authentication scheme (RFC 9110, section 11.4). */
const SCHEME = /^[\w!#$%&'*+.^`|~-]*/;

/**
 * Reads the Authorization header.
 * @param parameters of the challenge. @param invalidParameters added for invalid credentials.
 * @param parse returns undefined for malformed credentials.
 */
function schemeReader(
  scheme: string,
  parameters: Readonly<Record<string, string>>,
  invalidParameters: Readonly<Record<string, string>>,
  parse: (text: string) => Credentials[keyof Credentials] | undefined,
): CredentialReader {
  const [what, example, wrong] = CREDENTIAL_EXAMPLES.get(scheme) ?? OTHER;
  const need = `${what}: send the header 'Authorization: ${scheme} <${example}>'.`;
  const invalid = invalidCredentials(wrong, challenge(scheme, { ...parameters, ...invalidParameters }));
  const wanted = scheme.toLowerCase();
  // 'Bearer: x' is a malformed Bearer, 'Bearers x' another scheme, 'Bearer' has no credentials.
  const readCredentials = (request: IncomingMessage): Credentials[keyof Credentials] | undefined => {
    requireOnce(request, 'Authorization');
    const { authorization = '' } = request.headers;
    const [name = ''] = SCHEME.exec(authorization) ?? [];
    const behindName = authorization.slice(name.length);
    if (name.toLowerCase() !== wanted || behindName.trim() === '') return undefined;
    const credentials = behindName.startsWith(' ') ? parse(behindName.replace(/^ +/, '')) : undefined;
    if (credentials === undefined) throw invalid;
    return credentials;
  };
  return { need, challenge: challenge(scheme, parameters), invalid, readCredentials };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A user name and a password, in UTF-8 (RFC 7617, section 2.1); undefined for malformed ones. */
function basicCredentials(base64: string): Credentials['basic'] | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    const text = UTF8.decode(Buffer.from(base64, 'base64'));
    const colon = text.indexOf(':');
    // Neither part may hold control characters (section 2).
    if (colon === -1 || /\p{Cc}/u.test(text)) return undefined;
    return { username: text.slice(0, colon), password: text.slice(colon + 1) };
  } catch {
    return undefined;
  }
}

/**
 * API keys. The challenge is the unregistered `ApiKey`, since a 401 must have one (RFC 9110,
 * section 15.5.2).
 */
function apiKeyReader({ in: location = '', name = '' }: SecurityScheme, realm: string): CredentialReader {
  const own = challenge('ApiKey', { realm, in: location, name });
  const place = location === 'query' ? 'query parameter' : location;
  const need = `an API key: send it in the ${place} '${name}'.`;
  const invalid = invalidCredentials('The API key is not valid.', own);
  const readCredentials = (request: IncomingMessage): string | undefined => {
    const [text = '', ...furtherKeys] = keysIn(request, location, name);
    // Of two keys, another program on the way may have seen the other one, also when one is empty.
    if (furtherKeys.length > 0) throw invalid;
    return text === '' ? undefined : text;
  };
  return { need, challenge: own, invalid, readCredentials };
}

function keysIn(
  { url = '', headers, headersDistinct }: IncomingMessage,
  location: string,
  name: string,
): readonly string[] {
  if (location === 'query') return new URLSearchParams(/\?(.*)/s.exec(url)?.[1]).getAll(name);
  return location === 'cookie' ? cookieTexts(headers.cookie, name) : (headersDistinct[name.toLowerCase()] ?? []);
}

/**
 * The values of a cookie (RFC 6265, section 4.2.1), as they are. A name with white space behind it,
 * or without a value, may be read by other programs.
 */
function cookieTexts(header = '', name: string): readonly string[] {
  const texts: string[] = [];
  for (const pair of header.split(';')) {
    const end = pair.includes('=') ? pair.indexOf('=') : pair.length;
    if (pair.slice(0, end).trim() === name) texts.push(pair.slice(end + 1).trimEnd());
  }
  return texts;
}

function invalidCredentials(message: string, own: string): RequestError {
  return new RequestError('invalidCredentials', message, { headers: { 'WWW-Authenticate': own } });
}
