import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { setImmediate as delay, setTimeout as pause } from 'node:timers/promises';
import type { Part } from '../src/bodies/part-readers.ts';
import { RequestError } from '../src/errors/errors.ts';
import type { MiddlewareOptions } from '../src/server/options.ts';
import type { ResponseValue } from '../src/response/respond.ts';
import { serveContract, type ContractServer } from './support/contract-server.ts';
import { withFiles } from 'test-support/contract-files.ts';
import { dial } from 'test-support/dial.ts';

const TEXT = { content: { 'text/plain': {} } };
const UPLOADS = { 'application/octet-stream': {}, 'multipart/form-data': { schema: { type: 'object' } } };
const CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Responses that do not wait for their request', version: '1.0.0' },
  paths: {
    '/upload': {
      put: {
        operationId: 'upload',
        requestBody: { required: true, content: UPLOADS },
        responses: {
          200: { description: 'Yes.', ...TEXT },
          '4XX': { description: 'No.', content: { 'text/plain': {}, 'application/json': {} } },
        },
      },
    },
    '/next': { get: { operationId: 'next', responses: { 200: { description: 'Yes.', ...TEXT } } } },
  },
};

type Upload = (request: { readonly body: AsyncIterable<unknown> }) => ResponseValue | Promise<ResponseValue>;

function serve(upload: Upload, options: Partial<MiddlewareOptions> = {}): Promise<ContractServer> {
  const handlers = { upload, next: () => ({ status: 200, contentType: 'text/plain', body: 'the next one' }) };
  return withFiles({ 'openapi.yaml': JSON.stringify(CONTRACT) }, (file) => serveContract(file, handlers, {}, options));
}

