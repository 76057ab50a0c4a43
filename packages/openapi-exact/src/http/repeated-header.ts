import type { IncomingMessage } from 'node:http';
import { RequestError } from '../errors/errors.ts';

/**
 * Requires that a header occurs at most once: of two, a program in front of this one may have read
 * the other (RFC 9110, section 5.3).
 * @param name as messages write it.
 * @throws RequestError repeatedHeader.
 */
export function requireOnce({ rawHeaders }: IncomingMessage, name: string): void {
  const lowerCaseName = name.toLowerCase();
  let count = 0;
  // Names and values in turn.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const own = rawHeaders[index] ?? '';
    if (own.length === name.length && own.toLowerCase() === lowerCaseName) count += 1;
  }
  if (count <= 1) return;
  throw new RequestError('repeatedHeader', `The header ${name} was sent more than once: send it once.`);
}
