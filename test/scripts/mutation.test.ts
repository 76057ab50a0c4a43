import { expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseMutants, readMutants, staleness } from '../../scripts/mutation/mutant.ts';

const PROJECT = new URL('../../', import.meta.url);
const CHECKS = ['lint', 'types', 'contract:diff', 'test:contract'];
const mutants = await readMutants();

test.each(mutants.map((mutant) => [mutant.promise, mutant] as const))(
  "the mutant of '%s' fits its file once, and its tests exist",
  async (_promise, mutant) => {
    expect(staleness(await readFile(new URL(mutant.file, PROJECT), 'utf8'), mutant)).toBeUndefined();
    expect(mutant.noticedBy).not.toEqual([]);
    const files = mutant.noticedBy.filter((name) => !CHECKS.includes(name));
    expect(files.filter((name) => !existsSync(fileURLToPath(new URL(name, PROJECT))))).toEqual([]);
  },
);

test('no two mutants have the same promise', () => {
  expect(new Set(mutants.map(({ promise }) => promise)).size).toBe(mutants.length);
});

test('a mutant is parsed into a promise, a file, tests and two texts', () => {
  const text =
    '## Heading\n# One is two\na/b.ts: types test/c.test.ts\n- x\n-   y\n+ z\n\n## Next\n# Two\nd.ts: lint\n- q\n';
  expect(parseMutants(text)).toEqual([
    { promise: 'One is two', file: 'a/b.ts', noticedBy: ['types', 'test/c.test.ts'], before: 'x\n  y', after: 'z' },
    { promise: 'Two', file: 'd.ts', noticedBy: ['lint'], before: 'q', after: '' },
  ]);
});

test.each([
  ['whose text is gone', 'bcd', 'its text occurs 0 times in x.ts, not once'],
  ['whose text is there twice', 'aba', 'its text occurs 2 times in x.ts, not once'],
])('a mutant %s is out of date', (_name, text, problem) => {
  const mutant = { promise: 'p', file: 'x.ts', noticedBy: [], before: 'a', after: 'b' };
  expect(staleness(text, mutant)).toBe(`'p' is out of date: ${problem}.`);
});
