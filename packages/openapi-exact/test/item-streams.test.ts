import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clientShapes } from 'openapi-exact-cli';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, ResponseError } from '../src/client.ts';
import type { ContractShapes } from '../src/client/shape.ts';
import { RequestError } from '../src/errors/errors.ts';
import type { ResponseValue } from '../src/response/respond.ts';
import type { Failure } from '../src/server/options.ts';
import { loadContract } from '../src/server/load-contract.ts';
import { refused, serveContract, type ContractServer } from './support/contract-server.ts';
import { closed } from 'test-support/closed.ts';
import { dial } from 'test-support/dial.ts';

const CONTRACT = 'features/item-streams.yaml';
const NDJSON = 'application/x-ndjson';
const BIG = 9007199254740993n;

let handle: (request: { readonly body: AsyncIterable<unknown>; readonly accepts?: readonly string[] }) => unknown;
const failures: Failure[] = [];
const server = await serveContract(CONTRACT, (request: never) => handle(request) as ResponseValue, undefined, {
  onError: (failure) => void failures.push(failure),
  errorBody: ({ reason, message, faults }) => ({ contentType: 'application/json', body: { reason, message, faults } }),
});
afterAll(() => server.close());

const file = new URL(`fixtures/contracts/${CONTRACT}`, import.meta.url);
// The module is the table as JSON.
const [, table = ''] = /ContractShapes = ([^]*);/.exec(clientShapes(await loadContract(file))) ?? [];
const shapes = JSON.parse(table) as ContractShapes;

/** A client without types. */
type Untyped = Record<
  'GET' | 'POST' | 'PUT',
  (path: string, options?: object) => Promise<{ data: never; response: Response }>
>;
// Safe: it has a function for each method.
const client = createClient({ shapes, baseUrl: server.url, retries: 0 }) as unknown as Untyped;

/** What a handler was given, and whether it was all. */
const received: unknown[] = [];

