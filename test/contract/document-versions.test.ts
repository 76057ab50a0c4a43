import { afterAll, expect, test } from '@jest/globals';
import { loadContract } from '../../src/contract/document/load.ts';
import { serveContract, type ContractServer } from '../support/contract-server.ts';
import { withFiles } from '../support/inline-contract.ts';

/** A contract with an operation for each schema, whose body has one property of it, `here`. */
function contract(version: string, ...schemas: readonly string[]): string {
  const paths = schemas.map(
    (schema, index) => `
  /${index}:
    post:
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, properties: { here: ${schema} } } } }
      responses: { '204': { description: Created. } }`,
  );
  return `openapi: ${version}
info: { title: Versions, version: 1.0.0 }
paths:${paths.join('')}
components: { schemas: { Text: { type: string } } }
`;
}

const serve = (text: string): Promise<ContractServer> =>
  withFiles({ 'openapi.yaml': text }, (file) => serveContract(file, () => ({ status: 204 })));

/** The status of a request for each value of `here`. */
async function statuses(server: ContractServer, path: string, values: readonly unknown[]): Promise<number[]> {
  const headers = { 'Content-Type': 'application/json' };
  const found: number[] = [];
  for (const here of values) {
    found.push((await server.request('POST', path, { headers, body: JSON.stringify({ here }) })).status);
  }
  return found;
}

const TEXT = "$ref: '#/components/schemas/Text'";
/** A schema of OpenAPI 3.0, values that are valid, and values that are not. */
type Row = readonly [what: string, schema: string, valid: readonly unknown[], invalid: readonly unknown[]];
const ROWS: readonly Row[] = [
  ['nullable beside a type', '{ type: string, nullable: true }', ['a', null], [1]],
  ['nullable: false', '{ type: string, nullable: false }', ['a'], [null]],
  ['nullable without a type, which has no effect', '{ nullable: true, allOf: [{ type: string }] }', ['a'], [null, 1]],
  ['nullable with an enum that has null', '{ type: string, nullable: true, enum: [a, null] }', ['a', null], ['b']],
  ['nullable with an enum without null', '{ type: string, nullable: true, enum: [a] }', ['a'], [null]],
  ['exclusiveMinimum: true', '{ type: number, minimum: 1, exclusiveMinimum: true }', [1.5], [1, 0]],
  ['exclusiveMinimum: false', '{ type: number, minimum: 1, exclusiveMinimum: false }', [1], [0]],
  ['exclusiveMinimum without minimum', '{ type: number, exclusiveMinimum: true }', [-1], ['a']],
  ['exclusiveMaximum: true', '{ type: number, maximum: 1, exclusiveMaximum: true }', [0], [1, 2]],
  ['exclusiveMaximum as a number, of 3.1', '{ type: number, exclusiveMaximum: 1 }', [0], [1]],
  ['keywords beside a reference, which are ignored', `{ ${TEXT}, maxLength: 1 }`, ['ab'], [1]],
  ['nullable beside a reference, which is ignored', `{ ${TEXT}, nullable: true }`, ['a'], [null]],
  ['nullable in a part', '{ type: array, items: { type: integer, nullable: true } }', [[1, null]], [null, ['a']]],
  [
    'data that looks like keywords',
    '{ enum: [{ type: string, nullable: true }, 1] }',
    [{ type: 'string', nullable: true }, 1],
    [{ type: ['string', 'null'] }, null],
  ],
  [
    'properties named like keywords',
    '{ properties: { nullable: { type: boolean } } }',
    [{ nullable: true }],
    [{ nullable: 1 }],
  ],
  ['binary as strings', '{ type: string, format: binary }', ['abc', 'YQ=='], [1]],
  ['byte as strings', '{ type: string, format: byte }', ['YQ=='], [1]],
];
const older = await serve(contract('3.0.3', ...ROWS.map(([, schema]) => schema)));
afterAll(() => older.close());

