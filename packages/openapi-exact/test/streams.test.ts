import { afterAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Part } from '../src/bodies/part-readers.ts';
import type { ServerSentEvent } from '../src/response/event-stream.ts';
import type { ResponseValue } from '../src/response/respond.ts';
import { serveContract } from './support/contract-server.ts';
import { dial } from 'test-support/dial.ts';

const MEGABYTE = 1024 * 1024;

let handle: (request: never) => ResponseValue | Promise<ResponseValue>;
const server = await serveContract('media-types.yaml', (request: never) => handle(request));
afterAll(() => server.close());

/** A source of a large body, which counts what was taken from it and notes its end. */
class Source {
  taken = 0;
  readonly closed: Promise<void>;
  #close: () => void = () => undefined;

  constructor() {
    this.closed = new Promise((resolve) => (this.#close = resolve));
  }

  async *chunks(megabytes: number): AsyncGenerator<Uint8Array> {
    try {
      const chunk = Buffer.alloc(MEGABYTE / 16);
      for (; this.taken < megabytes * 16; this.taken++) yield await Promise.resolve(chunk);
    } finally {
      this.#close();
    }
  }
}

/** A client that has sent a request and reads nothing. */
async function ask(line: string, headers = ''): Promise<Socket> {
  const socket = dial(server.port).pause();
  socket.write(`${line} HTTP/1.1\r\nHost: h\r\n${headers}\r\n`);
  await once(socket, 'connect');
  return socket;
}

const PDF = { contentType: 'application/pdf' };
const EVENTS = { contentType: 'text/event-stream' };

/** Answers requests with a PDF. */
function answerWith(body: unknown, more: object = {}): void {
  handle = (): ResponseValue => ({ status: 200, ...PDF, body, ...more });
}

test.each<[what: string, body: (source: Source) => unknown]>([
  ['an async iterable', (source): unknown => source.chunks(1024)],
  ['a Node stream', (source): unknown => Readable.from(source.chunks(1024), { objectMode: false })],
  ['a web stream', (source): unknown => Readable.toWeb(Readable.from(source.chunks(1024), { objectMode: false }))],
])('%s waits for a client that does not read, and ends when it leaves', async (_what, body) => {
  const source = new Source();
  answerWith(body(source));
  const socket = await ask('GET /answers');
  let taken = -1;
  while (taken !== source.taken || taken === 0) {
    taken = source.taken;
    await pause(300);
  }
  expect(taken).toBeLessThan(64 * 16);
  socket.destroy();
  await source.closed;
});

test('a source that fails half-way ends the connection, so that the client sees a broken body', async () => {
  answerWith(failing());
  const response = await fetch(`${server.url}/answers`);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

/** A body that never has anything, and its end. */
type Endless = (close: () => void) => object;

const ENDLESS: readonly [what: string, body: Endless][] = [
  ['a Node stream', (close): object => new Readable({ read: () => undefined, destroy: close })],
  ['a stream of values', (close): object => new Readable({ objectMode: true, read: () => {}, destroy: close })],
  ['a web stream', (close): object => new ReadableStream({ cancel: close })],
  [
    'an async iterable',
    (close): object => ({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => undefined),
        return: (): Promise<object> => (close(), Promise.resolve({ done: true })),
      }),
    }),
  ],
];

describe.each(ENDLESS)('%s as a body is ended', (_what, make) => {
  const ended = (more: object, handling?: Promise<void>): Promise<void> =>
    new Promise((resolve) => {
      handle = async (): Promise<ResponseValue> => {
        await handling;
        return { status: 200, body: make(resolve), ...more };
      };
    });
  test.each<[what: string, method: string, more: object, status: number, headers?: Record<string, string>]>([
    ['by a HEAD', 'HEAD', PDF, 200],
    ['by a precondition that does not hold', 'GET', PDF, 412, { 'If-Match': '"x"' }],
    ['by a HEAD for events', 'HEAD', EVENTS, 200],
    ['when its media type is not declared', 'GET', { contentType: 'text/html' }, 500],
    ['when its header is not declared', 'GET', { ...EVENTS, headers: { 'X-Other': 1 } }, 500],
  ])('%s', async (_when, method, more, status, headers = {}) => {
    const closed = ended(more);
    expect((await fetch(`${server.url}/answers`, { method, headers })).status).toBe(status);
    await closed;
  });

  test('by a request that turns out to be invalid', async () => {
    const closed = ended({ status: 201 });
    const body = new FormData();
    body.append('file', new Blob(['x'.repeat(MEGABYTE)]), 'f');
    expect((await fetch(`${server.url}/parts`, { method: 'POST', body })).status).toBe(400);
    await closed;
  });

  test('by a client that has left, before it was made or after', async () => {
    for (const isMade of [false, true]) {
      let make: () => void = () => undefined;
      const closed = ended(EVENTS, isMade ? undefined : new Promise((resolve) => (make = resolve)));
      const socket = await ask('GET /answers');
      await pause(100);
      socket.resetAndDestroy();
      await pause(100);
      make();
      await closed;
    }
  });
});

test('bytes that do not come are ended by a client that leaves, not by one that only sends no more', async () => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const bytes = new ReadableStream({
    start: (stream) => {
      stream.enqueue(Buffer.from('%PDF'));
    },
    cancel: end,
  });
  answerWith(bytes);
  const reading = await ask('GET /answers');
  await once(reading.resume(), 'data');
  reading.destroy();

  const slow = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('%PDF');
    await ended;
    await pause(300);
    yield Buffer.from('-1.7');
  };
  let isHalfClosed: Promise<unknown> = Promise.resolve();
  server.server.once('connection', (connection) => {
    isHalfClosed = once(connection, 'end');
  });
  handle = async (): Promise<ResponseValue> => {
    await isHalfClosed;
    return { status: 200, contentType: 'application/pdf', body: slow() };
  };
  const silent = await ask('GET /answers', 'Connection: close\r\n');
  silent.end();
  expect(await text(silent.resume())).toContain('-1.7');
}, 10_000);

