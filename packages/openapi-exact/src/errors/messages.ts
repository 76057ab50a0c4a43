import { isLosslessNumber } from 'lossless-json';
import { requirementOf, type Audience, type Limits } from './limits.ts';
import { MOST_OF_NAME, MOST_SHOWN, shortened } from './shortened.ts';

/** Names of what may be a secret. */
const SECRET = /pass|pwd|pin$|secret|token|key|auth|cred|cookie|session|otp|cvv|cvc|card|iban|ssn/i;

/** A text that may be a token, wherever it was sent by mistake: long, and without a space. */
const TOKEN_LIKE = /[\x21-\x7e]{25}/;

/** What a part of a message is not, as a sentence. A name is cut too: the client has chosen it. */
export function faultSentence(
  subject: (name: string) => string,
  name: string,
  limits: Limits,
  given: unknown,
  audience: Audience = 'client',
): string {
  const shown = SECRET.test(name) || limits === 'given' ? undefined : given;
  return `${subject(shortened(name, MOST_OF_NAME))} ${unmet(requirementOf(limits, audience), shown)}.`;
}

/** The keys of a place, as tokens of a JSON pointer, in a message. */
export function shownKeys(place: string): string {
  const tokens = place.split('/');
  return tokens.map((token) => (token === '' ? "'' (the empty key)" : token)).join('/');
}

/** A requirement with the value that does not meet it, if that can be shown. */
function unmet(requirement: string, value: unknown): string {
  const shown = shownValue(value);
  const isAbout = requirement.startsWith('must ');
  return shown === undefined || !isAbout ? requirement : `${requirement}, not ${shortened(shown, MOST_SHOWN)}`;
}

/** A scalar as a message shows it; undefined for what it does not show. */
function shownValue(value: unknown): string | undefined {
  if (isLosslessNumber(value)) return value.value;
  if (typeof value === 'string') return TOKEN_LIKE.test(value) ? undefined : `'${value}'`;
  const isScalar = value === null || ['number', 'bigint', 'boolean'].includes(typeof value);
  return isScalar ? String(value) : undefined;
}
