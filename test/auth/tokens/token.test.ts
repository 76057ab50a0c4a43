import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { createToken, hashToken, isWellFormedToken } from '../../../src/auth/tokens/token.ts';

const token = fc.noShrink(fc.constant(undefined).map(createToken));
const position = fc.nat({ max: createToken().length - 1 });

describe('a new token', () => {
  test('is plant_ and 33 characters of base62, and well-formed', () => {
    fc.assert(
      fc.property(token, (text) => {
        expect(text).toMatch(/^plant_[0-9A-Za-z]{33}$/);
        expect(isWellFormedToken(text)).toBe(true);
      }),
    );
  });

  test('holds 160 random bits: each of them is 0 and 1 about equally often', () => {
    const samples = 2_000;
    const ones = new Array<number>(160).fill(0);
    for (let sample = 0; sample < samples; sample++) {
      const value = randomPart(createToken());
      expect(value < 2n ** 160n).toBe(true);
      ones.forEach((count, bit) => (ones[bit] = count + Number((value >> BigInt(bit)) & 1n)));
    }
    // 8 standard deviations: one failure in 10^15 runs.
    const tolerance = 8 * Math.sqrt(samples / 4);
    for (const count of ones) expect(Math.abs(count - samples / 2)).toBeLessThan(tolerance);
  });
});

test('a mistyped token is not well-formed', () => {
  const typo = fc.string({ minLength: 1, maxLength: 1, unit: 'binary' });
  fc.assert(
    fc.property(token, position, typo, (text, at, character) => {
      const [before, here = '', next = '', behind] = [text.slice(0, at), text[at], text[at + 1], text.slice(at + 2)];
      const typos = [
        ...[before + character + next + behind, before + next + here + behind],
        ...[before + next + behind, `${before}0${here}${next}${behind}`, text.toUpperCase(), text.toLowerCase()],
      ];
      for (const wrong of typos) expect([wrong, isWellFormedToken(wrong)]).toEqual([wrong, wrong === text]);
    }),
    { numRuns: 500 },
  );
});

test('a token in another form, or with text around it, is not well-formed', () => {
  const text = createToken();
  const around = [` ${text}`, `${text}\n`, `"${text}"`, `${text},`, text + text];
  for (const wrong of ['', 'plant_', 'ghp_'.padEnd(39, '0'), ...around]) expect(isWellFormedToken(wrong)).toBe(false);
});

test('only the SHA-256 of a token is stored', () => {
  const text = createToken();
  expect(hashToken(text)).toBe(createHash('sha256').update(text).digest('hex'));
});

/** The number that stands between prefix and checksum. */
function randomPart(text: string): bigint {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return Array.from(text.slice(6, 33)).reduce((value, digit) => value * 62n + BigInt(alphabet.indexOf(digit)), 0n);
}
