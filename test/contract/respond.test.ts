import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { respond } from '../../src/contract/respond.ts';

test('a response that can write nothing verbatim has the headers that every answer has', async () => {
  const server = createServer((_request, response) => {
    respond(Object.assign(response, { locals: { requestId: 'a-1' } }), { status: 200, headers: { Age: 3n }, body: 7n });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    // A server that listens on a port has an address of this form.
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/`);
    const { date, connection: _, 'keep-alive': __, ...headers } = Object.fromEntries(response.headers);
    expect(date).toBeDefined();
    expect({ status: response.status, headers, text: await response.text() }).toEqual({
      status: 200,
      headers: {
        age: '3',
        'cache-control': 'no-store',
        'content-length': '1',
        'content-security-policy': "frame-ancestors 'none'",
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'x-request-id': 'a-1',
      },
      text: '7',
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
