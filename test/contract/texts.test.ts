import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ResponseValue } from '../../src/contract/respond.ts';
import { serveDocument } from '../support/inline-contract.ts';

const BIG = 9007199254740993n;
const INT64 = { type: 'integer', format: 'int64' };
const TEXT = 'text/plain';
/** The schemas of a text, by path. */
const SCHEMAS = {
  '/int64': INT64,
  '/behind': { $ref: '#/components/schemas/Id' },
  '/flag': { type: 'boolean' },
  '/numbers': { enum: [1, 2.5] },
  '/words': { type: 'string', enum: ['on', 'off'] },
  '/either': { anyOf: [INT64, { type: 'string', maxLength: 3 }] },
  '/object': { type: 'object', required: ['id'] },
  '/any': undefined,
};

let seen: unknown;
let answer: ResponseValue;
const server = await serveDocument(
  {
    openapi: '3.1.0',
    info: { title: 'Texts', version: '1.0.0' },
    paths: Object.fromEntries(
      Object.entries(SCHEMAS).map(([path, schema]) => {
        const content = { [TEXT]: { ...(schema && { schema }) } };
        const responses = { 200: { description: 'Another.', content }, 204: { description: 'Seen.' } };
        const parameters = [{ name: 'q', in: 'query', content }];
        return [path, { post: { parameters, requestBody: { content }, responses } }];
      }),
    ),
    components: { schemas: { Id: { allOf: [INT64, { minimum: 1 }] } } },
  },
  (request: never) => {
    seen = request;
    return answer;
  },
);
afterAll(() => server.close());
beforeEach(() => {
  seen = undefined;
  answer = { status: 204 };
});

const VALID: readonly (readonly [path: keyof typeof SCHEMAS, text: string, value: unknown])[] = [
  ['/int64', `${BIG}`, BIG],
  ['/behind', '12', 12n],
  ['/flag', 'true', true],
  ['/numbers', '2.5', 2.5],
  ['/words', 'on', 'on'],
  ['/either', `${BIG}`, BIG],
  ['/either', 'abc', 'abc'],
  ['/object', '{"id":1}', '{"id":1}'],
  ['/any', '12', '12'],
];
const INVALID: readonly (readonly [path: keyof typeof SCHEMAS, text: string])[] = [
  ['/int64', 'one'],
  ['/int64', '9223372036854775808'],
  ['/behind', '0'],
  ['/flag', 'yes'],
  ['/numbers', '2'],
  ['/words', 'up'],
  ['/either', 'abcd'],
];

describe('a text', () => {
  test.each(VALID)('of %s is read as it says: %s', async (path, body, value) => {
    expect(await server.request('POST', path, { headers: { 'Content-Type': TEXT }, body })).toMatchObject({
      status: 204,
    });
    expect(seen).toMatchObject({ body: value });
    expect(await server.request('POST', `${path}?q=${encodeURIComponent(body)}`)).toMatchObject({ status: 204 });
    expect(seen).toMatchObject({ query: { q: value } });
    answer = { status: 200, contentType: TEXT, body };
    expect(await server.request('POST', path)).toMatchObject({ status: 200, text: body });
  });

  test.each(INVALID)('of %s is refused, and a mistake of the handler: %s', async (path, body) => {
    const refused = { status: 400, text: expect.stringContaining('{"error":4000') };
    expect(await server.request('POST', path, { headers: { 'Content-Type': TEXT }, body })).toMatchObject(refused);
    expect(await server.request('POST', `${path}?q=${encodeURIComponent(body)}`)).toMatchObject(refused);
    expect(seen).toBeUndefined();
    answer = { status: 200, contentType: TEXT, body };
    expect(await server.request('POST', path)).toMatchObject({ status: 500 });
  });
});
