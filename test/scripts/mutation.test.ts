import { expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { applied, readMutants, staleness } from '../../scripts/mutation/mutant.ts';

const PROJECT = new URL('../../', import.meta.url);
const CHECKS = ['lint', 'types', 'contract:diff', 'test:contract'];
const mutants = await readMutants('service.txt', 'contract.txt');
const faults = await readMutants('operation-faults.txt');

test.each(mutants.map((mutant) => [mutant.promise, mutant] as const))(
  "the mutant of '%s' fits its file, and its tests exist",
  async (_promise, mutant) => {
    expect(staleness(await readFile(new URL(mutant.file, PROJECT), 'utf8'), mutant)).toBeUndefined();
    expect(mutant.noticedBy).not.toEqual([]);
    const files = mutant.noticedBy.filter((name) => !CHECKS.includes(name));
    expect(files.filter((name) => !existsSync(fileURLToPath(new URL(name, PROJECT))))).toEqual([]);
  },
);

test('six more operations fit the project, and each fault fits them', async () => {
  const texts = new Map<string, string>();
  const textOf = async (file: string): Promise<string> =>
    texts.get(file) ?? (await readFile(new URL(file, PROJECT), 'utf8'));
  for (const edit of await readMutants('operations.txt')) {
    texts.set(edit.file, edit.before === '' ? edit.after : applied(edit, await textOf(edit.file)));
  }
  const problems = faults.map(async (fault) => staleness(await textOf(fault.file), fault));
  expect((await Promise.all(problems)).filter((problem) => problem !== undefined)).toEqual([]);
  expect(faults.filter(({ noticedBy }) => noticedBy.join() !== 'test/contract/operations.test.ts')).toEqual([]);
});

test('all mutants are read, and no two have the same promise', () => {
  expect(mutants.length).toBeGreaterThan(60);
  expect(faults.length).toBeGreaterThan(30);
  const all = [...mutants, ...faults];
  expect(new Set(all.map(({ promise }) => promise)).size).toBe(all.length);
});
