import { expect, test } from '@jest/globals';
import { withContract } from './support/inline-contract.ts';
import { documentText } from 'test-support/contract-files.ts';

const ANY = { description: 'Any.', content: { 'application/json': { schema: {} } } };

test.each([
  ['200', [200, 500, 500, 404, 503]],
  ['2XX', [200, 201, 500, 404, 503]],
  ['302', [200, 201, 302, 404, 503]],
  ['404', [200, 201, 302, 404, 503]],
])(
  'beside a declared %s, default describes failures, and successes only where no other is declared',
  async (key, sent) => {
    const responses = { [key]: ANY, default: ANY };
    const document = {
      paths: {
        '/{status}': {
          get: { parameters: [{ name: 'status', in: 'path', required: true, schema: { type: 'integer' } }], responses },
        },
      },
    };
    const handler = (request: never): { status: number; body: unknown } => {
      const { status } = (request as { params: { status: number } }).params;
      return { status, body: {} };
    };
    await withContract({ 'openapi.yaml': documentText(document) }, handler, async ({ request }) => {
      const answers = await Promise.all([200, 201, 302, 404, 503].map((status) => request('GET', `/${status}`)));
      expect(answers.map(({ status }) => status)).toEqual(sent);
    });
  },
);

test('what a response leaves out may be undefined', async () => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  };
  const headers = { ETag: { schema: { type: 'string' } } };
  const responses = { 200: { description: 'It.', headers, content: { 'application/json': { schema } } } };
  const value = { status: 200, headers: { ETag: undefined }, contentType: undefined, body: { id: 1, name: undefined } };
  await withContract(
    { 'openapi.yaml': documentText({ paths: { '/it': { get: { responses } } } }) },
    () => value,
    async ({ request }) => {
      const { status, text, headers: received } = await request('GET', '/it');
      expect([status, text, received.etag, received['content-type']]).toEqual([
        200,
        '{"id":1}',
        undefined,
        'application/json; charset=utf-8',
      ]);
    },
  );
});
