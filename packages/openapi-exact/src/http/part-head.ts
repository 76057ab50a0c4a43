import { quoted } from '../errors/shortened.ts';
import { trimWhitespace } from './optional-whitespace.ts';

/** Makes the error for a multipart body, from the rest of a sentence about it. */
export type RefuseMultipart = (problem: string) => Error;

/** The most bytes of the headers of a part. */
export const MAX_PART_HEADERS = 16 * 1024;

/** The most characters of a boundary (RFC 2046, section 5.1.1). */
export const MAX_BOUNDARY = 70;

/** Codings of a part that change nothing of its bytes (RFC 2045, section 6.2). */
const IDENTITY = /^(?:binary|8bit|7bit)$/i;

/**
 * The headers of a part, by lower-case name.
 * @param lines what follows a delimiter, up to the empty line.
 */
export function partHeaders(lines: string, refuse: RefuseMultipart): ReadonlyMap<string, string> {
  const [padding = '', ...rest] = lines.split('\r\n');
  if (padding.trim() !== '') throw refuse('has text behind a boundary');
  const headers = new Map<string, string>();
  // A folded line continues the one before it (RFC 2046, section 5.1).
  for (const line of rest
    .join('\r\n')
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw refuse('has a part with a malformed header');
    if (headers.has(name)) throw refuse('has a part with a repeated header');
    headers.set(name, trimWhitespace(line.slice(colon + 1)));
  }
  const coding = headers.get('content-transfer-encoding') ?? 'binary';
  if (!IDENTITY.test(coding)) throw refuse(`has a part with the deprecated encoding ${quoted(coding)}`);
  return headers;
}
