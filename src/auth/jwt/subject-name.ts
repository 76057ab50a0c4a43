import { hashToken } from '../tokens/token.ts';

/** From so many characters on a name is cut off and gets a digest. */
const MAX_LENGTH = 100;

/**
 * A name for the subject of a JWT: bounded, on one line, without characters that could pass for others, different for different
 * subjects, and different from the names of the service's own tokens, which have no colon.
 */
export function subjectName(subject: string): string {
  const escape = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
  const safe = subject.replaceAll(/[\\\p{C}\p{Z}]/gu, escape);
  // A name that was cut has exactly the greatest length, so that no subject can be called as one is.
  if (safe.length < MAX_LENGTH) return `jwt:${safe}`;
  // Half of SHA-256 is enough to tell subjects apart.
  const begin = safe.slice(0, MAX_LENGTH - 33).replace(/[\ud800-\udbff]$/, '~');
  return `jwt:${begin}~${hashToken(subject).slice(0, 32)}`;
}
