import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { ERRORS } from '../src/errors.ts';
import { contract } from './support/service.ts';

test("the table of codes in the contract's Error schema is the table in the code", () => {
  const rows = Object.values(ERRORS).map(({ code, meaning }) => `| ${code} | ${meaning} |`);
  const error = contract.document.components?.schemas?.['Error']?.['properties'] as { error: { description: string } };
  const table = error.error.description.split('\n').filter((line) => /^\| \d/.test(line));
  expect(table).toEqual(rows);
});

test('every code is a status × 100 + n, and no two are equal', () => {
  const codes = Object.values(ERRORS).map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  for (const code of codes)
    expect([400, 401, 404, 405, 408, 413, 415, 417, 431, 500, 503]).toContain(Math.floor(code / 100));
});

test('the README shows the same table', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  for (const { code, meaning } of Object.values(ERRORS)) expect(readme).toContain(`| ${code} | ${meaning} |`);
});
