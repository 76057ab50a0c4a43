import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { clientShapes } from 'openapi-exact-cli';
import { createClient, ResponseError } from '../src/client.ts';
import type { ContractShapes } from '../src/client/shape.ts';
import { loadContract } from '../src/server/load-contract.ts';
import type { PartItem } from '../src/http/part-item.ts';
import type { Reason } from '../src/errors/errors.ts';
import type { ResponseValue } from '../src/response/respond.ts';
import type { Failure } from '../src/server/options.ts';
import { refused, serveContract, type Answer } from './support/contract-server.ts';
import { serveDocument } from './support/inline-contract.ts';
import { dial } from 'test-support/dial.ts';

const CONTRACT = 'features/multipart-items.yaml';
const BIG = 9007199254740993n;
const MIXED = 'multipart/mixed; boundary=b';

type Items = AsyncIterable<PartItem>;
let handle: (request: { readonly body: Items }) => unknown;
const failures: Failure[] = [];
const server = await serveContract(CONTRACT, (request: never) => handle(request) as ResponseValue, undefined, {
  bodyLimits: { item: 4_000, parts: 5, values: 200 },
  onError: (failure) => void failures.push(failure),
  errorBody: ({ reason, message, faults }) => ({ contentType: 'application/json', body: { reason, message, faults } }),
});
afterAll(() => server.close());

const file = new URL(`fixtures/contracts/${CONTRACT}`, import.meta.url);
// The module is the table as JSON.
const [, table = ''] = /ContractShapes = ([^]*);/.exec(clientShapes(await loadContract(file))) ?? [];
const shapes = JSON.parse(table) as ContractShapes;
/** A client without types. */
type Untyped = Record<'PUT', (path: string, options?: object) => Promise<{ data: never }>>;
// Safe: it has a function for each method.
const client = createClient({ shapes, baseUrl: server.url, retries: 0 }) as unknown as Untyped;

const received: PartItem[] = [];
beforeEach(() => {
  received.length = 0;
  failures.length = 0;
  handle = async ({ body }): Promise<ResponseValue> => {
    for await (const item of body) received.push(item);
    return { status: 204 };
  };
});

const values = (): unknown[] => received.map(({ value }) => value);

/** A multipart body of parts, each with its headers and its content. */
const multipart = (parts: readonly (readonly [headers: string, content: string])[], boundary = 'b'): string =>
  `${parts.map(([headers, content]) => `--${boundary}\r\n${headers}${headers === '' ? '' : '\r\n'}\r\n${content}\r\n`).join('')}--${boundary}--\r\n`;

const send = (path: string, body: string | Buffer, type = MIXED): Promise<Answer> =>
  server.request(path === '/images' ? 'POST' : 'PUT', path, { headers: { 'Content-Type': type }, body });

const JSON_PART = 'Content-Type: application/json';
const TEXT_PART = 'Content-Type: text/plain';

