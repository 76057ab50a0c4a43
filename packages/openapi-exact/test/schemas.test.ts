import { afterAll, describe, expect, test } from '@jest/globals';
import type { Answer } from './support/contract-server.ts';
import { KEYWORD_ROWS } from './support/keyword-rows.ts';
import { COMPARED_ROWS, NAME_ROWS } from './support/name-rows.ts';
import { NUMBER_ROWS } from './support/number-rows.ts';
import { COMPONENTS } from './support/schema-components.ts';
import { bodiesOf, serveRows, type SchemaServer } from './support/schema-rows.ts';

const MAX = 9223372036854775807n;
const BIG = 9007199254740993n;

// Names that one schema uses are special in the whole contract.
const sets = [[...NUMBER_ROWS, ...KEYWORD_ROWS], NAME_ROWS, ...COMPARED_ROWS.map((row) => [row])];
const rows = sets.flat();
const servers = await Promise.all(sets.map((set) => serveRows(set, { components: COMPONENTS })));
afterAll(() => Promise.all(servers.map((server) => server.close())));

function serverOf(name: string): SchemaServer {
  const server = servers[sets.findIndex((set) => set.some((row) => row.name === name))];
  if (server === undefined) throw new Error(`There is no row ${name}.`);
  return server;
}
const post = (name: string, body: string): Promise<Answer> => serverOf(name).post(name, body);

test.each(rows)('a request body of $name is accepted or refused by what its schema says', async (row) => {
  await serverOf(row.name).expectJudged(row);
});

describe('a response', () => {
  /** Posts the first valid body, and is answered with what the handler returns. */
  function answerTo(name: string, body: unknown): Promise<Answer> {
    const [first] = rows.filter((row) => row.name === name).flatMap(bodiesOf);
    return serverOf(name).post(name, first?.sent ?? '', { status: 200, body });
  }

  test.each<[string, unknown, string]>([
    ['int64', MAX, String(MAX)],
    ['int64', 1, '1'],
    ['int64 or a short text', 10n, '10'],
    ['int64s that differ', [BIG, BIG - 1n], `[${BIG},${BIG - 1n}]`],
    ['a number', 1e300, '1e+300'],
    ['an integer without format', 9007199254740991, '9007199254740991'],
    ['a uint64', 2n ** 64n - 1n, '18446744073709551615'],
    ['a number of an enum beyond 2^53', 1e21, '1e+21'],
    ['a read-only property behind a reference', { id: BIG, name: 'a' }, `{"id":${BIG},"name":"a"}`],
    ['a write-only property', {}, '{}'],
    ['optional properties with names that every object has', {}, '{}'],
    ['int64 or null', null, 'null'],
  ])('of %s is sent exactly: %j', async (name, body, sent) => {
    expect(await answerTo(name, body)).toMatchObject({ status: 200, text: sent });
  });

  test.each<[string, unknown]>([
    ['int64', MAX + 1n],
    ['int64', 2 ** 53],
    ['int64', 1.5],
    ['int64 or a short text', 11n],
    ['int64s that differ', [BIG, BIG]],
    ['an integer without format', 1.5],
    ['an integer without format', 2 ** 53],
    ['a uint64', 2 ** 60],
    ['a read-only property behind a reference', { name: 'a' }],
    ['a write-only property', { s: 'a' }],
    ['required properties with names that every object has', {}],
    ['cents', 19.995],
    ['a number', NaN],
    ['no int64', NaN],
    ['no int64', { ratios: [1, -Infinity] }],
  ])('of %s with a wrong value is a mistake of the handler: %p', async (name, body) => {
    expect(await answerTo(name, body)).toMatchObject({ status: 500 });
  });
});

test.each<[string, number, (index: number) => unknown]>([
  ['references that differ', 9_000, (index) => index],
  ['objects that differ', 3_000, (index) => ({ a: index })],
])(
  'a long list of %s is compared in a moment',
  async (name, length, item) => {
    const items = Array.from({ length }, (_, index) => item(index));
    expect(await post(name, JSON.stringify(items))).toMatchObject({ status: 204 });
    expect(await post(name, JSON.stringify([item(0), ...items]))).toMatchObject({ status: 400 });
  },
  5000,
);

test('deep alternatives that a constant tells apart are judged in a moment', async () => {
  const deep = Array.from({ length: 24 }).reduce<object>((child) => ({ child, kind: 'b' }), { kind: 'a' });
  expect(await post('a tree of alternatives', JSON.stringify(deep))).toMatchObject({ status: 204 });
  const wrong = JSON.stringify(deep).replace('"a"', '"c"');
  expect(await post('a tree of alternatives', wrong)).toMatchObject({ status: 400 });
}, 8000);

test('requests with large integers do not disturb each other', async () => {
  const list = (from: bigint): string =>
    JSON.stringify(Array.from({ length: 50 }, (_, index) => String(from + BigInt(index)))).replaceAll('"', '');
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      post('int64s that differ', index % 2 === 0 ? list(BIG + BigInt(index)) : `[${BIG},${BIG}]`),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, index) => (index % 2 === 0 ? 204 : 400)));
});
