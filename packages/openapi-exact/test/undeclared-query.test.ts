import { expect, test } from '@jest/globals';
import { HttpClient } from 'test-support/http-client.ts';
import { documentText } from 'test-support/contract-files.ts';
import { loadContract } from '../src/server/load-contract.ts';
import type { MiddlewareOptions } from '../src/server/options.ts';
import { serveMiddleware } from './support/serve-middleware.ts';

const parameters = [
  { name: 'page', in: 'query', schema: { type: 'integer' } },
  { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object', additionalProperties: false } },
];
const responses = { 200: { description: 'Yes.', content: { 'application/json': {} } } };
const paths = { '/plants': { get: { operationId: 'list', parameters, responses } } };
const contract = await loadContract({ text: documentText({ paths }) });
const handlers = { list: ({ query }: { query: object }) => ({ status: 200, body: query }) };

/** The status and the parsed body of the answer to a query. */
async function answers(
  undeclaredQuery: MiddlewareOptions['undeclaredQuery'],
  queries: readonly string[],
): Promise<readonly unknown[]> {
  const server = await serveMiddleware({ contract, handlers, undeclaredQuery });
  const client = new HttpClient(server.port);
  const given: unknown[] = [];
  for (const query of queries) {
    const { status, text } = await client.request('GET', `/plants?${query}`);
    given.push([status, JSON.parse(text)]);
  }
  client.close();
  await server.close();
  return given;
}

test('a handler gets no query parameter that the contract does not have, where those are ignored', async () => {
  const queries = ['utm_source=mail', 'utm_source=mail&page=2&utm_source=x&__proto__=1', 'page%5B%5D=1', ''];
  expect(await answers('ignore', queries)).toEqual([
    [200, {}],
    [200, { page: 2 }],
    [200, {}],
    [200, {}],
  ]);
});

test('declared parameters are validated where others are ignored', async () => {
  const faults = await answers('ignore', ['utm_source=mail&page=x', 'filter[a]=1', 'page=1&page=2']);
  expect(faults).toEqual([
    [400, expect.objectContaining({ message: expect.stringMatching(/^Query parameter 'page' must be [^.]*\.$/) })],
    [400, expect.objectContaining({ reason: 'invalidParameter' })],
    [400, { reason: 'invalidParameter', message: expect.stringContaining("'page'") }],
  ]);
});

test.each(['refuse', undefined] as const)(
  'with undeclaredQuery %s, a mount beside one that ignores them refuses undeclared query parameters',
  async (undeclaredQuery) => {
    await answers('ignore', ['utm_source=mail']);
    const message = expect.stringContaining("'utm_source'");
    expect(await answers(undeclaredQuery, ['page=2&utm_source=mail'])).toEqual([
      [400, { reason: 'unknownQueryParameter', message }],
    ]);
  },
);
