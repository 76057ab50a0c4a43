import type { IncomingMessage } from 'node:http';
import { holdsToken } from '../auth/tokens/token.ts';

/** Characters of a path that are logged. */
const MAX_PATH_LENGTH = 200;
/** The beginning of a JWT: a JSON object in base64url (RFC 7519). */
const JWT = /eyJ[\w-]{10}/;

/**
 * The path of a request for the log, without query, cut if long; null if it may hold credentials.
 * Node's parser refuses characters other than printable ASCII.
 */
export function loggedPath(request: IncomingMessage & { readonly originalUrl?: string }): string | null {
  // Express takes the path of a mount off `url`.
  const { headers, url = '', originalUrl: target = url } = request;
  const end = target.search(/[?#]/);
  const path = end === -1 ? target : target.slice(0, end);
  const credentials = headers.authorization?.slice(headers.authorization.lastIndexOf(' ') + 1) ?? '';
  const decoded = path.includes('%') ? decodedPath(path) : path;
  if (holdsToken(decoded) || JWT.test(decoded) || (credentials !== '' && decoded.includes(credentials))) return null;
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;
}

/**
 * Percent-decodes until nothing is left to decode, and passes over what is malformed. One pass:
 * repeated decoding of `%252525…` takes quadratic time.
 */
function decodedPath(path: string): string {
  const decoded: string[] = [];
  for (const character of path) {
    decoded.push(character);
    // A decoded character may complete another code.
    while (decoded.at(-3) === '%') {
      const digits = `${decoded.at(-2) ?? ''}${decoded.at(-1) ?? ''}`;
      if (!/^[0-9a-f]{2}$/i.test(digits)) break;
      decoded.splice(-3, 3, String.fromCharCode(parseInt(digits, 16)));
    }
  }
  return decoded.join('');
}
