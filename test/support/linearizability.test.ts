import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isLinearizable, type Operation, type Outcome } from './linearizability.ts';

/** A history, one operation after the other in this notation: `deleted 1-3`. */
function history(...lines: readonly string[]): Operation[] {
  return lines.map((line) => {
    const [, outcome = '', from = '', to = ''] = /^([a-z ]+) (\d+)-(\d+)$/.exec(line) ?? [];
    // The tests below write outcomes only.
    return { outcome: outcome as Outcome, from: Number(from), to: Number(to) };
  });
}

describe('a plant that was there at first', () => {
  test.each([
    ['nothing at all'],
    ['one delete, then none is found', 'deleted 1-2', 'missing 3-4', 'missing 5-6'],
    ['two deletes at once, of which one wins', 'deleted 1-4', 'missing 2-3'],
    ['twenty deletes at once, of which one wins', 'deleted 1-9', ...Array<string>(19).fill('missing 1-9')],
    ['deleted, planted, deleted', 'deleted 1-2', 'inserted 3-4', 'deleted 5-6'],
    ['two winners with an import that was under way', 'deleted 1-2', 'inserted 1-9', 'deleted 3-4'],
    ['an import that changed nothing', 'inserted 1-2', 'there 3-3'],
    ['missing after a delete without an answer', 'maybe deleted 1-2', 'missing 3-4'],
    ['there after a delete without an answer', 'maybe deleted 1-2', 'there 3-3'],
    ['a delete without an answer, still under way', 'maybe deleted 1-9', 'there 2-3', 'missing 4-5'],
  ])('can have had: %s', (_name, ...lines) => {
    expect(isLinearizable(history(...lines), true)).toBe(true);
  });

  test.each([
    ['two winners', 'deleted 1-4', 'deleted 2-3'],
    ['two winners, one after the other', 'deleted 1-2', 'deleted 3-4', 'missing 5-6'],
    ['two winners with an import that came later', 'deleted 1-2', 'deleted 3-4', 'inserted 5-6'],
    ['two winners with an import that had ended before', 'inserted 1-2', 'deleted 3-4', 'deleted 5-6'],
    ['a 404 although it was there all the time', 'missing 1-2'],
    ['a 404 before the only delete was asked for', 'missing 1-2', 'deleted 3-4'],
    ['a 404 after an import', 'deleted 1-2', 'inserted 3-4', 'missing 5-6'],
    ['a 204 that did not delete', 'deleted 1-2', 'there 3-3'],
    ['gone in the end although nobody deleted it', 'missing 9-9'],
    ['a delete without an answer that came back later', 'maybe deleted 1-2', 'inserted 3-4', 'missing 5-6'],
    [
      'a delete without an answer that won twice',
      'maybe deleted 1-9',
      'deleted 2-3',
      'inserted 4-5',
      'deleted 6-7',
      'deleted 8-9',
    ],
    ['a lost import', 'deleted 1-2', 'inserted 3-4', 'missing 9-9'],
  ])('cannot have had: %s', (_name, ...lines) => {
    expect(isLinearizable(history(...lines), true)).toBe(false);
  });
});

describe('a plant that was not there at first', () => {
  test.each([
    ['a 404', 'missing 1-2'],
    ['planted while it was asked for', 'inserted 1-4', 'missing 2-3'],
    ['an import of which nobody knows whether it was done', 'maybe inserted 1-2', 'deleted 3-4'],
  ])('can have had: %s', (_name, ...lines) => {
    expect(isLinearizable(history(...lines), false)).toBe(true);
  });

  test.each([
    ['a 204', 'deleted 1-2'],
    ['there in the end although nobody planted it', 'there 9-9'],
    ['a 204 before the import', 'deleted 1-2', 'inserted 3-4'],
  ])('cannot have had: %s', (_name, ...lines) => {
    expect(isLinearizable(history(...lines), false)).toBe(false);
  });
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

test('what it says of a history is what trying every order says', () => {
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

test('hundreds of operations on one plant, of which many have no answer, are judged in no time', () => {
  const crowd = Array.from({ length: 400 }, (_, index): Operation => {
    const outcome =
      index % 40 === 0 ? 'inserted' : index % 40 === 20 ? 'deleted' : index % 15 === 0 ? 'maybe deleted' : 'missing';
    return { outcome, from: index, to: index + 30 };
  });
  expect(isLinearizable(crowd, false)).toBe(true);
  expect(
    isLinearizable(
      [...crowd, { outcome: 'there', from: 900, to: 900 }, { outcome: 'missing', from: 950, to: 950 }],
      false,
    ),
  ).toBe(false);
});