test('a request behind bytes has its whole time although its client has closed its side', async () => {
  const slow = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('%PDF');
    await pause(300);
  };
  const responses = [
    { after: 0, body: slow() },
    { after: 1_300, body: Buffer.from('second') },
  ];
  handle = async (): Promise<ResponseValue> => {
    const { after = 0, body } = responses.shift() ?? {};
    await pause(after);
    return { status: 200, contentType: 'application/pdf', body };
  };
  const socket = await ask('GET /answers');
  socket.write('GET /answers HTTP/1.1\r\nHost: h\r\n\r\n');
  const received = text(socket.resume());
  await pause(100);
  socket.end();
  expect(await received).toContain('second');
});

test('a stream that fails while the rest of the request is awaited is 500', async () => {
  const body = new Readable({ read: () => undefined });
  const handled = new Promise<void>((resolve) => {
    handle = (): ResponseValue => {
      resolve();
      return { status: 201, body };
    };
  });
  const type = 'Content-Type: multipart/form-data; boundary=b\r\n';
  const socket = (await ask('POST /parts', `${type}Transfer-Encoding: chunked\r\nConnection: close\r\n`)).resume();
  const received = text(socket);
  const part = (name: string): string =>
    `--b\r\nContent-Disposition: form-data; name=${name}\r\nContent-Type: image/png\r\n\r\n1\r\n`;
  const large = `${part('id')}${part('file')}${part('photos').replace('1', 'x'.repeat(MEGABYTE))}`;
  socket.write(`${large.length.toString(16)}\r\n${large}\r\n`);
  await handled;
  await pause(50);
  body.destroy(new Error('The disk is broken.'));
  await pause(50);
  socket.write('5\r\n--b--\r\n0\r\n\r\n');
  expect(await received).toMatch(/^HTTP\/1.1 500 /);
});

test.each<[what: string, body: () => Readable]>([
  ['ended', (): Readable => new PassThrough().end()],
  ['been read', (): Readable => Readable.from(['read']).resume()],
])('a stream that has %s before it is returned is an empty body', async (_what, make) => {
  handle = async (): Promise<ResponseValue> => {
    const body = make();
    await pause(20);
    return { status: 200, contentType: 'application/pdf', body };
  };
  const response = await fetch(`${server.url}/answers`);
  expect([response.status, await response.text()]).toEqual([200, '']);
});

describe('a Content-Length of the handler', () => {
  const get = (body: unknown, method = 'GET'): Promise<Response> => {
    answerWith(body, { headers: { 'content-length': 3 } });
    return fetch(`${server.url}/answers`, { method });
  };
  const stream = (content: string): Readable => Readable.from([Buffer.from(content)]);

  test('is sent with a stream of that length', async () => {
    const response = await get(stream('PDF'));
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['3', 'PDF']);
    expect((await get(stream('PDF'), 'HEAD')).headers.get('content-length')).toBe('3');
  });

  test.each(['PD', 'PDF1'])(
    'that is not the length of the stream %s ends the connection',
    async (content) => {
      await expect(get(stream(content)).then((response) => response.text())).rejects.toThrow();
      // Sooner than the connection is closed for being idle.
    },
    4_000,
  );

  test('gives way to that of bytes', async () => {
    const response = await get(Buffer.from('PDF1'));
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['4', 'PDF1']);
  });
});

/** An iterator that gives the same again and again, as JavaScript may write it. */
function repeating(result: unknown): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(result as never) }) };
}

