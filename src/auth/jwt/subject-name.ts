import { hashToken } from '../tokens/token.ts';

/** Maximum length of a name. Longer subjects are cut and get a digest. */
const MAX_NAME_LENGTH = 100;

/**
 * The log name of a JWT subject: bounded, on one line, without ambiguous characters, and unique.
 * The colon distinguishes it from the names of the service's own tokens.
 */
export function subjectName(subject: string): string {
  const escape = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
  const safe = subject.replaceAll(/[\\\p{C}\p{Z}]/gu, escape);
  // Only cut names have the maximum length, so that they cannot equal a short name.
  if (safe.length < MAX_NAME_LENGTH) return `jwt:${safe}`;
  // Half of SHA-256 is enough to distinguish subjects.
  const begin = safe.slice(0, MAX_NAME_LENGTH - 33).replace(/[\ud800-\udbff]$/, '~');
  return `jwt:${begin}~${hashToken(subject).slice(0, 32)}`;
}