test.each(ROWS.map((row, index) => [...row, index] as const))(
  'OpenAPI 3.0 has %s',
  async (_what, _schema, valid, invalid, index) => {
    expect(await statuses(older, `/${index}`, [...valid, ...invalid])).toEqual([
      ...valid.map(() => 204),
      ...invalid.map(() => 400),
    ]);
  },
);

test('OpenAPI 3.1 is read by its own rules, and a date in YAML stays a string', async () => {
  const server = await serve(
    contract(
      '3.1.1',
      `{ ${TEXT}, maxLength: 1 }`,
      '{ type: string, nullable: true }',
      '{ type: [string, "null"] }',
      '{ type: string, enum: [2020-01-01, 2020-01-01T00:00:00Z], default: 2020-01-01 }',
    ),
  );
  const values = ['a', 'ab', null, 1];
  expect(await statuses(server, '/0', values)).toEqual([204, 400, 400, 400]);
  expect(await statuses(server, '/1', values)).toEqual([204, 204, 400, 400]);
  expect(await statuses(server, '/2', values)).toEqual([204, 204, 204, 400]);
  const dates = ['2020-01-01', '2020-01-01T00:00:00Z', '2020-01-02'];
  expect(await statuses(server, '/3', dates)).toEqual([204, 204, 400]);
  await server.close();
});

test.each([
  ['3.0', 204],
  ["'3.0'", 204],
  ['3.1', 400],
  ["'3.1'", 400],
])('the version %s is read without patch version, and info is not needed', async (version, whetherNull) => {
  const text = contract(version, '{ type: string, nullable: true }').replace(/^info.*\n/m, '');
  const server = await serve(text);
  expect(await statuses(server, '/0', ['a', null])).toEqual([204, whetherNull]);
  await server.close();
});

test('integers beyond 2^53 are exact in the document, all others are numbers', async () => {
  const text = contract(
    '3.1.0',
    `{ minimum: -9223372036854775808, maximum: 9223372036854775807, enum: [9007199254740993, 9007199254740991, +9007199254740993],
       const: 18446744073709551616, default: 0x20000000000001, example: [1, -0, 1e3, 1.5, '9007199254740993', 1_000] }`,
  );
  await withFiles({ 'openapi.yaml': text }, async (file) => {
    const { operations } = await loadContract(file);
    expect(operations[0]?.requestBody?.content['application/json']?.schema?.['properties']).toEqual({
      here: {
        minimum: -9223372036854775808n,
        maximum: 9223372036854775807n,
        enum: [9007199254740993n, 9007199254740991, 9007199254740993n],
        const: 18446744073709551616n,
        default: 9007199254740993n,
        example: [1, -0, 1000, 1.5, '9007199254740993', '1_000'],
      },
    });
  });
});

test('styles of the parts of a multipart body have an effect in OpenAPI 3.1 only', async () => {
  const part = (text: string): string => `--b\r\nContent-Disposition: form-data; name="here"\r\n\r\n${text}\r\n`;
  const send = async (version: string, type: string, body: string): Promise<number> => {
    const text = contract(version, '{ type: array, items: { type: string }, maxItems: 2 }');
    const encoding = 'encoding: { here: { style: form, explode: false } }, schema:';
    const server = await serve(text.replace('application/json', type.split(';')[0] ?? '').replace('schema:', encoding));
    const { status } = await server.request('POST', '/0', { headers: { 'Content-Type': type }, body });
    await server.close();
    return status;
  };
  const [multipart, form] = ['multipart/form-data; boundary=b', 'application/x-www-form-urlencoded'];
  const repeated = `${part('a')}${part('b')}--b--\r\n`;
  const joined = `${part('a,b,c')}--b--\r\n`;
  expect([await send('3.0.3', multipart, repeated), await send('3.0.3', multipart, joined)]).toEqual([204, 204]);
  expect([await send('3.1.1', multipart, repeated), await send('3.1.1', multipart, joined)]).toEqual([400, 400]);
  expect([await send('3.0.3', form, 'here=a,b'), await send('3.0.3', form, 'here=a,b,c')]).toEqual([204, 400]);
});
