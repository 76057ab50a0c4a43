import type { IncomingMessage } from 'node:http';
import { holdsToken } from '../auth/tokens/token.ts';

/** Characters of a path that are logged. */
const MAX_LENGTH = 200;
/** Paths that need no closer look: letters, digits and separators, too short for a token. */
const PLAIN = /^[\w/.-]{0,32}$/;
/** The beginning of a JWT: a JSON object in base64url (RFC 7519). */
const JWT = /eyJ[\w-]{10}/;

/**
 * The path of a request for the log, without query, cut if long; null if it may hold credentials.
 * Node's parser refuses characters other than printable ASCII.
 */
export function loggedPath({ url = '', headers }: IncomingMessage): string | null {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const credentials = headers.authorization?.slice(headers.authorization.lastIndexOf(' ') + 1) ?? '';
  const decoded = PLAIN.test(path) ? path : decode(path);
  if (holdsToken(decoded) || JWT.test(decoded) || (credentials !== '' && decoded.includes(credentials))) return null;
  return path.length > MAX_LENGTH ? `${path.slice(0, MAX_LENGTH)}…` : path;
}

/** Percent-decodes until nothing is left to decode, and passes over what is malformed. */
function decode(path: string): string {
  const decoded = path.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return decoded === path ? path : decode(decoded);
}
