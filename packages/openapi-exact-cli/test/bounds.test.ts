import { expect, test } from '@jest/globals';
import { growthsOf, MOST_GROWTH, servedNestings } from './support/steps-of-analyses.ts';

/** A few of the nestings that npm run test:bounds counts, and levels of them. */
const SAMPLES: readonly (readonly [
  nestings: readonly (readonly string[])[],
  levels: readonly [number, number, number],
])[] = [
  [[['prefixItems']], [1, 2, 4]],
  [
    [['if'], ['oneOf', 'properties'], ['allOf', 'dependentSchemas']],
    [4, 8, 16],
  ],
];

test.each(SAMPLES)(
  'check, start and generate take as many steps for each level of nested schemas: %j',
  async (nestings, levels) => {
    expect(await servedNestings(nestings, 3)).toEqual(nestings);
    for (const { analysis, growth } of await growthsOf(nestings, levels)) {
      expect({ analysis, isLinear: growth < MOST_GROWTH }).toEqual({ analysis, isLinear: true });
    }
  },
);