describe('a stream of parts that a client sends', () => {
  test('has values of JSON, each exact and with its defaults, and their headers', async () => {
    await send(
      '/entries',
      `A preamble\r\n${multipart([
        [`${JSON_PART}\r\nX-Own: a\r\n b`, `{"id":${BIG}}`],
        ['', '{"id":1,"level":2}'],
      ])}An epilogue`,
    );
    expect(received).toEqual([
      {
        contentType: 'application/json',
        headers: { 'content-type': 'application/json', 'x-own': 'a b' },
        value: { id: BIG, level: 1 },
      },
      { contentType: 'application/json', headers: {}, value: { id: 1n, level: 2 } },
    ]);
  });

  test('has texts, bytes and JSON by their media types, where the contract says nothing', async () => {
    await send(
      '/any',
      multipart([
        ['', 'no type'],
        [JSON_PART, '[1]'],
        ['Content-Type: image/png', '\0\r\n--B'],
        ['Content-Type: text/csv; charset=utf-8', 'ä'],
        ['Content-Type: application/xml', '<a/>'],
      ]),
    );
    expect(values()).toEqual([
      'no type',
      [1],
      new Uint8Array(Buffer.from('\0\r\n--B')),
      'ä',
      new Uint8Array(Buffer.from('<a/>')),
    ]);
  });

  test('has scalars of texts, exact', async () => {
    await send(
      '/scalars',
      multipart([
        ['', `${BIG}`],
        ['', 'true'],
        [TEXT_PART, 'five'],
        ['', ''],
      ]),
    );
    expect(values()).toEqual([BIG, true, 'five', '']);
  });

  test('is read by position, with texts whose schema is that of an object unchecked', async () => {
    const within = multipart(
      [
        ['Content-Type: application/xml', '<a/>'],
        ['', 'text'],
        ['Content-Type: image/png', 'P'],
      ],
      'in',
    );
    await send(
      '/nested',
      multipart([
        [JSON_PART, `[${BIG}]`],
        ['Content-Type: multipart/mixed; boundary="in"', within],
      ]),
    );
    expect(values()).toEqual([
      [BIG],
      [
        { contentType: 'application/xml', headers: { 'content-type': 'application/xml' }, value: '<a/>' },
        { contentType: 'text/plain', headers: {}, value: 'text' },
        { contentType: 'image/png', headers: { 'content-type': 'image/png' }, value: new Uint8Array([0x50]) },
      ],
    ]);
  });

  test.each<[what: string, body: string, pointer: string, reason: Reason]>([
    [
      'a value',
      multipart([
        [JSON_PART, '{"id":1}'],
        [JSON_PART, '{"id":1,"level":-1}'],
      ]),
      '/1/level',
      'invalidBody',
    ],
    ['malformed JSON', multipart([[JSON_PART, '{']]), '/0', 'malformedBody'],
    ['an int64 as a text', multipart([[JSON_PART, '{"id":"1"}']]), '/0/id', 'invalidBody'],
  ])('is refused for %s of a part, at its place', async (_what, body, pointer, reason) => {
    const { text } = await send('/entries', body);
    expect(JSON.parse(text)).toMatchObject({ reason, faults: [{ pointer }] });
  });

  const image = 'Content-Type: image/png';
  test.each<[what: string, path: string, body: string, reason: Reason]>([
    ['another media type', '/entries', multipart([[TEXT_PART, '{"id":1}']]), 'unsupportedMediaType'],
    ['none, where there are several', '/images', multipart([['', 'PNG']]), 'unsupportedMediaType'],
    [
      'another charset',
      '/scalars',
      multipart([['Content-Type: text/plain; charset=latin1', 'a']]),
      'unsupportedMediaType',
    ],
    ['too many bytes', '/images', multipart([[image, 'x'.repeat(101)]]), 'bodyTooLarge'],
    ['too few bytes', '/images', multipart([[image, 'x']]), 'invalidBody'],
    ['too many items', '/images', multipart([1, 2, 3, 4].map(() => [image, 'PNG'])), 'invalidBody'],
    ['too few items', '/images', multipart([]), 'invalidBody'],
    ['a header that is missing', '/documents', multipart([[JSON_PART, '{"author":"a"}']]), 'invalidBody'],
    ['a header of another type', '/documents', multipart([['X-Count: many', '{"author":"a"}']]), 'invalidBody'],
    [
      'a header that it must not have',
      '/documents',
      multipart([
        ['X-Count: 1', '{"author":"a"}'],
        ['Content-Type: text/css\r\nContent-ID: c', ''],
      ]),
      'invalidBody',
    ],
  ])('is refused for a part with %s', async (_what, path, body, reason) => {
    const type = path === '/documents' ? 'multipart/related; boundary=b' : undefined;
    expect(await send(path, body, type)).toMatchObject(refused(reason));
  });

  const nested = (type: string, within: string): string =>
    multipart([
      [JSON_PART, '[]'],
      [`Content-Type: ${type}`, within],
    ]);
  test.each<[what: string, body: string, reason: Reason]>([
    [
      'that is invalid',
      nested(
        'multipart/mixed; boundary=c',
        multipart(
          [
            ['', '<a/>'],
            ['', 'too long'],
          ],
          'c',
        ),
      ),
      'invalidBody',
    ],
    ['without a boundary', nested('multipart/mixed', ''), 'malformedBody'],
    ['without an end', nested('multipart/mixed; boundary=c', '--c\r\n\r\na'), 'malformedBody'],
    [
      'too many of them',
      nested(
        'multipart/mixed; boundary=c',
        multipart(
          [
            ['', ''],
            ['', ''],
            ['Content-Type: image/png', ''],
            ['', ''],
          ],
          'c',
        ),
      ),
      'invalidBody',
    ],
  ])('is refused for a part within a part %s', async (_what, body, reason) => {
    expect(await send('/nested', body)).toMatchObject(refused(reason));
  });
});

