import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseExact } from '../src/client/exact-json.ts';
import type { ContractServer } from './support/contract-server.ts';
import { contractTypes } from '../src/generate/types.ts';
import { loadContract } from '../src/load-contract.ts';
import { withFiles } from './support/inline-contract.ts';
import { contractOf, INT64, ref } from './support/schema-rows.ts';
import { createClient } from '../src/client.ts';
import type { ContractShapes } from '../src/client/shape.ts';
import { clientShapes } from '../src/generate/client-shapes.ts';
import type { ResponseValue } from '../src/respond.ts';
import { serveDocument } from './support/inline-contract.ts';

/** The lines of the generated types of components. */
async function typesOf(components: Readonly<Record<string, unknown>>): Promise<string[]> {
  const files = { 'openapi.yaml': contractOf([], { components }).replace(/paths:\s*$/, 'paths: {}\n') };
  const text = await withFiles(files, async (file) => contractTypes(await loadContract(file)));
  const [, schemas = ''] = /\n {4}schemas: \{\n(.*?)\n {4}\};\n/s.exec(text) ?? [];
  return schemas
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('/*'));
}

test('a number has the type of a bigint too, only where an alternative of its place says int64', async () => {
  const types = await typesOf({
    Either: { oneOf: [ref('Int'), ref('Number')] },
    Int: { type: 'object', properties: { id: INT64, list: { type: 'array', items: INT64 } } },
    Number: {
      type: 'object',
      properties: {
        id: { type: 'number' },
        other: { type: 'number' },
        list: { type: 'array', items: { type: 'integer' } },
      },
    },
    Alone: { type: 'object', properties: { id: { type: 'number' } } },
  });
  expect(types).toEqual([
    'Either: components["schemas"]["Int"] | components["schemas"]["Number"];',
    'Int: {',
    'id?: bigint;',
    'list?: bigint[];',
    '};',
    'Number: {',
    'id?: bigint | number;',
    'other?: number;',
    'list?: (bigint | number)[];',
    '};',
    'Alone: {',
    'id?: number;',
    '};',
  ]);
});

describe('an integer in a place that one alternative gives to int64s, and another to numbers,', () => {
  const kind = (value: string, id: object): object => ({
    type: 'object',
    required: ['kind', 'id'],
    properties: { kind: { const: value }, id },
  });
  const either = {
    oneOf: [kind('exact', INT64), kind('any', { type: 'number' }), kind('text', { type: 'string' })],
  };
  const content = { 'application/json': { schema: either } };
  const post = { requestBody: { required: true, content }, responses: { 200: { description: 'One.', content } } };
  const document = { paths: { '/either': { post } } };

  /** The types that are generated for both directions. */
  interface Either {
    kind: 'exact' | 'any' | 'text';
    id: bigint | number | string;
  }
  interface Paths {
    '/either': {
      post: {
        requestBody: { content: { 'application/json': Either } };
        responses: { 200: { content: { 'application/json': Either } } };
      };
    };
  }

  let seen: unknown;
  let answer: ResponseValue['body'];
  let server: ContractServer;
  let shapes: ContractShapes;
  beforeAll(async () => {
    server = await serveDocument(document, (request: never) => {
      seen = (request as { body: unknown }).body;
      return { status: 200, body: answer };
    });
    const info = { title: 'Either', version: '1.0.0' };
    const files = { 'openapi.yaml': JSON.stringify({ openapi: '3.1.0', info, ...document }) };
    const module = await withFiles(files, async (file) => clientShapes(await loadContract(file)));
    // The module is the table as JSON.
    shapes = JSON.parse(/ContractShapes = ([^]*);/.exec(module)?.[1] ?? '') as ContractShapes;
  });
  afterAll(() => server.close());

  const call = async (sent: Either, answered: Either): Promise<unknown> => {
    answer = answered;
    const client = createClient<Paths>({ shapes, baseUrl: server.url, token: 'unused' });
    const { data } = await client.POST('/either', { body: sent });
    return data;
  };

  test.each<[sent: number | bigint, given: number | bigint]>([
    [7n, 7n],
    [7, 7n],
    [9007199254740993n, 9007199254740993n],
    [1.5, 1.5],
  ])('is a bigint to the handler and the client, and a fraction a number: %s', async (sent, given) => {
    expect(await call({ kind: 'any', id: sent }, { kind: 'any', id: sent })).toEqual({ kind: 'any', id: given });
    expect(seen).toEqual({ kind: 'any', id: given });
  });

  test('leaves the texts of a third alternative as they are', async () => {
    const text = { kind: 'text', id: '7' } as const;
    expect(await call(text, text)).toEqual(text);
    expect(seen).toEqual(text);
  });

  test('is refused by the client where a number may be rounded', async () => {
    const rounded = { kind: 'any', id: 2 ** 53 } as const;
    await expect(call(rounded, rounded)).rejects.toThrow('body.id must be a bigint such as 12n');
  });

  test('is read by the client as the server reads it, however it is written', () => {
    const read = (text: string): unknown => parseExact(text, { int64: true }, {});
    expect(['1.0', '1e3', '-12.50e1', '9007199254740993.0', '0.0'].map(read)).toEqual([
      1n,
      1000n,
      -125n,
      9007199254740993n,
      0n,
    ]);
    expect(['1.5', '1e-1', '1e999999999'].map(read)).toEqual([1.5, 0.1, Infinity]);
  });
});
