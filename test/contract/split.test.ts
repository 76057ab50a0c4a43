import { expect, test } from '@jest/globals';
import { serveContract } from '../support/contract-server.ts';

test('a contract that is split over files is served as if it were one', async () => {
  const server = await serveContract('split/openapi.yaml', {
    getPlant: (request: never) => {
      const { id } = (request as { params: { id: bigint } }).params;
      return { status: 200, body: { id, mother: { id: id + 1n } } };
    },
    createPlant: (request: never) => ({ status: 201, body: (request as { body: unknown }).body }),
  });
  const text = '{"id":9007199254740993,"mother":{"id":9007199254740994}}';
  expect(await server.request('GET', '/plants/9007199254740993')).toMatchObject({ status: 200, text });
  expect(await server.request('GET', '/plants/x')).toMatchObject({ status: 400 });
  const headers = { 'Content-Type': 'application/json' };
  expect(await server.request('POST', '/plants', { headers, body: text })).toMatchObject({ status: 201, text });
  const wrong = '{"id":1,"mother":{"id":"2"}}';
  expect(await server.request('POST', '/plants', { headers, body: wrong })).toMatchObject({ status: 400 });
  await server.close();
});
