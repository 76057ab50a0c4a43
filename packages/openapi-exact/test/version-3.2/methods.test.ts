import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';
import { serveForClient, type ServedContract } from '../client/served-contract.ts';
import { refused, serveContract, type ContractServer } from '../support/contract-server.ts';
import { serveDocument } from '../support/inline-contract.ts';

const FEATURE = new URL('../fixtures/contracts/features/version-3.2-methods.yaml', import.meta.url);
const JSON_TYPE = { 'Content-Type': 'application/json' };
const BIG = '9007199254740993';

describe('a contract with QUERY and other methods', () => {
  let server: ContractServer;
  const changes: string[] = [];

  beforeAll(async () => {
    const handlers = {
      listPlants: () => ({ status: 204 }),
      findPlants: ({ body }: { body: { height: number } }) => ({ status: 200, body: [{ id: BigInt(body.height) }] }),
      purgePlants: () => ({ status: 204 }),
      linkPlant: ({ params, query }: { params: { id: bigint }; query: { to: bigint } }) => ({
        status: 200,
        body: { id: params.id + query.to },
      }),
      copyPlantsById: () => ({ status: 204 }),
    };
    const onChange = ({ operation }: { operation: string }): void => void changes.push(operation);
    server = await serveContract(FEATURE, handlers, {}, { onChange });
  });
  afterAll(() => server.close());

  test('QUERY has a body, which is read by its media type and validated', async () => {
    const found = await server.request('QUERY', '/plants', { headers: JSON_TYPE, body: '{"height":3}' });
    expect(found).toMatchObject({ status: 200, text: '[{"id":3}]' });
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const inForm = await server.request('QUERY', '/plants', { headers: form, body: 'height=4&kinds=fern' });
    expect(inForm).toMatchObject({ status: 200, text: '[{"id":4}]' });
    expect(await server.request('QUERY', '/plants', { headers: JSON_TYPE, body: '{}' })).toMatchObject(
      refused('invalidBody'),
    );
    const text = { headers: { 'Content-Type': 'text/plain' }, body: 'height 3' };
    const unsupported = await server.request('QUERY', '/plants', text);
    expect(unsupported).toMatchObject(refused('unsupportedMediaType'));
    expect(unsupported.headers['accept-query']).toBe('application/json, application/x-www-form-urlencoded');
  });

  test('an additional operation has parameters and bodies as any other, and a name of its own without operationId', async () => {
    expect(await server.request('LINK', `/plants/${BIG}?to=1`)).toMatchObject({
      status: 200,
      text: '{"id":9007199254740994}',
    });
    expect(await server.request('LINK', '/plants/1')).toMatchObject(refused('invalidParameter'));
    const copy = { headers: JSON_TYPE, body: `{"id":${BIG}}` };
    expect(await server.request('COPY', '/plants/1', copy)).toMatchObject({ status: 204 });
    expect(await server.request('COPY', '/plants/1', { ...copy, body: '{"id":"1"}' })).toMatchObject(
      refused('invalidBody'),
    );
  });

  test('405 and OPTIONS name every method of the path, and OPTIONS * every one of the contract', async () => {
    const refusal = await server.request('POST', '/plants');
    expect(refusal).toMatchObject(refused('methodNotAllowed'));
    expect(refusal.headers.allow).toBe('GET, QUERY, PURGE, HEAD, OPTIONS');
    expect((await server.request('QUERY', '/plants/1')).headers.allow).toBe('LINK, COPY, OPTIONS');
    expect((await server.request('OPTIONS', '/plants/1')).headers.allow).toBe('LINK, COPY, OPTIONS');
    expect((await server.request('OPTIONS', '*')).headers.allow).toBe('GET, QUERY, PURGE, LINK, COPY, HEAD, OPTIONS');
  });

  test('QUERY is safe: it is no change, and a precondition on a tag finds what its handler finds', async () => {
    changes.length = 0;
    await server.request('QUERY', '/plants', { headers: JSON_TYPE, body: '{"height":3}' });
    await server.request('PURGE', '/plants');
    expect(changes).toEqual(['purgePlants']);
    const conditional = { headers: { ...JSON_TYPE, 'If-None-Match': '*' }, body: '{"height":3}' };
    expect(await server.request('QUERY', '/plants', conditional)).toMatchObject({ status: 200 });
    expect(await server.request('PURGE', '/plants', { headers: { 'If-None-Match': '*' } })).toMatchObject(
      refused('preconditionFailed'),
    );
  });
});

describe('the client', () => {
  let served: ServedContract;

  beforeAll(async () => {
    const { paths, components } = load(await readFile(FEATURE, 'utf8')) as { paths: object; components: object };
    served = await serveForClient(paths, { openapi: '3.2.0', components });
  });
  afterAll(() => served.close());

  test('sends QUERY with a body, and any other method by its name', async () => {
    const client = served.client();
    served.answer = { status: 200, body: [{ id: BigInt(BIG) }] };
    expect((await client.QUERY('/plants', { body: { height: 3 }, contentType: 'application/json' })).data).toEqual([
      { id: BigInt(BIG) },
    ]);
    expect(served.request).toMatchObject({ body: { height: 3 } });
    served.answer = { status: 200, body: { id: 1n } };
    const params = { path: { id: BigInt(BIG) }, query: { to: 2n } };
    expect((await client.request('LINK', '/plants/{id}', { params })).data).toEqual({ id: 1n });
    expect(served.request).toMatchObject({ params: { id: BigInt(BIG) }, query: { to: 2n } });
    const call = { body: { height: 1 }, contentType: 'application/json' };
    served.answer = { status: 200, body: [] };
    expect((await client.request('QUERY', '/plants', call)).data).toEqual([]);
  });

  test.each([
    ['LINK', '/plants/{id}', { path: { id: 1n } }, 2],
    ['PURGE', '/plants', {}, 1],
  ])('repeats %s after a broken connection only if it is idempotent', async (method, path, params, times) => {
    const fetch = jest.fn(() => Promise.reject(new TypeError('broken')));
    await expect(served.client({ fetch, retries: 1 }).request(method, path, { params })).rejects.toThrow('broken');
    expect(fetch).toHaveBeenCalledTimes(times);
  });

  test('refuses a method that the contract does not have, before anything is sent', async () => {
    await expect(served.client().request('UNLINK', '/plants/{id}')).rejects.toThrow('has no operation UNLINK');
  });
});

const DONE = { responses: { 204: { description: 'Done.' } } };

test('a contract of 3.1 does not know the fields: they are not served', async () => {
  const item = { get: DONE, query: DONE, additionalOperations: { LINK: DONE } };
  const server = await serveDocument({ paths: { '/a': item } }, () => ({ status: 204 }));
  for (const method of ['QUERY', 'LINK']) {
    expect(await server.request(method, '/a')).toMatchObject(refused('methodNotAllowed'));
  }
  expect((await server.request('OPTIONS', '/a')).headers.allow).toBe('GET, HEAD, OPTIONS');
  await server.close();
});

test.each([
  ['POST', 'post'],
  ['query', 'query'],
  ['A B', 'a method'],
])('%s among the additional operations is refused with what would be right', async (method, right) => {
  const paths = { '/a': { additionalOperations: { [method]: DONE } } };
  await expect(serveDocument({ openapi: '3.2.0', paths }, () => ({ status: 204 }))).rejects.toThrow(right);
});