describe('an iterator without end that gives nothing to send neither hangs the process nor its client:', () => {
  test.each([undefined, null, 5, 'text', {}, { done: false, value: undefined }, { value: null }, { value: 7 }])(
    'the response to one whose next() gives %j fails',
    async (result) => {
      answerWith(repeating(result));
      const { status, text } = await server.request('GET', '/answers');
      expect([status, JSON.parse(text)]).toMatchObject([500, { reason: 'internal' }]);
    },
  );

  test.each(['', new Uint8Array()])('one that gives only %j lets others be answered, and ends', async (value) => {
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const ended = new Promise<void>((resolve) => {
      const close = (): Promise<never> => (resolve(), Promise.resolve({ done: true } as never));
      const items = { next: () => (begin(), Promise.resolve({ value } as never)), return: close };
      answerWith({ [Symbol.asyncIterator]: () => items });
    });
    const waiting = await ask('GET /answers');
    await begun;
    answerWith(Buffer.from('another'));
    expect(await server.request('GET', '/answers')).toMatchObject({ status: 200, text: 'another' });
    waiting.resetAndDestroy();
    await ended;
  });
});

test('a stream of which nothing is sent is closed after 60 s where the server has no timeout, and a later request has more', async () => {
  const connections: Socket[] = [];
  server.server.on('connection', (connection) => connections.push(connection));
  let end: () => void = () => undefined;
  const sent = async function* (): AsyncGenerator<ServerSentEvent> {
    yield { data: 1 };
    await new Promise<void>((resolve) => (end = resolve));
  };
  answerWith(sent(), EVENTS);
  const kept = (await ask('GET /answers')).setEncoding('latin1');
  let received = '';
  kept.on('data', (text: string) => (received += text)).resume();
  const until = async (text: string): Promise<void> => {
    while (!received.includes(text)) await pause(5);
  };
  await until('data: 1');
  const [connection] = connections;
  expect(Math.floor((connection?.timeout ?? 0) / 1_000)).toBe(60);
  end();
  await until('\r\n0\r\n\r\n');
  let during: number | undefined;
  handle = (): ResponseValue => {
    during = connection?.timeout;
    return { status: 200, contentType: 'application/pdf', body: Buffer.from('%PDF') };
  };
  kept.write('GET /answers HTTP/1.1\r\nHost: h\r\n\r\n');
  await until('%PDF');
  expect(during).toBe(0);
  kept.destroy();

  const ended = new Promise<void>((resolve) => {
    answerWith(new Readable({ read: () => undefined }).once('close', resolve), EVENTS);
  });
  const silent = await ask('GET /answers');
  await once(silent.resume(), 'data');
  // The rest of the 60 s.
  connections.at(-1)?.setTimeout(50);
  await Promise.all([ended, once(silent, 'close')]);
});

async function* failing(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.alloc(MEGABYTE));
  throw new Error('The disk is broken.');
}

test('server-sent events arrive one by one, framed for any client', async () => {
  let next: () => void = () => undefined;
  const sent = async function* (): AsyncGenerator<ServerSentEvent | string> {
    yield { event: 'plant', id: '7', retry: 500, data: { id: 9007199254740993n } };
    await new Promise<void>((resolve) => (next = resolve));
    yield 'one\ntwo\r\nthree\rfour';
    yield { data: '' };
  };
  answerWith(sent(), { ...EVENTS, headers: { 'cache-control': 'no-cache' } });
  const response = await fetch(`${server.url}/answers`, { headers: { Accept: 'text/event-stream' } });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  const received: string[] = [];
  for await (const chunk of response.body ?? []) {
    received.push(Buffer.from(chunk).toString());
    next();
  }
  expect(received[0]).toBe('event: plant\nid: 7\nretry: 500\ndata: {"id":9007199254740993}\n\n');
  expect(received.slice(1).join('')).toBe('data: one\ndata: two\ndata: three\ndata: four\n\ndata: \n\n');
});

test('the head of an event stream arrives before its first event, and a client that closes its side ends it', async () => {
  const left = new Promise<void>((resolve) => {
    const body = new Readable({ read: () => undefined }).once('close', resolve);
    answerWith(body, EVENTS);
  });
  const controller = new AbortController();
  const response = await fetch(`${server.url}/answers`, { signal: controller.signal });
  expect(response.status).toBe(200);
  controller.abort();
  await left;
});

test.each<[what: string, event: ServerSentEvent]>([
  ['a type with a line break', { event: 'a\ndata: b', data: '' }],
  ['an id with a line break', { id: 'a\rb', data: '' }],
  ['a retry in parts of a millisecond', { retry: 1.5, data: '' }],
  ['a negative retry', { retry: -1, data: '' }],
  ['a retry that is no number', { retry: Number.NaN, data: '' }],
])('an event with %s is not sent: clients would ignore it, or take it for another', async (_what, event) => {
  answerWith(Readable.from([event]), EVENTS);
  const response = await fetch(`${server.url}/answers`);
  await expect(response.text()).rejects.toThrow();
});

