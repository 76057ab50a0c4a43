import { expect, test } from '@jest/globals';
import { STATUS_CODES } from 'node:http';
import { ERRORS } from '../src/errors.ts';
import { PLANT_ERRORS } from '../src/plants/handlers.ts';
import { contract } from './support/contract.ts';
import { readProjectFile } from 'test-support/readme.ts';

const ALL = [...Object.values(ERRORS), ...Object.values(PLANT_ERRORS)].sort((a, b) => a.code - b.code);

test('the table of codes in the description of the contract is the table in the code', () => {
  const rows = ALL.map(({ code, meaning }) => `| ${code} | ${meaning} |`);
  const table = String(contract.document.info['description'])
    .split('\n')
    .filter((line) => /^\| \d/.test(line));
  expect(table).toEqual(rows);
});

test('every code is a status × 100 + n, and no two are equal', () => {
  const codes = ALL.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  for (const code of codes) {
    const status = Math.floor(code / 100);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(STATUS_CODES).toHaveProperty(String(status));
  }
});

test('every status that docs/contract.md lists for a new operation is a response of the contract, with an example of a code', async () => {
  const guide = await readProjectFile('docs/contract.md');
  const listed = /List every status that the operation can answer: ([^]*?) as well\./.exec(guide)?.[1] ?? '';
  const statuses = [...listed.matchAll(/\d{3}/g)].map(([status]) => Number(status));
  const codes = [...JSON.stringify(contract.document.components).matchAll(/"error":(\d{5})/g)];
  const declared = new Set(codes.map(([, code]) => Math.floor(Number(code) / 100)));
  expect(statuses).toEqual([400, 401, 403, 412, 421, 429, 500, 503, 413, 415]);
  expect(statuses.filter((status) => !declared.has(status))).toEqual([]);
});
