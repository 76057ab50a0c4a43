import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isLinearizable, type Operation, type Outcome } from './linearizability.ts';

test.each<[boolean, string, ...string[]]>([
  [true, 'two deletes at once, of which one wins', 'deleted 1-4', 'missing 2-3'],
  [true, 'two winners with an import that was under way', 'deleted 1-2', 'inserted 1-9', 'deleted 3-4'],
  [true, 'missing after a delete without an answer', 'maybe deleted 1-2', 'missing 3-4'],
  [false, 'two winners, one after the other', 'deleted 1-2', 'deleted 3-4', 'missing 5-6'],
  [false, 'a 404 before the only delete was asked for', 'missing 1-2', 'deleted 3-4'],
  [false, 'a 204 that did not delete', 'deleted 1-2', 'there 3-3'],
  [false, 'a delete without an answer that came back later', 'maybe deleted 1-2', 'inserted 3-4', 'missing 5-6'],
])('the checker returns %s for %s', (verdict, _name, ...lines) => {
  const history = lines.map((line): Operation => {
    const [, outcome = '', from = '', to = ''] = /^([a-z ]+) (\d+)-(\d+)$/.exec(line) ?? [];
    // The lines above name outcomes only.
    return { outcome: outcome as Outcome, from: Number(from), to: Number(to) };
  });
  expect(isLinearizable(history, true)).toBe(verdict);
});

/** Tries every order of every choice of the operations that may not have been done. */
function byBruteForce(remaining: readonly Operation[], isThere: boolean, now = -Infinity): boolean {
  if (remaining.every(({ outcome }) => outcome.startsWith('maybe'))) return true;
  return remaining.some((next) => {
    // Each takes effect at the earliest moment that it can.
    const at = Math.max(now, next.from);
    if (at > next.to) return false;
    const needs: Partial<Record<Outcome, boolean>> = {
      deleted: true,
      'maybe deleted': true,
      missing: false,
      there: true,
    };
    if ((needs[next.outcome] ?? isThere) !== isThere) return false;
    const after = next.outcome.endsWith('inserted') || next.outcome === 'there';
    return byBruteForce(
      remaining.filter((one) => one !== next),
      after,
      at,
    );
  });
}

test('the checker agrees with trying every order', () => {
  const operation = fc
    .record({
      outcome: fc.constantFrom<Outcome>('deleted', 'missing', 'inserted', 'there', 'maybe deleted', 'maybe inserted'),
      from: fc.nat(12),
      length: fc.nat(8),
    })
    .map(({ outcome, from, length }) => ({ outcome, from, to: from + length }));
  const verdicts = { true: 0, false: 0 };
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 7, size: 'max' }), fc.boolean(), (drawn, wasThere) => {
      const verdict = byBruteForce(drawn, wasThere);
      verdicts[`${verdict}`]++;
      expect(isLinearizable(drawn, wasThere)).toBe(verdict);
    }),
    { numRuns: 5_000 },
  );
  // Both are common enough to prove something.
  expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(500);
});