describe('a hostile stream of parts', () => {
  test.each<[what: string, body: string, reason: Reason, type?: string]>([
    ['without an end', '--b\r\n\r\n{"id":1}\r\n', 'malformedBody'],
    ['that ends in its headers', `--b\r\n${JSON_PART}`, 'malformedBody'],
    ['that ends in its delimiter', '--b\r\n\r\n{"id":1}\r\n--', 'malformedBody'],
    ['without any delimiter', 'a'.repeat(3_000), 'malformedBody'],
    ['with text behind a boundary', '--bee\r\n\r\n1\r\n--b--', 'malformedBody'],
    ['with text behind its last boundary', '--b\r\n\r\n{"id":1}\r\n--b--no\r\n', 'malformedBody'],
    ['with headers without an end', `--b\r\nA: ${'a'.repeat(17_000)}`, 'malformedBody'],
    ['with too large headers', `--b\r\nA: ${'a'.repeat(17_000)}\r\n\r\n1\r\n--b--`, 'malformedBody'],
    [
      'with too many headers',
      multipart([[Array.from({ length: 300 }, (_, index) => `A${index}: a`).join('\r\n'), '{"id":1}']]),
      'bodyTooLarge',
    ],
    ['with a repeated header', multipart([['A: 1\r\na: 2', '{"id":1}']]), 'malformedBody'],
    ['with a malformed header', multipart([['no header', '{"id":1}']]), 'malformedBody'],
    ['with headers that are no UTF-8', '--b\r\nA: \xff\r\n\r\n1\r\n--b--', 'malformedBody'],
    ['with another transfer encoding', multipart([['Content-Transfer-Encoding: base64', 'MQ==']]), 'malformedBody'],
    ['with a part that is too large', multipart([[JSON_PART, ' '.repeat(4_001)]]), 'bodyTooLarge'],
    ['with a part of too many values', multipart([[JSON_PART, `{"id":1,"a":[${'1,'.repeat(200)}1]}`]]), 'bodyTooLarge'],
    ['with a boundary that is too long', '', 'malformedBody', `multipart/mixed; boundary=${'b'.repeat(71)}`],
    ['without a boundary', '', 'malformedBody', 'multipart/mixed'],
    ['with two boundaries', '', 'malformedBody', 'multipart/mixed; boundary=b; boundary=c'],
  ])('is refused: one %s', async (_what, body, reason, type = MIXED) => {
    const sent = await send('/entries', body === '' ? '--b--' : Buffer.from(body, 'latin1'), type);
    expect(sent).toMatchObject(refused(reason));
  });

  test('has as many parts as its bytes, and in a part as many as a body may have', async () => {
    await send('/entries', multipart(Array.from({ length: 500 }, () => ['', '{"id":1}'])));
    expect(received).toHaveLength(500);
    const within = (length: number): string =>
      multipart(
        Array.from({ length }, () => ['', '1']),
        'c',
      );
    const part = (length: number): readonly [string, string] => [
      'Content-Type: multipart/mixed; boundary=c',
      within(length),
    ];
    const itemEncoding = { contentType: 'multipart/mixed', itemEncoding: {} };
    const content = { 'multipart/mixed': { itemSchema: { type: 'array', items: { type: 'integer' } }, itemEncoding } };
    const paths = {
      '/a': { put: { requestBody: { required: true, content }, responses: { 204: { summary: 'Done.' } } } },
    };
    const small = await serveDocument(
      { openapi: '3.2.0', paths },
      (request: never) => handle(request) as ResponseValue,
      {},
      { bodyLimits: { parts: 5 } },
    );
    const sendTo = async (length: number): Promise<number> =>
      (
        await small.request('PUT', '/a', {
          headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
          body: multipart([part(length)]),
        })
      ).status;
    expect([await sendTo(5), await sendTo(6)]).toEqual([204, 413]);
    await small.close();
  });

  test('may come byte by byte only as far as items may', async () => {
    const answerTo = async (text: string): Promise<string> => {
      const socket = dial(server.port).setEncoding('utf8');
      const head =
        'PUT /entries HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/mixed; boundary=b\r\nTransfer-Encoding: chunked\r\n';
      // What arrives before the body is read is read as one chunk.
      socket.write(`${head}Expect: 100-continue\r\n\r\n`);
      await once(socket, 'data');
      const bytes = Array.from(text, (byte) => `1\r\n${byte}\r\n`).join('');
      socket.write(`${bytes}0\r\n\r\n`);
      const [answer] = (await once(socket, 'data')) as [string];
      socket.destroy();
      return answer.slice(9, 12);
    };
    const one = multipart([[JSON_PART, '{"id":1}']]);
    expect([await answerTo(one), received.length]).toEqual(['204', 1]);
    expect(await answerTo(multipart(Array.from({ length: 100 }, () => [JSON_PART, '{"id":1}'])))).toBe('413');
  });

  test('keeps a delimiter that is cut anywhere, and what only begins like one', async () => {
    const content = '\r\n--\r\r\n-\r\n--a\r\n--b'.slice(0, -1);
    const body = multipart([[TEXT_PART, content]]);
    for (let cut = 1; cut < body.length; cut++) {
      const socket = dial(server.port).setEncoding('utf8').setNoDelay();
      socket.write(
        'PUT /any HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/mixed; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      for (const text of [body.slice(0, cut), body.slice(cut)])
        socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
      socket.write('0\r\n\r\n');
      await once(socket, 'data');
      socket.destroy();
    }
    expect(values()).toEqual(Array.from({ length: body.length - 1 }, () => content));
  });
});

describe('a response that is a stream of parts', () => {
  const bodyOf = ({ headers, text }: Answer): string => {
    const [, boundary = ''] = /boundary=([0-9a-f]{32})$/.exec(headers['content-type'] ?? '') ?? [];
    return text.replaceAll(boundary, 'b');
  };

  test('has a boundary of its own, and each part its media type', async () => {
    handle = (): ResponseValue => ({
      status: 200,
      body: [{ value: { id: BIG } }, { value: { id: 2n }, contentType: 'application/json', headers: { 'X-Own': 1 } }],
    });
    const body = multipart([[JSON_PART, '{"id":1}']]);
    const answer = await server.request('PUT', '/entries', {
      headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
      body,
    });
    expect(answer.headers['content-type']).toMatch(/^multipart\/parallel; boundary=[0-9a-f]{32}$/);
    expect(bodyOf(answer)).toBe(
      multipart([
        [JSON_PART, `{"id":${BIG}}`],
        [`${JSON_PART}\r\nX-Own: 1`, '{"id":2}'],
      ]),
    );
  });

  test('may be what came', async () => {
    handle = ({ body }): ResponseValue => ({ status: 200, body });
    const within = multipart(
      [
        ['Content-Type: application/xml', '<a/>'],
        [TEXT_PART, 'text'],
      ],
      'in',
    );
    const body = multipart([
      [JSON_PART, '[1]'],
      ['Content-Type: multipart/mixed; boundary=in', within],
    ]);
    expect(bodyOf(await send('/nested', body))).toBe(body);
    const scalars = multipart([
      [TEXT_PART, `${BIG}`],
      [TEXT_PART, 'true'],
      [TEXT_PART, 'a'],
    ]);
    expect(bodyOf(await send('/scalars', scalars))).toBe(scalars);
  });

  test('has the media type that a value can have, where the contract allows any', async () => {
    handle = (): ResponseValue => ({
      status: 200,
      body: ['a', { b: 1n }, Buffer.from('c')].map((value) => ({ value })),
    });
    expect(bodyOf(await send('/any', multipart([])))).toBe(
      multipart([
        [TEXT_PART, 'a'],
        [JSON_PART, '{"b":1}'],
        ['Content-Type: application/octet-stream', 'c'],
      ]),
    );
    handle = (): ResponseValue => ({ status: 200, body: [] });
    expect(bodyOf(await send('/any', multipart([])))).toBe('--b--\r\n');
  });

  test.each<[what: string, path: string, item: unknown, message: string]>([
    ['is no part', '/any', 'text', "it must be a part such as { value: 'text' }"],
    ['has another value', '/entries', { value: { id: 'one' } }, '/id must be'],
    [
      'has another media type',
      '/entries',
      { value: { id: 1n }, contentType: 'text/plain' },
      'must be application/json',
    ],
    ['has a header with a line break', '/any', { value: 'a', headers: { A: 'b\r\nC: d' } }, 'nvalid'],
    ['has a header with another name', '/any', { value: 'a', headers: { 'A:': 'b' } }, 'A:'],
    [
      'has too large headers',
      '/any',
      { value: 'a', headers: { A: 'b'.repeat(17_000) } },
      'must have at most 16384 bytes',
    ],
    [
      'has another transfer encoding',
      '/any',
      { value: 'a', headers: { 'Content-Transfer-Encoding': 'base64' } },
      'deprecated',
    ],
    ['has its boundary in it', '/any', { value: 'a --own b' }, 'must not have the boundary'],
  ])('ends before a part that %s', async (_what, path, item, message) => {
    const contentType = path === '/any' ? 'multipart/mixed; boundary=own' : undefined;
    handle = (): ResponseValue => ({ status: 200, ...(contentType !== undefined && { contentType }), body: [item] });
    const sent = multipart(path === '/entries' ? [[JSON_PART, '{"id":1}']] : []);
    expect(await send(path, sent)).toMatchObject(refused('internal'));
    expect(String(failures[0]?.error)).toContain(message);
  });

  test('requires the headers of its parts', async () => {
    const range = (headers: object): void => {
      handle = (): ResponseValue => ({ status: 206, body: [{ value: Buffer.from('abc'), headers }] });
    };
    range({ 'Content-Range': 'bytes 0-2/9' });
    expect(bodyOf(await server.request('GET', '/ranges'))).toBe(
      multipart([['Content-Type: video/mp4\r\nContent-Range: bytes 0-2/9', 'abc']]),
    );
    for (const wrong of [{}, { 'Content-Range': 'all' }]) {
      range(wrong);
      expect(await server.request('GET', '/ranges')).toMatchObject(refused('internal'));
    }
  });

  test('sends each part with its end before the next one is made', async () => {
    let goOn = (): void => undefined;
    const waits = new Promise<void>((resolve) => (goOn = resolve));
    handle = (): ResponseValue => ({
      status: 200,
      body: (async function* (): AsyncGenerator {
        yield { value: Buffer.from('first') };
        await waits;
        yield { value: Buffer.from('second') };
      })(),
    });
    const socket = dial(server.port).setEncoding('utf8');
    socket.write('GET /images HTTP/1.1\r\nHost: h\r\n\r\n');
    let seen = '';
    socket.on('data', (text: string) => (seen += text));
    while (!/first\r\n--[0-9a-f]{32}\r\n$/.test(seen)) await once(socket, 'data');
    expect(seen).not.toContain('second');
    goOn();
    while (!seen.endsWith('0\r\n\r\n')) await once(socket, 'data');
    expect(seen).toContain('second');
    socket.destroy();
  });
});

describe('the client', () => {
  async function* each(items: readonly unknown[]): AsyncGenerator {
    for (const item of items) yield await Promise.resolve(item);
  }
  const collect = async (items: AsyncIterable<PartItem>): Promise<unknown[]> => {
    const all: unknown[] = [];
    for await (const { contentType, value } of items) all.push([contentType, value]);
    return all;
  };

  test.each<[path: string, sent: readonly object[], read: readonly unknown[]]>([
    ['/entries', [{ value: { id: BIG } }], [['application/json', { id: BIG, level: 1 }]]],
    [
      '/scalars',
      [{ value: BIG }, { value: 'a' }, { value: true }],
      [
        ['text/plain', BIG],
        ['text/plain', 'a'],
        ['text/plain', true],
      ],
    ],
    [
      '/any',
      [{ value: new Uint8Array([0, 255]) }, { value: 'ä' }, { value: [1] }],
      [
        ['application/octet-stream', new Uint8Array([0, 255])],
        ['text/plain', 'ä'],
        ['application/json', [1]],
      ],
    ],
  ])('writes and reads parts of %s as they come, and those of a list', async (path, sent, read) => {
    handle = ({ body }): ResponseValue => ({ status: 200, body });
    for (const body of [each(sent), sent]) {
      const { data } = await client.PUT(path, { body });
      expect(await collect(data)).toEqual(read);
    }
  });

  test('writes and reads parts within a part, and headers', async () => {
    handle = ({ body }): ResponseValue => ({ status: 200, body });
    const within = [{ value: '<a/>' }, { value: 'text' }, { value: new Uint8Array([1]) }];
    const { data } = await client.PUT('/nested', {
      body: [{ value: [BIG] }, { value: within, headers: { 'X-Own': 1 } }],
    });
    const items: PartItem[] = [];
    for await (const item of data as AsyncIterable<PartItem>) items.push(item);
    expect(items).toMatchObject([
      { value: [BIG] },
      {
        headers: { 'x-own': '1' },
        value: [{ contentType: 'application/xml', value: '<a/>' }, { value: 'text' }, { value: new Uint8Array([1]) }],
      },
    ]);
  });

  test.each<[what: string, path: string, item: unknown, message: string]>([
    ['an int64 that is a number', '/entries', { value: { id: 2 } }, 'body[0].value.id must be a bigint'],
    ['no part', '/any', 'text', 'body[0] must be a part'],
    [
      'a media type that is not declared',
      '/entries',
      { value: {}, contentType: 'text/plain' },
      'must be application/json',
    ],
    ['a header with a line break', '/any', { value: 'a', headers: { A: 'b\r\nC: d' } }, 'body[0] cannot be sent'],
  ])('rejects %s before it is sent', async (_what, path, item, message) => {
    await expect(client.PUT(path, { body: [item] })).rejects.toThrow(message);
    await expect(client.PUT(path, { body: each([item]) })).rejects.toThrow(message);
    expect(received).toEqual([]);
  });

  test.each<[what: string, type: string, body: string]>([
    ['without an end', 'multipart/parallel; boundary=b', '--b\r\n\r\n{"id":1}'],
    ['without a boundary', 'multipart/parallel', '--b--'],
    ['of another media type', 'multipart/parallel; boundary=b', multipart([[TEXT_PART, '1']])],
    ['that is not exact', 'multipart/parallel; boundary=b', multipart([['', `{"id":1,"level":${BIG}}`]])],
  ])('refuses a response with a part %s', async (_what, type, body) => {
    const answer = (): Promise<Response> => Promise.resolve(new Response(body, { headers: { 'Content-Type': type } }));
    // Safe: it has a function for each method.
    const scripted = createClient({ shapes, baseUrl: server.url, fetch: answer }) as unknown as Untyped;
    const { data } = await scripted.PUT('/entries', { body: [] });
    await expect(collect(data)).rejects.toThrow(ResponseError);
  });
});

describe('the start refuses', () => {
  const itemEncoding = { contentType: 'text/plain' };
  const list = { type: 'array' };
  const properties = { type: 'object', properties: { a: {} } };
  const nested = { contentType: 'multipart/form-data', encoding: { a: {} } };
  test.each<[what: string, type: string, media: object, reason: string]>([
    [
      'positions of a form',
      'multipart/form-data',
      { schema: properties, itemEncoding },
      'itemEncoding of multipart/form-data is not served',
    ],
    [
      'positions beside names',
      'multipart/mixed',
      { schema: list, itemEncoding, encoding: {} },
      'must not stand beside encoding',
    ],
    [
      'positions of an object',
      'multipart/mixed',
      { schema: properties, prefixEncoding: [itemEncoding] },
      'needs an itemSchema',
    ],
    [
      'positions within a name',
      'multipart/form-data',
      { schema: properties, encoding: { a: { contentType: 'multipart/mixed', itemEncoding } } },
      "within the encoding of 'a' is not served",
    ],
    [
      'names within a position',
      'multipart/mixed',
      { schema: list, itemEncoding: nested },
      'encoding within prefixEncoding and itemEncoding is not served',
    ],
    [
      'a style of a header',
      'multipart/mixed',
      { schema: list, itemEncoding: { headers: { A: { style: 'form', schema: {} } } } },
      'its style is one of simple',
    ],
  ])('%s', async (_what, type, media, reason) => {
    const requestBody = { content: { [type]: media } };
    const paths = { '/a': { post: { requestBody, responses: { 204: { summary: 'Done.' } } } } };
    await expect(serveDocument({ openapi: '3.2.0', paths }, () => ({ status: 204 }))).rejects.toThrow(reason);
  });
});
