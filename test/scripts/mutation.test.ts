import { expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readMutants, staleness } from '../../scripts/mutation/mutant.ts';

const PROJECT = new URL('../../', import.meta.url);
const CHECKS = ['lint', 'types', 'contract:diff', 'test:contract'];
const mutants = await readMutants();

test.each(mutants.map((mutant) => [mutant.promise, mutant] as const))(
  "the mutant of '%s' fits its file, and its tests exist",
  async (_promise, mutant) => {
    expect(staleness(await readFile(new URL(mutant.file, PROJECT), 'utf8'), mutant)).toBeUndefined();
    expect(mutant.noticedBy).not.toEqual([]);
    const files = mutant.noticedBy.filter((name) => !CHECKS.includes(name));
    expect(files.filter((name) => !existsSync(fileURLToPath(new URL(name, PROJECT))))).toEqual([]);
  },
);

test('all mutants are read, and no two have the same promise', () => {
  expect(mutants.length).toBeGreaterThan(60);
  expect(new Set(mutants.map(({ promise }) => promise)).size).toBe(mutants.length);
});
