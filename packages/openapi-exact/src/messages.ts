import { stringify } from 'lossless-json';

/** A requirement of the validator, and the same in plain words. */
type Wording = readonly [pattern: RegExp, words: string | ((...found: string[]) => string)];

const ARTICLES: Readonly<Record<string, string>> = { array: 'an array', object: 'an object', null: 'null' };

const WORDINGS: readonly Wording[] = [
  // The place is that of the property.
  [/^must have required property '.*'$/s, 'must be given'],
  [/^must have property .* when property (.*) is present$/s, (_, name) => `must be given beside ${name}`],
  [/^must NOT have (?:additional|unevaluated) properties$/, 'is not in the contract: leave it out'],
  [/^must NOT have more than (\d+) (.*)$/, (_, limit, what) => `must have at most ${limit} ${what}`],
  [/^must NOT have fewer than (\d+) (.*)$/, (_, limit, what) => `must have at least ${limit} ${what}`],
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

/** What a value must be that has to be one of several. Null and texts are as JSON writes them. */
export function oneOfValues(values: readonly unknown[]): string {
  const texts = values.map((value) => (typeof value === 'string' && value !== '' ? value : (stringify(value) ?? '')));
  return texts.length === 1 ? `must be ${texts.join('')}` : `must be one of ${texts.join(', ')}`;
}

function anyOf(types: readonly string[]): string {
  return types.map((type) => ARTICLES[type] ?? `a ${type}`).join(' or ');
}