/** More than the buffers of a connection take. */
const LARGE = 'x'.repeat(4 * 1024 * 1024);
const PART = 'Content-Disposition: form-data; name=';
const MULTIPART = `--b\r\n${PART}a\r\n\r\n1\r\n--b\r\n${PART}f; filename=f\r\nContent-Type: image/png\r\n\r\n${LARGE}\r\n--b--`;
const BODIES = {
  'a stream of bytes': { type: 'application/octet-stream', body: LARGE },
  'a multipart body': { type: 'multipart/form-data; boundary=b', body: MULTIPART },
};
const FRAMINGS = {
  'of a known length': (body: string): [header: string, content: string] => [`Content-Length: ${body.length}`, body],
  'in chunks': (body: string): [header: string, content: string] => [
    'Transfer-Encoding: chunked',
    `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ],
};
const NEXT = 'GET /next HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';

const SECURITY =
  "Cache-Control: no-store\r\nContent-Security-Policy: frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\n";
const KEPT = 'Connection: keep-alive\r\nKeep-Alive: timeout=60\r\n';

/** A whole response without its date. */
function response(
  status: string,
  body: string,
  { connection = KEPT, type = 'text/plain; charset=utf-8' } = {},
): string {
  const head = `HTTP/1.1 ${status}\r\nX-Powered-By: Express\r\n${SECURITY}Content-Type: ${type}\r\n`;
  return `${head}Content-Length: ${body.length}\r\n${connection}\r\n${body}`;
}

/** A refusal as `comparable` leaves it, with its reason for a body. */
const refusal = (status: string, reason: string): string =>
  response(status, reason, { type: 'application/json; charset=utf-8' });
const streamed = (content: string): string =>
  response('200 OK', '', { connection: `${KEPT}Transfer-Encoding: chunked\r\n` })
    .replace('Content-Length: 0\r\n', '')
    .concat(`${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`);
const NEXT_RESPONSE = response('200 OK', 'the next one', { connection: 'Connection: close\r\n' });

const REFUSAL = /(?<=Content-Length: )(\d+)((?:\r\n[^\r]+)*\r\n\r\n)(\{"reason":"(\w+)","message":"[^"]+"\})/g;

/** What was received without dates, and with its reason alone as the body of a refusal. */
const comparable = (received: string): string =>
  received
    .replaceAll(/Date: [^\r]*\r\n/g, '')
    .replaceAll(REFUSAL, (_, length: string, headers: string, body: string, reason: string) =>
      [Number(length) - body.length + reason.length, headers, reason].join(''),
    );

/** Sends a request whose body follows its head a moment later, and then another one. */
async function sendBoth(server: ContractServer, headers: string, content: string): Promise<string> {
  const socket = dial(server.port);
  const received = text(socket);
  socket.write(`PUT /upload HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n`);
  await pause(50);
  socket.write(content);
  socket.write(NEXT);
  return comparable(await received);
}

const first = async (body: AsyncIterable<unknown>): Promise<unknown> =>
  (await body[Symbol.asyncIterator]().next()).value;
const no = { status: 404, contentType: 'text/plain', body: 'no' };
const NO = response('404 Not Found', 'no');
const INTERNAL = refusal('500 Internal Server Error', 'internal');

type Case = readonly [
  what: string,
  upload: Upload,
  expected: string,
  options?: Partial<MiddlewareOptions>,
  headers?: string,
];

const CASES: readonly Case[] = [
  ['returns a refusal and reads nothing', (): ResponseValue => no, NO],
  ['returns a refusal after the first piece', async ({ body }): Promise<ResponseValue> => (await first(body), no), NO],
  [
    'returns a refusal while it waits for the first piece',
    ({ body }): ResponseValue => {
      // The handler goes on, and fails because the request is answered.
      first(body).catch(() => undefined);
      return no;
    },
    NO,
  ],
  [
    'throws a refusal after the first piece',
    async ({ body }): Promise<never> => {
      await first(body);
      throw new RequestError('taken', 'It is taken.', { status: 409 });
    },
    refusal('409 Conflict', 'taken'),
  ],
  [
    'has no time any more after the first piece',
    async ({ body }): Promise<never> => {
      await first(body);
      return new Promise(() => undefined);
    },
    INTERNAL,
    { timeout: 200 },
  ],
  [
    'fails after the first piece, for which onError has another refusal',
    async ({ body }): Promise<never> => {
      await first(body);
      throw new Error('The disk is full.');
    },
    refusal('507 Insufficient Storage', 'full'),
    { onError: () => new RequestError('full', 'There is no space.', { status: 507 }) },
  ],
  [
    'is not called since a precondition does not hold',
    (): ResponseValue => no,
    refusal('412 Precondition Failed', 'preconditionFailed'),
    {},
    '\r\nIf-Match: "x"',
  ],
  [
    'has a check that refuses, since a precondition does not hold',
    (): ResponseValue => no,
    NO,
    { checks: { upload: () => no } },
    '\r\nIf-Match: "x"',
  ],
];

describe.each(Object.entries(BODIES))('the connection serves the next request after %s', (_body, { type, body }) => {
  describe.each(Object.entries(FRAMINGS))('%s', (_framing, frame) => {
    const [header, content] = frame(body);
    test.each(CASES)(
      'of which a handler %s',
      async (_what, upload, expected, options = {}, headers = '') => {
        const server = await serve(upload, options);
        const sent = `Content-Type: ${type}\r\n${header}${headers}`;
        expect(await sendBoth(server, sent, content)).toBe(expected + NEXT_RESPONSE);
        await server.close();
      },
      20_000,
    );
  });
});

test.each(Object.entries(FRAMINGS))(
  'the connection serves the next request after bytes %s that a streamed response has read in part',
  async (_framing, frame) => {
    const server = await serve(async ({ body }) => {
      await first(body);
      return { status: 200, contentType: 'text/plain', body: Readable.from(['enough']) };
    });
    const [header, content] = frame(LARGE);
    const received = await sendBoth(server, `Content-Type: application/octet-stream\r\n${header}`, content);
    expect(received).toBe(streamed('enough') + NEXT_RESPONSE);
    await server.close();
  },
  20_000,
);

describe('a refusal that closes the connection', () => {
  const HEAD = 'PUT /upload HTTP/1.1\r\nHost: h\r\nContent-Type: text/csv\r\n';
  const REFUSED = refusal('415 Unsupported Media Type', 'unsupportedMediaType')
    .replace(KEPT, '')
    .replace(
      'Content-Type: ',
      'Connection: close\r\nAccept: application/octet-stream, multipart/form-data\r\nContent-Type: ',
    );

  test.each(Object.entries(FRAMINGS))(
    'reaches a client that sends its body %s before it reads',
    async (_framing, frame) => {
      const server = await serve(() => no);
      const socket = dial(server.port);
      const [header, content] = frame('x'.repeat(900_000));
      socket.write(`${HEAD}${header}\r\n\r\n`);
      // It is refused, and has a second for the rest.
      await once(socket, 'readable');
      for (let sent = 0; sent < content.length; sent += 100_000) {
        await delay();
        socket.write(content.slice(sent, sent + 100_000));
      }
      expect(comparable(await text(socket))).toBe(REFUSED);
      await server.close();
    },
  );

  test('closes it although the client goes on sending', async () => {
    const server = await serve(() => no);
    const connected = once(server.server, 'connection');
    const socket = dial(server.port);
    socket.resume().write(`${HEAD}Content-Length: 1000000000\r\n\r\n`);
    // The event's only argument: https://nodejs.org/api/net.html#event-connection
    const [connection] = (await connected) as [Socket];
    while (!socket.closed)
      if (!socket.write(LARGE.slice(0, 100_000)))
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
    expect(connection.bytesRead).toBeLessThan(2_000_000);
    await server.close();
  });

  test('closes it sooner where the client goes on in small chunks, each of which takes time', async () => {
    const server = await serve(() => no);
    const connected = once(server.server, 'connection');
    const socket = dial(server.port);
    socket.resume().write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    // The event's only argument: https://nodejs.org/api/net.html#event-connection
    const [connection] = (await connected) as [Socket];
    const chunks = `10\r\n${'x'.repeat(16)}\r\n`.repeat(1_000);
    while (!socket.closed)
      if (!socket.write(chunks))
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
    expect(connection.bytesRead).toBeLessThan(500_000);
    await server.close();
  });

  test('closes it although the client sends no more', async () => {
    const server = await serve(() => no);
    const socket = dial(server.port);
    socket.write(`${HEAD}Content-Length: 9\r\n\r\n`);
    expect(comparable(await text(socket))).toBe(REFUSED);
    await server.close();
  });
});

test('a streamed response still reads the request: nothing of it is dropped before its end', async () => {
  const server = await serve(({ body }) => ({
    status: 200,
    contentType: 'text/plain',
    body: (async function* () {
      let size = 0;
      for await (const chunk of body) size += (chunk as Uint8Array).length;
      yield String(size);
    })(),
  }));
  const headers = `Content-Type: application/octet-stream\r\nContent-Length: ${LARGE.length}`;
  expect(await sendBoth(server, headers, LARGE)).toBe(streamed(String(LARGE.length)) + NEXT_RESPONSE);
  await server.close();
});

describe.each(Object.entries(BODIES))('a handler that reads on after the response', (what, { type, body }) => {
  const readAll = async (given: AsyncIterable<unknown>): Promise<void> => {
    for await (const item of given) {
      const { body: file } = item as Part;
      if (file !== undefined) await buffer(file);
    }
  };

  test.each([
    ['gets an error in place of the end', true],
    ['and only now begins to, gets an error', false],
  ])(`${what} %s, and does not hold the connection up`, async (_what, begins) => {
    let reading: Promise<void> | undefined;
    let answered: () => void = () => undefined;
    const isAnswered = new Promise<void>((resolve) => (answered = resolve));
    const server = await serve(
      ({ body: given }) => {
        reading = begins ? readAll(given) : isAnswered.then(() => readAll(given));
        reading.catch(() => undefined);
        return new Promise(() => undefined);
      },
      { timeout: 300 },
    );
    const socket = dial(server.port);
    const received = text(socket);
    const [header, content] = FRAMINGS['of a known length'](body);
    socket.write(`PUT /upload HTTP/1.1\r\nHost: h\r\nContent-Type: ${type}\r\n${header}\r\n\r\n`);
    socket.write(content.slice(0, -1_000_000));
    await once(socket, 'data');
    answered();
    await pause(50);
    socket.write(content.slice(-1_000_000) + NEXT);
    expect(comparable(await received)).toBe(INTERNAL + NEXT_RESPONSE);
    await expect(reading).rejects.toThrow('answered before');
    await server.close();
  });
});
