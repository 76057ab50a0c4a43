import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type Client } from 'openapi-exact/client';
import { createApp } from './app.ts';
import type { paths } from './generated/openapi.d.ts';
import { shapes } from './generated/shapes.ts';

let server: Server;
let client: Client<paths>;

beforeAll(async () => {
  server = createServer(await createApp()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  client = createClient<paths>({ shapes, baseUrl: `http://127.0.0.1:${port}` });
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test('QUERY finds messages by what its body asks for', async () => {
  await client.POST('/messages', { body: { from: 'Ada', text: 'Hello, Bob' } });
  await client.POST('/messages', { body: { from: 'Bob', text: 'Hello, Ada' } });
  const { data } = await client.QUERY('/messages', { body: { from: 'Bob', words: ['Hello', 'Ada'] } });
  expect(data).toEqual([{ id: 2n, from: 'Bob', text: 'Hello, Ada' }]);
  expect((await client.QUERY('/messages', { body: {} })).data).toHaveLength(2);
});

test('the export has a message in each line', async () => {
  const ids: (bigint | undefined)[] = [];
  for await (const { id } of (await client.GET('/messages/export')).data) ids.push(id);
  expect(ids).toEqual([1n, 2n]);
});

test('whoever watches gets each message as it is sent', async () => {
  const { data: events } = await client.GET('/messages/events');
  await client.POST('/messages', { body: { from: 'Eve', text: 'Psst' } });
  for await (const { id, data } of events) {
    expect({ id, data }).toEqual({ id: '3', data: { id: 3n, from: 'Eve', text: 'Psst' } });
    break;
  }
});