async function collect(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Reads the items of each request, and answers with their number. */
function count(): void {
  received.length = 0;
  handle = async ({ body }): Promise<ResponseValue> => {
    for await (const item of body) received.push(item);
    return { status: 200, body: { count: received.length } };
  };
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

const send = (path: string, type: string, body: string, method = 'POST'): ReturnType<typeof server.request> =>
  server.request(method, path, { headers: { 'Content-Type': type }, body });

describe('a stream of items that a client sends', () => {
  test('is lines of JSON, each exact and with its defaults', async () => {
    count();
    const body = `{"id":${BIG}}\n\r\n  {"id":1,"level":2}\r\n{"id":2.0}`;
    expect(await send('/lines', 'application/x-ndjson', body)).toMatchObject({ status: 200, text: '{"count":3}' });
    expect(received).toEqual([
      { id: BIG, level: 1 },
      { id: 1n, level: 2 },
      { id: 2n, level: 1 },
    ]);
  });
  test('lets other work run between its items, however many arrive at once', async () => {
    let [items, before] = [0, 0];
    handle = async ({ body }): Promise<ResponseValue> => {
      for await (const _ of body) if (items++ === 0) setImmediate(() => (before = items));
      return { status: 200, body: { count: before } };
    };
    const { status, text } = await send('/lines', NDJSON, '{"id":1}\n'.repeat(1_000));
    expect([status, items]).toEqual([200, 1_000]);
    expect(text).not.toBe('{"count":0}');
  });
  test('is a sequence of records, whose whitespace means nothing (RFC 7464)', async () => {
    handle = ({ body }): ResponseValue => ({ status: 200, body });
    const text = '\x1e{"id":1,\n"level":3}\n\x1e\x1e \n\x1e{"id":2}';
    expect(await send('/records', 'application/json-seq', text, 'PUT')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/vnd.entry+json-seq' },
      text: '\x1e{"id":1,"level":3}\n\x1e{"id":2,"level":1}\n',
    });
  });

  test('is events, without comments, unknown fields, and what ends before its blank line', async () => {
    count();
    const text =
      '\uFEFF: hello\r\nevent: added\r\nid: 7\r\nretry: 50\r\ndata: a\r\ndata:b\r\nother: 1\r\n\r\nevent: removed\n\n' +
      'retry: soon\rdata\r\rdata: lost';
    expect(await send('/events', 'text/event-stream', text)).toMatchObject({ status: 200 });
    expect(received).toEqual([{ data: 'a\nb', event: 'added', id: '7', retry: 50 }, { data: '' }]);
  });

  test.each<[what: string, path: string, type: string, body: string, message: string, read: number, pointer?: string]>([
    [
      'that its schema refuses',
      '/lines',
      NDJSON,
      '{"id":1}\n{"id":2,"level":-1}\n',
      "body's /1/level must be",
      1,
      '/1/level',
    ],
    ['with a property of the other direction', '/lines', NDJSON, '{"id":1,"x":', 'Item 0 of the request body', 0, '/0'],
    ['that is no JSON', '/lines', NDJSON, '{"id":1}\n{"id":}\n', 'Item 1 of the request body', 1, '/1'],
    [
      'that is not UTF-8',
      '/lines',
      NDJSON,
      '{"id":1}\n"\xff"\n',
      'Item 1 of the request body must be well-formed UTF-8',
      1,
      '/1',
    ],
    ['with a key twice', '/lines', NDJSON, '{"id":1,"id":2}\n', 'Item 0 of the request body', 0, '/0'],
    ['that is cut', '/records', 'application/json-seq', '\x1e12', 'Item 0 of the request body must end with', 0, '/0'],
    ['that begins without its separator', '/records', 'application/json-seq', '{"id":1}', 'record separator', 0, ''],
    [
      'that is not the first one',
      '/pairs',
      'application/jsonl',
      '{"id":1}',
      "body's /0/title must be given",
      0,
      '/0/title',
    ],
    ['that is one too many', '/pairs', 'application/jsonl', '{"title":""}\n1\n2\n3', 'at most 3 items', 3, ''],
    ['that is missing', '/pairs', 'application/jsonl', '', 'at least 1 item', 0, ''],
    [
      'of an event with an unknown name',
      '/events',
      'text/event-stream',
      'data: 1\nevent: x\n\n',
      '/0/event',
      0,
      '/0/event',
    ],
  ])('is refused with 400 at an item %s', async (_what, path, type, body, message, read, pointer) => {
    count();
    const answer = await server.request(path === '/records' ? 'PUT' : 'POST', path, {
      headers: { 'Content-Type': type },
      body: Buffer.from(body, 'latin1'),
    });
    const { message: found, faults } = JSON.parse(answer.text) as { message: string; faults: { pointer: string }[] };
    expect([answer.status, received.length, faults[0]?.pointer]).toEqual([400, read, pointer]);
    expect(found).toContain(message);
  });
});

describe('a stream of items that a handler returns', () => {
  async function* items(...all: unknown[]): AsyncGenerator {
    for (const item of all) yield await Promise.resolve(item);
  }

  test.each<[what: string, body: () => unknown]>([
    ['an async generator', (): unknown => items({ id: BIG, level: 0 }, { id: 2, message: undefined })],
    ['a list', (): unknown => [{ id: BIG, level: 0 }, { id: 2n }]],
    ['a Node stream', (): unknown => Readable.from([{ id: BIG, level: 0 }, { id: 2n }])],
    ['a web stream', (): unknown => Readable.toWeb(Readable.from([{ id: BIG, level: 0 }, { id: 2n }]))],
  ])('may be %s', async (_what, body) => {
    handle = (): ResponseValue => ({ status: 200, body: body() });
    expect(await server.request('GET', '/lines')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/jsonl' },
      text: `{"id":${BIG},"level":0}\n{"id":2}\n`,
    });
  });

  test('has the media type that the client accepts', async () => {
    handle = ({ accepts = [] }): ResponseValue => {
      const [contentType] = accepts;
      return { status: 200, contentType, body: [{ id: 1n }] };
    };
    const texts = ['application/json', 'application/jsonl', 'application/json-seq'].map(async (accept) => {
      const { text } = await server.request('GET', '/either', { headers: { Accept: accept } });
      return text;
    });
    expect(await Promise.all(texts)).toEqual(['[{"id":1}]', '{"id":1}\n', '\x1e{"id":1}\n']);
  });

  test('may be events, of which the one without fields keeps the connection open', async () => {
    handle = (): ResponseValue => ({
      status: 200,
      body: items({ data: 'a\nb', event: 'added', id: '1' }, {}, { data: '', retry: 5 }),
    });
    const { text } = await server.request('GET', '/events');
    expect(text).toBe('event: added\nid: 1\ndata: a\ndata: b\n\n\nretry: 5\ndata: \n\n');
  });

  test.each<[what: string, path: string, item: unknown]>([
    ['its schema does not describe', '/lines', { id: 2n, level: -1 }],
    ['is write-only', '/lines', { id: 2n, secret: 'x' }],
    ['is no JSON', '/lines', new Map()],
    ['is missing', '/lines', undefined],
    ['is a rounded int64', '/lines', { id: 2 ** 60 }],
    ['has a field that events do not have', '/events', { data: 'x', name: 'added' }],
    ['has a field with a line break', '/events', { data: 'x', id: '1\ndata: y' }],
  ])('is broken off in front of an item that %s, which is a mistake of the handler', async (_what, path, item) => {
    const good = path === '/lines' ? { id: 1n } : { data: 'first' };
    let isEnded = false;
    const { promise: arrived, resolve: arrive } = deferred();
    handle = (): ResponseValue => ({
      status: 200,
      body: (async function* (): AsyncGenerator {
        try {
          yield good;
          await arrived;
          yield item;
          yield good;
        } finally {
          isEnded = true;
        }
      })(),
    });
    failures.length = 0;
    const response = await fetch(`${server.url}${path}`);
    const chunks: string[] = [];
    await expect(
      (async (): Promise<void> => {
        for await (const chunk of response.body ?? []) {
          chunks.push(Buffer.from(chunk).toString());
          arrive();
        }
      })(),
    ).rejects.toThrow();
    expect(chunks.join('')).toBe(path === '/lines' ? '{"id":1}\n' : 'data: first\n\n');
    // The client may see the end first.
    while (failures.length === 0) await pause(5);
    expect([failures.map(({ error }) => (error as Error).name), isEnded]).toEqual([['InvalidResponseError'], true]);
  });

  test.each<[what: string, body: unknown]>([
    ['whose first item does not fit', [{}]],
    ['that is a text', '{"id":1}\n'],
    ['that is bytes', Buffer.from('{"id":1}\n')],
    ['that is one item', { id: 1n }],
  ])('%s is answered 500', async (_what, body) => {
    handle = (): ResponseValue => ({ status: 200, body });
    expect(await server.request('GET', '/lines')).toMatchObject(refused('internal'));
  });
});

