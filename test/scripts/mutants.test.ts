import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { CONTRACT_FAULTS } from '../../scripts/mutants/contract-faults.ts';
import { staleness } from '../../scripts/mutants/fault.ts';
import { SERVER_FAULTS } from '../../scripts/mutants/server-faults.ts';

const FAULTS = [...SERVER_FAULTS, ...CONTRACT_FAULTS];

test.each(FAULTS.map((fault) => [fault.name, fault] as const))(
  "the fault '%s' can still be put into the code",
  async (_name, fault) => {
    const text = await readFile(new URL(`../../${fault.file}`, import.meta.url), 'utf8');
    expect(staleness(text, fault)).toBeUndefined();
  },
);

test('no two faults have the same name', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
});

test('a fault whose text is gone, or there twice, or that changes nothing is named', () => {
  const fault = { name: 'x', file: 'src/app.ts', from: 'a', to: 'b', tests: [] };
  expect(staleness('bcd', fault)).toBe(
    "The fault 'x' is out of date: its text occurs 0 times in src/app.ts, not once.",
  );
  expect(staleness('aba', fault)).toBe(
    "The fault 'x' is out of date: its text occurs 2 times in src/app.ts, not once.",
  );
  expect(staleness('a', { ...fault, to: 'a' })).toBe("The fault 'x' changes nothing.");
  expect(staleness('a', fault)).toBeUndefined();
});
