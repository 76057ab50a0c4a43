import { describe, expect, test } from '@jest/globals';
import { neighbourOf, plantsOfCases, targetOf } from './ids.ts';
import { StoreModel } from './model.ts';

describe('the store in the end', () => {
  /** The discrepancies when case 1 of 3 has asked for its target of slot 0, and these plants are gone. */
  function compare(gone: readonly bigint[], deleted: number, isCertain = true, more: readonly bigint[] = []): number[] {
    const model = new StoreModel();
    model.note({ index: 1, mayDelete: new Set([targetOf(1, 0)]) }, deleted, isCertain);
    const left = [...plantsOfCases(0, 3), ...more].filter((id) => !gone.includes(id));
    const found = model.compare(left, 3);
    return found.map(({ index }) => index);
  }

  test('is right when exactly the acknowledged deletes were done', () => {
    expect(compare([targetOf(1, 0)], 1)).toEqual([]);
    expect(compare([], 0)).toEqual([]);
  });

  test('may lack a plant whose answer may have been lost, but has none that was answered 204', () => {
    expect(compare([targetOf(1, 0)], 0, false)).toEqual([]);
    expect(compare([], 1, false)).toEqual([1]);
  });

  test.each([
    ['a plant is gone without an answer 204', [targetOf(1, 0)], 0, 1],
    ['a plant is there in spite of an answer 204', [], 1, 1],
    ['the neighbour is gone', [neighbourOf(1, 0)], 1, 1],
    ['a plant is gone that was not asked for', [targetOf(1, 0), targetOf(1, 1)], 1, 1],
    ['a plant of a case that sent nothing is gone', [targetOf(2, 3)], 0, 2],
  ] as const)('is wrong when %s', (_name, gone, deleted, guilty) => {
    expect(compare(gone, deleted)).toContain(guilty);
  });

  test('is wrong when it has a plant that nobody planted', () => {
    expect(compare([], 0, true, [4_000_000_000_000_000_001n])).toEqual([-1]);
  });
});