describe('over a connection', () => {
  /** A client that sends a body in chunks of its own. */
  async function open(line: string, headers: string): Promise<{ socket: Socket; chunk: (text: string) => void }> {
    const socket = dial(server.port).setEncoding('utf8');
    await once(socket, 'connect');
    socket.write(`${line} HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n${headers}\r\n\r\n`);
    return {
      socket,
      chunk: (text) => socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`),
    };
  }

  test('an item is read as soon as it has come, and its answer leaves before the next one comes', async () => {
    handle = ({ body }): ResponseValue => ({ status: 200, body });
    const { socket, chunk } = await open('PUT /records', 'Content-Type: application/json-seq');
    let seen = '';
    socket.on('data', (text: string) => (seen += text));
    for (let id = 1; id <= 3; id++) {
      chunk(`\x1e{"id":${id}`);
      chunk('}\n\x1e');
      while (!seen.includes(`{"id":${id},"level":1}`)) await once(socket, 'data');
      chunk('\n');
    }
    chunk('\x1e{"id":"4"}\n\x1e');
    await closed(socket);
    expect(seen).not.toContain('"4"');
    // The chunk of no bytes would say that the response is whole.
    expect(seen.endsWith('0\r\n\r\n')).toBe(false);
  });

  test('an item that does not fit throws where the handler reads it, which may go on', async () => {
    const errors: unknown[] = [];
    handle = async ({ body }): Promise<ResponseValue> => {
      try {
        await collect(body);
      } catch (error) {
        errors.push(error);
      }
      return { status: 200, body: { count: 1 } };
    };
    // What is wrong with the request is answered all the same.
    expect(await send('/lines', NDJSON, '{"id":1}\n{}')).toMatchObject(refused('invalidBody'));
    expect(errors).toEqual([expect.any(RequestError)]);
  });

  test('what a handler leaves is validated before a success', async () => {
    handle = async ({ body }): Promise<ResponseValue> => {
      for await (const _ of body) break;
      return { status: 200, body: { count: 1 } };
    };
    expect(await send('/lines', NDJSON, '{"id":1}\n{"id":2}')).toMatchObject({ status: 200 });
    expect(await send('/lines', NDJSON, '{"id":1}\n{"id":""}')).toMatchObject(refused('invalidBody'));
  });

  test('a client is slowed down by a handler that does not read on', async () => {
    let [read, isLeft]: [number, boolean] = [0, false];
    handle = async ({ body }): Promise<ResponseValue> => {
      try {
        for await (const _ of body) if (++read === 2) await new Promise(() => undefined);
      } finally {
        isLeft = true;
      }
      return { status: 200, body: { count: read } };
    };
    const accepted = once(server.server, 'connection');
    const { socket, chunk } = await open('POST /lines', `Content-Type: ${NDJSON}`);
    // The event's only argument: https://nodejs.org/api/net.html#event-connection
    const [connection] = (await accepted) as [Socket];
    chunk(`{"id":1,"message":"${'x'.repeat(90)}"}\n`.repeat(100_000));
    while (read < 2) await pause(10);
    await pause(300);
    expect([read, isLeft]).toEqual([2, false]);
    // The rest is in the system's buffers, or still with the client.
    expect(connection.bytesRead).toBeLessThan(1_000_000);
    socket.destroy();
  });

  test('the items of a response wait for a client that does not read, and end when it leaves', async () => {
    let made = 0;
    const message = 'x'.repeat(100);
    const { promise: ended, resolve: end } = deferred();
    handle = (): ResponseValue => ({
      status: 200,
      body: (async function* (): AsyncGenerator {
        try {
          for (; ; made++) yield await Promise.resolve({ id: BigInt(made), message });
        } finally {
          end();
        }
      })(),
    });
    const socket = dial(server.port).pause();
    socket.write('GET /lines HTTP/1.1\r\nHost: h\r\n\r\n');
    let before = -1;
    while (before !== made || made === 0) {
      before = made;
      await pause(200);
    }
    expect(made * message.length).toBeLessThan(64 * 1024 * 1024);
    socket.destroy();
    await ended;
  });
});

describe('limits', () => {
  let limited: ContractServer;
  beforeAll(async () => {
    limited = await serveContract(CONTRACT, (request: never) => handle(request) as ResponseValue, undefined, {
      bodyLimits: { item: 100, streamed: 2_000, values: 5 },
    });
  });
  afterAll(() => limited.close());

  test.each<[what: string, path: string, type: string, body: string, status: number]>([
    ['as many bytes as an item may have', '/lines', NDJSON, `{"id":1,"message":"${'x'.repeat(79)}"}\n`, 200],
    ['one more', '/lines', NDJSON, `{"id":1,"message":"${'x'.repeat(80)}"}\n`, 413],
    ['a line that never ends', '/lines', NDJSON, ' '.repeat(200), 413],
    ['many small items', '/lines', NDJSON, '{"id":1}\n'.repeat(222), 200],
    ['more bytes than a stream may have', '/lines', NDJSON, '{"id":1}\n'.repeat(223), 413],
    ['an item of too many values', '/lines', NDJSON, '{"id":1,"a":[1,2,3,4]}\n', 413],
    ['an event in many lines', '/events', 'text/event-stream', `${'data: x\n'.repeat(20)}\n`, 413],
    ['comments, which take no room', '/events', 'text/event-stream', `${':\n'.repeat(500)}data: x\n\n`, 200],
  ])('%s', async (_what, path, type, body, status) => {
    count();
    expect(await limited.request('POST', path, { headers: { 'Content-Type': type }, body })).toMatchObject({ status });
  });

  test('items may come in chunks that are small, empty lines and comments not', async () => {
    const answerTo = async (type: string, path: string, text: string, times: number): Promise<string> => {
      count();
      const socket = dial(server.port).setEncoding('utf8');
      const chunk = `${text.length.toString(16)}\r\n${text}\r\n`;
      const head = `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n`;
      // What arrives before the body is read is read as one chunk.
      socket.write(`${head}Expect: 100-continue\r\n\r\n`);
      await once(socket, 'data');
      socket.write(`${chunk.repeat(times)}0\r\n\r\n`);
      const [answer] = (await once(socket, 'data')) as [string];
      socket.destroy();
      return answer.slice(9, 12);
    };
    expect(await answerTo(NDJSON, '/lines', '{"id":1}\n', 3_000)).toBe('200');
    expect(await answerTo(NDJSON, '/lines', '\n', 3_000)).toBe('413');
    expect(await answerTo('text/event-stream', '/events', ':\n', 3_000)).toBe('413');
  });
});

describe('events whose data is JSON by their contentSchema', () => {
  test('have its value for a handler, exact and with defaults, and text stays text', async () => {
    count();
    const changes = `data: {"id":${BIG},\ndata: "message":"x"}\n\n`;
    expect(await send('/changes', 'text/event-stream', changes)).toMatchObject({ status: 200 });
    expect(received).toEqual([{ data: { id: BIG, level: 1, message: 'x' } }]);
    count();
    const mixed = 'event: note\ndata: {"id":1}\n\nevent: entry\ndata: {"id":1}\n\n';
    expect(await send('/mixed', 'text/event-stream', mixed)).toMatchObject({ status: 200 });
    expect(received).toEqual([
      { event: 'note', data: '{"id":1}' },
      { event: 'entry', data: { id: 1n } },
    ]);
  });

  test.each([
    ['/changes', 'data: {"id":1}\n\ndata: {"level":-1,"id":2}\n\n', '/1/data/level'],
    ['/changes', 'data: nothing\n\n', '/0/data'],
    ['/mixed', 'event: entry\ndata: {"id":"1"}\n\n', '/0/data/id'],
    ['/mixed', 'event: note\ndata: more than twenty characters\n\n', '/0/data'],
  ])('are refused in %s at their places: %j', async (path, body, pointer) => {
    count();
    const { status, text } = await send(path, 'text/event-stream', body);
    const { faults } = JSON.parse(text) as { faults: { pointer: string }[] };
    expect([status, faults[0]?.pointer]).toEqual([400, pointer]);
  });

  test('are written from values, and read by the client', async () => {
    handle = (): ResponseValue => ({ status: 200, body: [{ data: { id: BIG, message: 'a\nb' } }] });
    const { text } = await server.request('GET', '/changes');
    expect(text).toBe(`data: {"id":${BIG},"message":"a\\nb"}\n\n`);
    expect(await collect((await client.GET('/changes')).data)).toEqual([{ data: { id: BIG, message: 'a\nb' } }]);
    const mixed = [
      { event: 'entry', data: { id: BIG } },
      { event: 'note', data: '{"id":1}' },
    ];
    handle = (): ResponseValue => ({ status: 200, body: mixed });
    expect(await collect((await client.GET('/mixed')).data)).toEqual(mixed);
    count();
    await client.POST('/mixed', { body: mixed });
    expect(received).toEqual(mixed);
    failures.length = 0;
    handle = (): ResponseValue => ({ status: 200, body: [{ event: 'entry', data: { id: '1' } }] });
    await expect(fetch(`${server.url}/mixed`).then((response) => response.text())).rejects.toThrow();
    while (failures.length === 0) await pause(5);
    expect(failures).toMatchObject([{ error: { name: 'InvalidResponseError', schemaPath: '/data/id' } }]);
  });
});

describe('the client', () => {
  test('reads the items of a response as they come, exact', async () => {
    const { promise: waits, resolve: goOn } = deferred();
    handle = (): ResponseValue => ({
      status: 200,
      body: (async function* (): AsyncGenerator {
        yield { id: BIG };
        await waits;
        yield { id: 2n, message: 'last' };
      })(),
    });
    const { data, response } = await client.GET('/lines');
    const items: unknown[] = [];
    for await (const item of data as AsyncIterable<unknown>) {
      items.push(item);
      goOn();
    }
    expect([response.status, items]).toEqual([200, [{ id: BIG }, { id: 2n, message: 'last' }]]);
  });

  test('reads events', async () => {
    handle = (): ResponseValue => ({ status: 200, body: [{ data: 'a\nb', id: '1' }, {}, { data: '{"a":1}' }] });
    const { data } = await client.GET('/events');
    expect(await collect(data)).toEqual([{ data: 'a\nb', id: '1' }, { data: '{"a":1}' }]);
  });

  test('sends items as they come, and those of a list', async () => {
    async function* items(): AsyncGenerator {
      yield await Promise.resolve({ id: BIG });
      yield { id: 2n, message: 'é' };
    }
    for (const body of [
      items(),
      [{ id: BIG }, { id: 2n, message: 'é' }],
      new Blob([`{"id":${BIG}}\n{"id":2,"message":"é"}`]),
    ]) {
      count();
      const { data } = await client.POST('/lines', { body, contentType: NDJSON });
      expect([data, received]).toEqual([
        { count: 2 },
        [
          { id: BIG, level: 1 },
          { id: 2n, level: 1, message: 'é' },
        ],
      ]);
    }
  });

  test('sends records, and reads those that come back', async () => {
    handle = ({ body }): ResponseValue => ({ status: 200, body });
    const { data } = await client.PUT('/records', { body: [{ id: BIG, level: 2 }, { id: 3n }] });
    expect(await collect(data)).toEqual([
      { id: BIG, level: 2 },
      { id: 3n, level: 1 },
    ]);
  });

  test.each<[what: string, item: unknown, error: string | RegExp]>([
    ['an item whose int64 is a number', { id: 2 }, 'body[1].id must be a bigint such as 12n'],
    ['an error of the function that makes them', new Error('no more'), 'no more'],
  ])('rejects with %s, after which no item is sent', async (_what, item, message) => {
    count();
    let isEnded = false;
    async function* items(): AsyncGenerator {
      try {
        yield await Promise.resolve({ id: 1n });
        if (item instanceof Error) throw item;
        yield item;
      } finally {
        isEnded = true;
      }
    }
    await expect(client.POST('/lines', { body: items() })).rejects.toThrow(message);
    expect(isEnded).toBe(true);
    await expect(client.POST('/lines', { body: [{ id: 1n }, item] })).rejects.toThrow();
  });

  test('rejects with the refusal of an item, after which an unknown part of the stream was read', async () => {
    count();
    async function* endless(): AsyncGenerator {
      for (let id = 0n; ; id++) yield await pause(1, { id, level: id === 3n ? -1 : 1 });
    }
    const call = client.POST('/lines', { body: endless() });
    await expect(call).rejects.toMatchObject({ status: 400, outcome: 'unknown', body: { reason: 'invalidBody' } });
    expect(received).toHaveLength(3);
  });

  test('ends the stream of a response when the iteration or the signal ends', async () => {
    for (const isAborted of [true, false]) {
      const { promise: ended, resolve: end } = deferred();
      handle = (): ResponseValue => ({
        status: 200,
        body: (async function* (): AsyncGenerator {
          try {
            for (;;) yield await pause(1, { id: 1n });
          } finally {
            end();
          }
        })(),
      });
      const controller = new AbortController();
      const { data } = await client.GET('/lines', { signal: controller.signal });
      const reading = (async (): Promise<void> => {
        for await (const _ of data as AsyncIterable<unknown>) {
          if (!isAborted) break;
          controller.abort(new Error('enough'));
        }
      })();
      if (isAborted) await expect(reading).rejects.toThrow('enough');
      else await reading;
      await ended;
    }
  });

  test('rejects with what is wrong with an item, and with a connection that breaks', async () => {
    const lines = ['{"id":1}', '{"id":9007199254740993,"level":9007199254740993}', '{', '\x1e'];
    const answers = lines.map((line) => ({
      line,
      fetch: (): Promise<Response> =>
        Promise.resolve(new Response(`{"id":1}\n${line}`, { headers: { 'Content-Type': 'application/jsonl' } })),
    }));
    for (const { line, fetch } of answers) {
      const scripted = createClient({ shapes, baseUrl: server.url, fetch }) as unknown as Untyped;
      const { data } = await scripted.GET('/lines');
      if (line === lines[0]) expect(await collect(data)).toHaveLength(2);
      else await expect(collect(data)).rejects.toThrow(ResponseError);
    }
    handle = (): ResponseValue => ({
      status: 200,
      body: (async function* (): AsyncGenerator {
        yield { id: 1n };
        await pause(50);
        throw new Error('The database is gone.');
      })(),
    });
    const { data } = await client.GET('/lines');
    await expect(collect(data)).rejects.toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
  });
});
