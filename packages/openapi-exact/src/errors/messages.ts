import { isLosslessNumber, stringify } from 'lossless-json';

/** A requirement of the validator, and the same in plain words. */
type Wording = readonly [pattern: RegExp, words: string | ((...found: string[]) => string)];

const ARTICLES: Readonly<Record<string, string>> = { array: 'an array', object: 'an object', null: 'null' };

const WORDINGS: readonly Wording[] = [
  // The place is that of the property.
  [/^must have required property '.*'$/s, 'must be given'],
  [/^must have property .* when property (.*) is present$/s, (_, name) => `must be given beside ${name}`],
  [/^must NOT have (?:additional|unevaluated) properties$/, 'is not in the contract: leave it out'],
  [/^must NOT have more than (\d+) (.*)$/, (_, limit, what) => `must have at most ${counted(limit, what)}`],
  [/^must NOT have fewer than (\d+) (.*)$/, (_, limit, what) => `must have at least ${counted(limit, what)}`],
  [
    /^must NOT have duplicate items \(items ## (\d+) and (\d+) .*$/,
    (_, a, b) => `must not have equal items, as ${b} and ${a}`,
  ],
  [/^must NOT have unevaluated items$/, 'must not have further items'],
  [/^must match exactly one schema in oneOf$/, 'must match one alternative of the contract, and no other'],
  [/^must match a schema in anyOf$/, 'must match an alternative of the contract'],
  [/^must match "(?:then|else)" schema$/, 'must match what the contract requires beside its other parts'],
  [/^must NOT be valid$/, 'must not match what the contract excludes'],
  [/^boolean schema is false$/, 'is not allowed'],
  [/^must be equal to constant$/, 'must be the constant that the contract names'],
  [
    /^must be ((?:array|boolean|null|number|object|string)(?:,\w+)*)$/,
    (_, types = '') => `must be ${anyOf(types.split(','))}`,
  ],
];

/** The requirement of the validator in plain words; it follows the name of the place. */
export function inWords(requirement: string): string {
  for (const [pattern, words] of WORDINGS) {
    const found = pattern.exec(requirement);
    if (found !== null) return typeof words === 'string' ? words : words(...found);
  }
  return requirement;
}

/** The requirement of an object whose keys each have to meet one. */
export function ofKeys(requirement: string): string {
  const [, words] = /^must (.*)$/s.exec(requirement) ?? [];
  if (words === undefined) return 'must not have keys that the contract excludes';
  return `must have only keys that ${words.replace(/^be\b/, 'are').replace(/^not\b/, 'do not')}`;
}

/** At most so many values of an enum are listed. */
const MOST_LISTED_VALUES = 20;

/** What a value must be that has to be one of several. Null and texts are as JSON writes them. */
export function oneOfValues(values: readonly unknown[]): string {
  const texts = values
    .slice(0, MOST_LISTED_VALUES)
    .map((value) =>
      shortened(typeof value === 'string' && value !== '' ? value : (stringify(value) ?? ''), MOST_SHOWN),
    );
  const omitted = values.length > MOST_LISTED_VALUES ? [`or ${values.length - MOST_LISTED_VALUES} others`] : [];
  return values.length === 1 ? `must be ${texts.join('')}` : `must be one of ${[...texts, ...omitted].join(', ')}`;
}

/** The most requirements that a message names. */
const MOST_REQUIREMENTS = 5;

/** The requirement that one of several is met. */
export function oneRequirement(requirements: readonly string[]): string {
  const distinct = [...new Set(requirements)];
  const omitted = distinct.length - MOST_REQUIREMENTS;
  const named = distinct.slice(0, MOST_REQUIREMENTS).join(' or ');
  return omitted > 0 ? `${named}, or meet one of ${omitted} other requirements` : named;
}

/** The longest text of a value that a message shows, in characters. */
const MOST_SHOWN = 60;

/** Names of what may be a secret. */
const SECRET = /pass|pwd|pin$|secret|token|key|auth|cred|cookie|session|otp|cvv|cvc|card|iban|ssn/i;

/** A text that may be a token, wherever it was sent by mistake: long, and without a space. */
const TOKEN_LIKE = /[\x21-\x7e]{25}/;

/** What a part of a request is not, as a sentence. A name is cut too: the client has chosen it. */
export function faultOf(subject: (name: string) => string, name: string, requirement: string, given: unknown): string {
  const shown = SECRET.test(name) ? undefined : given;
  return `${subject(shortened(name, MOST_OF_NAME))} ${unmet(requirement, shown)}.`;
}

/** The keys of a place, as tokens of a JSON pointer, in a message. */
export function shownKeys(place: string): string {
  const tokens = place.split('/');
  return tokens.map((token) => (token === '' ? "'' (the empty key)" : token)).join('/');
}

/** The longest name that a message shows, in characters. */
const MOST_OF_NAME = 200;

/** A name that a client has chosen, in quotes. */
export function quoted(name: string): string {
  return `'${shortened(name, MOST_OF_NAME)}'`;
}

/** A requirement with the value that does not meet it, if that can be shown. */
function unmet(requirement: string, value: unknown): string {
  const shown = shownValue(value);
  const isAbout = requirement.startsWith('must ') && requirement !== 'must be given';
  return shown === undefined || !isAbout ? requirement : `${requirement}, not ${shortened(shown, MOST_SHOWN)}`;
}

/** A scalar as a message shows it; undefined for what it does not show. */
function shownValue(value: unknown): string | undefined {
  if (isLosslessNumber(value)) return value.value;
  if (typeof value === 'string') return TOKEN_LIKE.test(value) ? undefined : `'${value}'`;
  const isScalar = value === null || ['number', 'bigint', 'boolean'].includes(typeof value);
  return isScalar ? String(value) : undefined;
}

const PRINTABLE = /^[\x20-\x7e]*$/;

/** A text without characters that are invisible, up to a length in characters. */
export function shortened(text: string, most: number): string {
  if (text.length <= most && PRINTABLE.test(text)) return text;
  // More than so many code units are more than so many characters, and need not be counted.
  const characters = Array.from(text.slice(0, most * 2 + 1));
  const cut = characters.length <= most ? characters : [...characters.slice(0, most - 1), '…'];
  return cut.join('').replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\uFFFD');
}

/** A number of characters, items or properties. */
function counted(limit = '', what = ''): string {
  return limit === '1' ? `1 ${what.replace(/ies$/, 'y').replace(/s$/, '')}` : `${limit} ${what}`;
}

function anyOf(types: readonly string[]): string {
  return types.map((type) => ARTICLES[type] ?? `a ${type}`).join(' or ');
}