/** Sends chunks as they come. @returns the response, once it begins, and the end of the upload. */
async function upload(
  path: string,
  type: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ response: Readable & { statusCode?: number }; sent: Promise<void> }> {
  const options = { port: server.port, host: '127.0.0.1', path, method: 'POST', headers: { 'Content-Type': type } };
  const request = httpRequest(options);
  const answered = once(request, 'response');
  const sent = pipeline(chunks, request);
  // The type of the event.
  const [response] = (await answered) as [Readable];
  return { response, sent };
}

test('bytes pass through a handler as a stream, however many', async () => {
  handle = (request): ResponseValue => ({ status: 200, body: (request as { body: Readable }).body });
  const { response, sent } = await upload('/bytes', 'application/octet-stream', new Source().chunks(20));
  let size = 0;
  for await (const chunk of response) size += (chunk as Buffer).length;
  await sent;
  expect(size).toBe(20 * MEGABYTE);
});

test('a stream that nobody reads is left alone, and its client gets the answer', async () => {
  handle = (): ResponseValue => ({ status: 200, body: Buffer.from('enough') });
  const headers = { 'Content-Type': 'application/octet-stream' };
  const response = await fetch(`${server.url}/bytes`, { method: 'POST', body: 'x', headers });
  expect([response.status, await response.text()]).toEqual([200, 'enough']);
});

test('a client that leaves during its upload ends the stream with an error', async () => {
  const failed = new Promise<unknown>((resolve) => {
    handle = async (request): Promise<ResponseValue> => {
      await text((request as { body: Readable }).body).catch(resolve);
      return { status: 200, body: Buffer.from('') };
    };
  });
  const socket = await ask('POST /bytes', 'Content-Type: application/octet-stream\r\nContent-Length: 100\r\n');
  socket.write('x');
  await pause(100);
  socket.destroy();
  expect(await failed).toMatchObject({ name: 'RequestError', reason: 'malformedHttp' });
});

test('an upload of 100 MB goes to the handler at its speed, in little memory', async () => {
  const source = new Source();
  let arrived = (): number => 0;
  server.server.once('request', ({ socket }) => {
    const before = socket.bytesRead;
    arrived = () => socket.bytesRead - before;
  });
  let most = 0;
  let read = 0;
  handle = async (request): Promise<ResponseValue> => {
    for await (const { body } of (request as { body: AsyncIterable<Part> }).body) {
      if (body === undefined) continue;
      const sink = new Writable({
        write(chunk: Buffer, _encoding, done): void {
          read += chunk.length;
          most = Math.max(most, arrived() - read);
          setImmediate(done);
        },
      });
      await pipeline(body, sink);
    }
    return { status: 200, body: {} };
  };
  const part = (name: string, more = ''): string =>
    `--b\r\nContent-Disposition: form-data; name=${name}${more}\r\n\r\n`;
  async function* form(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${part('id')}1\r\n${part('file', '; filename=f')}`);
    yield* source.chunks(100);
    yield Buffer.from('\r\n--b--\r\n');
  }
  const { response } = await upload('/parts', 'multipart/form-data; boundary=b', form());
  expect([response.statusCode, await text(response)]).toEqual([200, '{}']);
  expect(read).toBe(100 * MEGABYTE);
  // What the server has read and the handler has not.
  expect(most).toBeLessThan(4 * MEGABYTE);
});

async function readFirst({ body }: { body: Readable }): Promise<void> {
  for await (const _ of body) break;
}

test.each<[what: string, handler: (request: { body: Readable }) => Promise<void>]>([
  ['nothing', (): Promise<void> => Promise.resolve()],
  ['a part', async ({ body }): Promise<void> => void (await body[Symbol.asyncIterator]().next())],
  ['a part and ends it', readFirst],
])('bytes of which the handler reads %s are checked to their end before it succeeds', async (_what, read) => {
  handle = async (request: never): Promise<ResponseValue> => {
    await read(request);
    return { status: 200, body: {} };
  };
  const headers = { 'Content-Type': 'image/png' };
  const send = (...chunks: string[]): Promise<Response> => {
    const body = ReadableStream.from(chunks.map((chunk) => Buffer.from(chunk)));
    return fetch(`${server.url}/echo`, { method: 'POST', headers, body, duplex: 'half' });
  };
  expect((await send('1234', '5678')).status).toBe(200);
  expect((await send('1234', '5678', '9')).status).toBe(413);
});
