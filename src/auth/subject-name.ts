import { hashToken } from './token.ts';

/** Beyond so many characters a name is cut off and gets a digest. */
const MAX_LENGTH = 100;

/**
 * A name for the subject of a JWT: bounded, on one line, without characters that could pass for others, different for different
 * subjects, and different from the names of the service's own tokens, which have no colon.
 */
export function subjectName(subject: string): string {
  const escape = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
  const safe = subject.replaceAll(/[\\\p{C}\p{Z}]/gu, escape);
  if (safe.length <= MAX_LENGTH) return `jwt:${safe}`;
  // Half of SHA-256 is enough to tell subjects apart.
  return `jwt:${safe.slice(0, MAX_LENGTH - 33)}~${hashToken(subject).slice(0, 32)}`;
}
