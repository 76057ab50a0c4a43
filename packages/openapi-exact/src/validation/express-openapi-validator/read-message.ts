import type { Limits } from '../../errors/limits.ts';

/** A message of the validator, and the limits that it tells of. */
type Reading = readonly [pattern: RegExp, limits: Limits | ((...found: string[]) => Limits)];

const READINGS: readonly Reading[] = [
  // The place is that of the property.
  [/^must have required property '.*'$/s, 'given'],
  [/^must have property .* when property (.*) is present$/s, (_, beside = '') => ({ beside })],
  [/^must NOT have (?:additional|unevaluated) properties$/, 'undeclared'],
  [/^must NOT have more than (\d+) (.*)$/, (_, greatest = '', of = '') => ({ greatest, of })],
  [/^must NOT have fewer than (\d+) (.*)$/, (_, fewest = '', of = '') => ({ fewest, of })],
  [/^must NOT have duplicate items \(items ## (\d+) and (\d+) .*$/, (_, a = '', b = '') => ({ equal: [b, a] })],
  [/^must NOT have unevaluated items$/, 'furtherItems'],
  [/^must match exactly one schema in oneOf$/, 'exclusive'],
  [/^must match a schema in anyOf$/, 'alternative'],
  [/^must match "(?:then|else)" schema$/, 'condition'],
  [/^must NOT be valid$/, 'excluded'],
  [/^boolean schema is false$/, 'forbidden'],
  [/^must be equal to constant$/, 'constant'],
  [
    /^must be ((?:array|boolean|null|number|object|string)(?:,\w+)*)$/,
    (_, types = '') => ({ types: types.split(',') }),
  ],
];

/** The limits in a message of the validator. */
export function limitsIn(message: string): Limits {
  for (const [pattern, limits] of READINGS) {
    const found = pattern.exec(message);
    if (found !== null) return typeof limits === 'function' ? limits(...found) : limits;
  }
  return { words: message };
}
