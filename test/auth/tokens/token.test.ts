import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createToken, isWellFormedToken } from '../../../src/auth/tokens/token.ts';

const token = fc.noShrink(fc.constant(undefined).map(createToken));
const position = fc.nat({ max: createToken().length - 1 });

test('a new token is plant_ and 33 characters of base62, of which each of 160 bits is 0 and 1 about equally often', () => {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const samples = 1_000;
  const ones = new Array<number>(160).fill(0);
  for (let sample = 0; sample < samples; sample++) {
    const text = createToken();
    expect(text).toMatch(/^plant_[0-9A-Za-z]{33}$/);
    expect(isWellFormedToken(text)).toBe(true);
    // Between prefix and checksum.
    const value = Array.from(text.slice(6, 33)).reduce((sum, digit) => sum * 62n + BigInt(alphabet.indexOf(digit)), 0n);
    expect(value < 2n ** 160n).toBe(true);
    ones.forEach((count, bit) => (ones[bit] = count + Number((value >> BigInt(bit)) & 1n)));
  }
  // 8 standard deviations: one failure in 10^15 runs.
  const tolerance = 8 * Math.sqrt(samples / 4);
  for (const count of ones) expect(Math.abs(count - samples / 2)).toBeLessThan(tolerance);
});

test('a mistyped token is not well-formed', () => {
  const typo = fc.nat(0x10ffff).map((codePoint) => String.fromCodePoint(codePoint));
  fc.assert(
    fc.property(token, position, typo, (text, at, character) => {
      const [before, here = '', next = '', behind] = [text.slice(0, at), text[at], text[at + 1], text.slice(at + 2)];
      const typos = [
        ...[before + character + next + behind, before + next + here + behind],
        ...[before + next + behind, `${before}0${here}${next}${behind}`, text.toUpperCase(), text.toLowerCase()],
      ];
      for (const wrong of typos) expect([wrong, isWellFormedToken(wrong)]).toEqual([wrong, wrong === text]);
    }),
    { numRuns: 200 },
  );
});

test('a token in another form, or with text around it, is not well-formed', () => {
  const text = createToken();
  const around = [` ${text}`, `${text}\n`, `"${text}"`, `${text},`, text + text];
  for (const wrong of ['', 'plant_', 'ghp_'.padEnd(39, '0'), ...around]) expect(isWellFormedToken(wrong)).toBe(false);
});
