import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { respond, type ResponseValue } from '../../src/contract/respond.ts';

let answer: ResponseValue;
let server: Server;

/** Answers with `answer`. */
async function serve(): Promise<void> {
  server = createServer((_request, response) => {
    void respond(Object.assign(response, { locals: { requestId: 'a-1' } }), answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
}
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

function port(): number {
  // A server that listens on a port has an address of this form.
  return (server.address() as AddressInfo).port;
}

/** Everything of an answer but its date and what it says of the connection. */
async function send(): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port()}/`);
  const { date, connection: _, 'keep-alive': __, ...headers } = Object.fromEntries(response.headers);
  expect(date).toBeDefined();
  return { status: response.status, headers, text: await response.text() };
}

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-request-id': 'a-1',
};
const JSON_HEADERS = { ...HEADERS, 'content-type': 'application/json; charset=utf-8' };

test('a response has the headers that every response has', async () => {
  await serve();
  answer = { status: 200, headers: { Age: 3n }, body: 7n };
  expect(await send()).toEqual({
    status: 200,
    headers: { ...JSON_HEADERS, age: '3', 'content-length': '1' },
    text: '7',
  });
});

test.each<[string, unknown, string, number]>([
  ['ASCII', { error: 1, message: 'a "b"\n' }, '{"error":1,"message":"a \\"b\\"\\n"}', 33],
  ['other characters', { message: 'ä€😀' }, '{"message":"ä€😀"}', 23],
  ['int64s', { id: 2n ** 63n - 1n, more: [1n] }, '{"id":9223372036854775807,"more":[1]}', 37],
  ['nothing but a text', '', '""', 2],
  ['null', null, 'null', 4],
])('a body of %s is written as it is, twice on one connection', async (_name, body, text, length) => {
  await serve();
  answer = { status: 404, body };
  const headers = { ...JSON_HEADERS, 'content-length': String(length) };
  expect(await send()).toEqual({ status: 404, headers, text });
  expect(await send()).toEqual({ status: 404, headers, text });
});

test('HEAD gets the headers of a body without the body, and ends a stream unread', async () => {
  await serve();
  const body = Readable.from(['%PDF']);
  answer = { status: 200, contentType: 'application/pdf', body };
  const { status, headers } = await fetch(`http://127.0.0.1:${port()}/`, { method: 'HEAD' });
  expect([status, headers.get('content-type'), body.destroyed]).toEqual([200, 'application/pdf', true]);
  answer = { status: 200, body: { a: 1 } };
  // A client of HTTP would not show what comes behind the head.
  const socket = connect(port(), '127.0.0.1').setEncoding('latin1');
  socket.end('HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  const text = (await socket.toArray()).join('');
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:[\w-]+: .*\r\n)*Content-Length: 7\r\n(?:[\w-]+: .*\r\n)*\r\n$/);
});

test('a response without body has no headers of a body', async () => {
  await serve();
  answer = { status: 204 };
  expect(await send()).toEqual({ status: 204, headers: HEADERS, text: '' });
});
