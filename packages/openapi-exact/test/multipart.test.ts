import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Part } from '../src/bodies/part-readers.ts';
import type { Reason } from '../src/errors/errors.ts';
import { BODY_LIMITS } from '../src/bodies/limits.ts';
import type { ResponseValue } from '../src/response/respond.ts';
import { refused, serveContract } from './support/contract-server.ts';
import { serveDocument } from './support/inline-contract.ts';
import { dial } from 'test-support/dial.ts';

const BIG = 9007199254740993n;
/** Larger than what is read as a whole. */
const LARGE = 'x'.repeat(BODY_LIMITS.buffered);

interface Seen {
  readonly query: unknown;
  readonly body: AsyncIterable<Part>;
}

/** A part as the handler has seen it, with the text of a file. */
type SeenPart = Omit<Part, 'body' | 'headers'> & { readonly file?: string };

let parts: SeenPart[] | undefined;
let failure: unknown;
let handle: (request: Seen) => Promise<ResponseValue>;
const server = await serveContract('media-types.yaml', (request: never) => handle(request));
afterAll(() => server.close());
beforeEach(() => {
  parts = failure = undefined;
  handle = readAll;
});

async function readAll({ body }: Seen): Promise<ResponseValue> {
  parts = [];
  try {
    for await (const { body: file, headers: _, ...part } of body) {
      parts.push(file === undefined ? part : { ...part, file: await text(file) });
    }
  } catch (error) {
    failure = error;
    throw error;
  }
  return { status: 200, body: {} };
}

interface Received {
  readonly status: number;
  readonly text: string;
}

async function post(body: FormData | string | Uint8Array, path = '/parts', type?: string): Promise<Received> {
  const headers = type === undefined ? {} : { 'Content-Type': type };
  const response = await fetch(`${server.url}${path}`, { method: 'POST', body, headers });
  return { status: response.status, text: await response.text() };
}

type Entry = readonly [name: string, value: string | Blob, filename?: string];

function form(...entries: readonly Entry[]): FormData {
  const data = new FormData();
  for (const [name, value, filename] of entries) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, filename);
  }
  return data;
}

const file = (content: string, type = ''): Blob => new Blob([content], { type });
const field = (name: string, value: unknown, contentType = 'text/plain'): object => ({ name, contentType, value });
const CSV = { name: 'file', filename: 'a "b".csv', contentType: 'text/csv', file: 'a,b' };

const SMALL_FILE: Entry = ['file', file('a,b', 'text/csv'), 'a "b".csv'];
const LARGE_FILE: Entry = ['file', file(LARGE, 'text/csv'), 'a "b".csv'];

describe.each([
  ['a small body', SMALL_FILE, CSV],
  ['a large body, which is streamed', LARGE_FILE, { ...CSV, file: LARGE }],
])('%s', (_size, FILE, seenFile) => {
  test('arrives as typed fields and readable files, in order', async () => {
    const body = form(
      ['id', String(BIG)],
      ['tags', 'a'],
      FILE,
      ['tags', 'ü'],
      ['meta', file(`{"at":${BIG}}`, 'application/json'), 'blob'],
      ['photos', file('P', 'image/png'), '../../etc/p.png'],
      ['photos', file('', 'image/jpeg'), 'C:\\q.jpg'],
      ['piped', '1|2'],
      ['pairs', file('[1,2]', 'application/json'), 'blob'],
      ['small', file('abc'), '..'],
    );
    expect(await post(body)).toEqual({ status: 200, text: '{}' });
    expect(parts).toEqual([
      field('id', BIG),
      field('tags', 'a'),
      seenFile,
      field('tags', 'ü'),
      { name: 'meta', filename: 'blob', contentType: 'application/json', value: { at: BIG } },
      { name: 'photos', filename: 'p.png', contentType: 'image/png', file: 'P' },
      { name: 'photos', filename: 'q.jpg', contentType: 'image/jpeg', file: '' },
      field('piped', 1),
      field('piped', 2),
      { name: 'pairs', filename: 'blob', contentType: 'application/json', value: [1n, 2n] },
      { name: 'small', filename: '', contentType: 'application/octet-stream', file: 'abc' },
    ]);
  });

  const id: Entry = ['id', '1'];
  const json = (content: string): Blob => file(content, 'application/json');
  const photo = (type: string): Entry => ['photos', file('P', type), 'p'];
  test.each<[what: string, reason: Reason, ...entries: Entry[]]>([
    ['lacks a required field', 'invalidBody'],
    ['has a field of another type', 'invalidBody', ['id', 'one']],
    ['has a field beyond int64', 'invalidBody', ['id', '9223372036854775808']],
    ['has a field that is too short', 'invalidBody', id, ['name', 'n']],
    ['repeats a field that is no array', 'invalidBody', id, ['id', '2']],
    ['repeats it as JSON', 'invalidBody', id, ['id', json('2'), 'i']],
    ['repeats a file that is no array', 'invalidBody', id, FILE],
    ['has an undeclared field', 'invalidBody', id, ['other', '1']],
    ['has an undeclared file', 'invalidBody', id, ['other', file('x'), 'x']],
    ['has too many fields', 'invalidBody', id, ['tags', 'a'], ['tags', 'b'], ['tags', 'c']],
    ['has too many fields, some in a list of JSON', 'invalidBody', id, ['tags', 'a'], ['tags', json('["b","c"]'), 't']],
    ['has too many files', 'invalidBody', id, photo('image/png'), photo('image/png'), photo('image/png')],
    ['has malformed JSON', 'malformedBody', id, ['meta', json('{'), 'm']],
    ['has JSON that its schema refuses', 'invalidBody', id, ['meta', json('{}'), 'm']],
    ['has a file of another type', 'unsupportedMediaType', id, photo('image/gif')],
    ['has a file that is too large', 'bodyTooLarge', id, ['small', file('12345'), 's']],
    ['has bytes by its encoding that are too large', 'bodyTooLarge', id, ['icon', file('12345', 'image/png'), 'i']],
    ['has a text as a file that is too long', 'invalidBody', id, ['name', file('0123456789'), 'n']],
    ['has a file that is too small', 'invalidBody', id, ['small', file('1'), 's']],
    ['has bytes by its encoding that are too few', 'invalidBody', id, ['icon', file('1', 'image/png'), 'i']],
    ['has too many parts', 'bodyTooLarge', id, ...Array<Entry>(BODY_LIMITS.parts).fill(['tags', 'a'])],
  ])('that %s is refused', async (_what, reason, ...entries) => {
    expect(await post(form(...entries.slice(0, 1), FILE, ...entries.slice(1)))).toMatchObject(refused(reason));
  });

  test('is validated to its end although the handler stops reading', async () => {
    handle = async ({ body }): Promise<ResponseValue> => {
      for await (const part of body) if (part.name === 'id') break;
      return { status: 200, body: {} };
    };
    expect(await post(form(['id', '1'], FILE))).toEqual({ status: 200, text: '{}' });
    expect(await post(form(['id', '1'], FILE, ['other', '1']))).toMatchObject(refused('invalidBody'));
  });

  test('gets its parameters validated before the handler is called', async () => {
    expect(await post(form(['id', '1'], FILE), '/parts?id=x')).toMatchObject(refused('invalidParameter'));
    expect(parts).toBeUndefined();
  });
});

describe('how a field is read follows from its name and schema, whatever its part says:', () => {
  const contract = serveDocument(
    {
      paths: Object.fromEntries(
        Object.entries({
          '/closed': {
            additionalProperties: false,
            properties: {
              code: { type: 'string', pattern: '^[a-z]+$' },
              kind: { enum: ['a', 'b'] },
              count: { type: 'integer', format: 'int64' },
              note: { type: 'string' },
              either: { anyOf: [{ type: 'string' }, { type: 'object' }] },
              other: { type: 'string', not: { const: 'x' } },
              shape: { pattern: '^s' },
              meta: { type: 'object', required: ['at'] },
              tags: { type: 'array', items: { type: 'string', maxLength: 2 } },
              raw: {},
              files: { type: 'array', items: { type: 'string', format: 'binary' } },
            },
          },
          '/pieces': { properties: { at: { type: 'object', properties: { count: { type: 'integer' } } } } },
          '/named': { additionalProperties: { type: 'string', pattern: '^[a-z]+$' } },
          '/patterned': { patternProperties: { '^n': { type: 'integer' } }, additionalProperties: false },
        }).map(([path, schema]) => [
          path,
          {
            post: {
              requestBody: { content: { 'multipart/form-data': { schema: { type: 'object', ...schema } } } },
              responses: { 200: { description: 'Seen.', content: { 'application/json': {} } } },
            },
          },
        ]),
      ),
    },
    (request: never) => handle(request),
  );
  afterAll(async () => (await contract).close());

  const disguises: readonly [what: string, parameters: string, headers: string][] = [
    ['an empty file name', '; filename=""', ''],
    ['a file name', '; filename="f.txt"', ''],
    ['bytes', '', 'Content-Type: application/octet-stream\r\n'],
    ['an image with a file name', '; filename="f.png"', 'Content-Type: image/png\r\n'],
    ['XML', '', 'Content-Type: application/xml\r\n'],
    ['JSON', '', 'Content-Type: application/json\r\n'],
  ];
  const ask = async (
    path: string,
    name: string,
    content: string,
    [, parameters, headers]: (typeof disguises)[number],
  ) => {
    const field = `--b\r\nContent-Disposition: form-data; name="${name}"${parameters}\r\n${headers}\r\n${content}\r\n--b--`;
    return (await contract).request('POST', path, {
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      body: field,
    });
  };

  describe.each(disguises)('as %s', (...disguise) => {
    test.each([
      ['/closed', 'code', '1', 'a'],
      ['/closed', 'kind', 'c', 'b'],
      ['/closed', 'other', 'x', 'y'],
      ['/closed', 'shape', 't', 's'],
      ['/closed', 'tags', 'long', 'ab'],
      ['/named', 'any', '1', 'a'],
    ])('%s %s', async (path, name, refusedText, text) => {
      expect(await ask(path, name, refusedText, disguise)).toMatchObject(refused('invalidBody'));
      expect(parts).toBeUndefined();
      expect(await ask(path, name, text, disguise)).toMatchObject({ status: 200 });
      expect(parts).toMatchObject([{ name, value: text }]);
    });

    test('an object is JSON', async () => {
      expect(await ask('/closed', 'meta', '{}', disguise)).toMatchObject(refused('invalidBody'));
      expect(await ask('/closed', 'meta', '{"at":1}', disguise)).toMatchObject({ status: 200 });
      expect(parts).toMatchObject([{ name: 'meta', value: { at: 1 } }]);
    });
  });

  describe.each([...disguises.slice(1), ['JSON with a suffix', '', 'Content-Type: application/a+json\r\n'] as const])(
    'as %s',
    (...disguise) => {
      test.each([
        ['/closed', 'count', '1e3'],
        ['/closed', 'count', '"1"'],
        ['/closed', 'code', '"a"'],
        ['/closed', 'kind', '"a"'],
        ['/named', 'any', '"a"'],
      ])('%s %s is not %s in JSON', async (path, name, json) => {
        expect(await ask(path, name, json, disguise)).toMatchObject(refused('invalidBody'));
        expect(parts).toBeUndefined();
      });

      test('a text that is written like JSON is that text', async () => {
        expect(await ask('/closed', 'shape', 's"1"', disguise)).toMatchObject({ status: 200 });
        expect(await ask('/closed', 'note', '"1"', disguise)).toMatchObject({ status: 200 });
        expect(parts).toMatchObject([{ name: 'note', value: '"1"' }]);
      });
    },
  );

  test('a piece of a property is a text, also where its part says that it is JSON', async () => {
    const json: (typeof disguises)[number] = ['', '', 'Content-Type: application/json\r\n'];
    expect(await ask('/pieces', 'at[count]', '1e3', json)).toMatchObject(refused('invalidBody'));
    expect(await ask('/pieces', 'at[count]', '1', json)).toMatchObject({ status: 200 });
    expect(parts).toMatchObject([{ name: 'at', value: { count: 1 } }]);
  });

  test('an array, and what may be an object, is JSON where its part says so', async () => {
    const json: (typeof disguises)[number] = ['', '', 'Content-Type: application/json\r\n'];
    expect(await ask('/closed', 'tags', '["a","bc"]', json)).toMatchObject({ status: 200 });
    expect(parts).toMatchObject([
      { name: 'tags', value: 'a' },
      { name: 'tags', value: 'bc' },
    ]);
    expect(await ask('/closed', 'either', '{"a":1}', json)).toMatchObject({ status: 200 });
    expect(parts).toMatchObject([{ name: 'either', value: { a: 1 } }]);
    expect(await ask('/closed', 'either', '"a"', json)).toMatchObject({ status: 200 });
    expect(parts).toMatchObject([{ name: 'either', value: '"a"' }]);
  });

  test('a name that no pattern allows is refused, one that a pattern allows is read by it', async () => {
    const plain: (typeof disguises)[number] = ['', '', ''];
    expect(await ask('/patterned', 'n1', '1', plain)).toMatchObject({ status: 200 });
    expect(parts).toMatchObject([{ name: 'n1', value: 1 }]);
    expect(await ask('/patterned', 'm1', '1', plain)).toMatchObject(refused('invalidBody'));
    expect(await ask('/patterned', '__proto__', '1', plain)).toMatchObject(refused('invalidBody'));
  });

  test('only a part that the contract leaves open is a file because the client says so', async () => {
    expect(await ask('/closed', 'raw', 'x', ['', '; filename="f"', ''])).toMatchObject({ status: 200 });
    expect(parts).toMatchObject([{ name: 'raw', filename: 'f', file: 'x' }]);
  });
});

describe.each([
  ['a small body', 'P'],
  ['a streamed body', LARGE],
])('a file of a list whose name has brackets, in %s,', (_size, content) => {
  const part = (disposition: string, text: string): string =>
    `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
  test.each([
    ['without a file name', 'name="photos[]"', {}],
    ['with an index', 'name="photos[0]"', {}],
    ['with a file name', 'name="photos[]"; filename="p"', { filename: 'p' }],
  ])('is a file of the list, %s', async (_name, disposition, named) => {
    const png = '\r\nContent-Type: image/png';
    const photos = part(disposition + png, content) + part(`name=photos; filename=q${png}`, 'Q');
    const body = `${part('name=id', '1')}${part('name=file; filename=f', 'F')}${photos}--b--`;
    expect(await post(body, '/parts', 'multipart/form-data; boundary=b')).toMatchObject({ status: 200 });
    const seen = (parts ?? []).map(({ contentType: _, ...others }) => others);
    expect(seen).toEqual([
      { name: 'id', value: 1n },
      { name: 'file', filename: 'f', file: 'F' },
      { name: 'photos', ...named, file: content },
      { name: 'photos', filename: 'q', file: 'Q' },
    ]);
  });
});

describe('of a streamed body, the handler never gets', () => {
  test.each<[what: string, entries: readonly Entry[]]>([
    ['an undeclared field', [['other', '1']]],
    ['an undeclared file', [['other', file('x'), 'x']]],
    ['a piece of a file', [['file[]', file('P', 'image/png'), 'p']]],
    ['a text as a piece of a file', [['photos[0][a]', 'P']]],
    ['a field a second time', [['id', '2']]],
    ['a file a second time', [['file', file('x'), 'x']]],
  ])('%s', async (_what, entries) => {
    const name = entries[0]?.[0];
    expect(await post(form(['id', '1'], LARGE_FILE, ...entries))).toMatchObject(refused('invalidBody'));
    expect(parts?.map((part) => part.name)).toEqual(['id', 'file']);
    expect(failure).toMatchObject({ message: expect.stringContaining(String(name)) });
  });
});

test('the connection can be used again after a streamed body was refused before its end', async () => {
  const part = (disposition: string, content: string): string =>
    `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const body = `${part('name=other', '1')}${part('name=file; filename=f', LARGE.repeat(3))}--b--`;
  const head = `POST /parts HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/form-data; boundary=b\r\n`;
  const socket = dial(server.port).setEncoding('latin1');
  const request = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  socket.write(request);
  socket.write(request);
  let answers = '';
  for await (const chunk of socket) {
    answers += String(chunk);
    if (answers.split('"reason":"invalidBody"').length === 3) break;
  }
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 400']);
}, 10_000);

test('a refusal shows what the client says of a part up to 200 characters', async () => {
  const long = 'l'.repeat(1_500);
  const cut = `'${'l'.repeat(199)}…'`;
  const properties = { file: { type: 'string', format: 'binary' } };
  const open = { type: 'object', properties };
  const schema = { ...open, additionalProperties: false };
  const encoding = { file: { contentType: 'image/png' } };
  const responses = { 200: { description: 'Yes.' } };
  const of = (media: object): object => ({
    post: { requestBody: { content: { 'multipart/form-data': media } }, responses },
  });
  const paths = { '/closed': of({ schema, encoding }), '/open': of({ schema: open }) };
  const strict = await serveDocument({ paths }, () => ({ status: 200 }));
  const detail = async (path: string, head: string, content = ''): Promise<unknown> => {
    const body = `--b\r\nContent-Disposition: form-data; name=${head}\r\n\r\n${content}\r\n--b--`;
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    return (JSON.parse((await strict.request('POST', path, { headers, body })).text) as { message: unknown }).message;
  };
  expect([
    await detail('/closed', long),
    await detail('/closed', `file; filename=f\r\nContent-Type: ${long}`),
    await detail('/closed', `file\r\nContent-Transfer-Encoding: ${long}`),
    await detail('/open', `${long}\r\nContent-Type: text/plain; charset=latin1`),
    await detail('/open', `${long}\r\nContent-Type: application/json`, '{'),
  ]).toEqual([
    expect.stringContaining(` /${cut.slice(1, -1)} `),
    expect.stringContaining(cut),
    expect.stringContaining(cut),
    expect.stringContaining(cut),
    expect.stringContaining(cut),
  ]);
  await strict.close();
});

test('the fields of a streamed body have a limit together with the names of its parts, which are kept too', async () => {
  const schema = { type: 'object', properties: { file: { contentMediaType: 'image/png' } } };
  const requestBody = { content: { 'multipart/form-data': { schema } } };
  const paths = { '/': { post: { requestBody, responses: { 200: { description: 'Yes.' } } } } };
  const names: string[] = [];
  const readNames = async ({ body }: Seen): Promise<ResponseValue> => {
    for await (const { name } of body) names.push(name);
    return { status: 200 };
  };
  const open = await serveDocument({ paths }, readNames);
  const part = (disposition: string, content: string): string =>
    `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const send = (count: number): Promise<Received> => {
    const fields = Array.from({ length: count }, (_, index) => part(`name=${index}${'n'.repeat(1_900)}`, ''));
    const body = `${part('name=file; filename=f', LARGE)}${fields.join('')}--b--`;
    return open.request('POST', '/', { headers: { 'Content-Type': 'multipart/form-data; boundary=b' }, body });
  };
  expect(await send(500)).toMatchObject({ status: 200 });
  names.splice(0);
  expect(await send(900)).toMatchObject({ status: 413, text: expect.stringContaining('"reason":"bodyTooLarge"') });
  expect(names.length).toBeLessThan(600);
  await open.close();
});

test('a small body is validated before the handler is called', async () => {
  expect(await post(form(['id', 'one'], SMALL_FILE))).toMatchObject(refused('invalidBody'));
  expect(parts).toBeUndefined();
});

test('a handler that refuses is answered at once', async () => {
  handle = (): Promise<ResponseValue> => Promise.resolve({ status: 409 });
  expect(await post(form(['id', '1'], SMALL_FILE, ['name', 'ab']))).toEqual({ status: 409, text: '' });
});

test('fields are limited in all, although files are not', async () => {
  expect(await post(form(['id', '1'], ['name', LARGE], ['tags', LARGE]))).toMatchObject(refused('bodyTooLarge'));
});

test('a client that leaves ends the iteration with an error', async () => {
  const ended = new Promise<void>((resolve) => {
    handle = async (request): Promise<ResponseValue> => readAll(request).finally(resolve);
  });
  const socket = dial(server.port);
  const head =
    'POST /parts HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9999999\r\n\r\n';
  socket.write(`${head}--b\r\nContent-Disposition: form-data; name=file; filename=f\r\n\r\n${LARGE}`);
  await once(socket, 'connect');
  setTimeout(() => socket.destroy(), 200);
  await ended;
  expect(failure).toMatchObject({ name: 'RequestError', reason: 'malformedHttp' });
});

describe('a file that is read once the next part was asked for', () => {
  test.each<[what: string, begin: (file: Readable) => Readable]>([
    ['by a handler that collects the parts first', (file) => file],
    ['by a handler that awaits only the next part', (file) => file.once('data', () => undefined)],
  ])('%s, is refused to it instead of cut', async (_what, begin) => {
    const outcomes: unknown[] = [];
    handle = async ({ body }): Promise<ResponseValue> => {
      const files: Readable[] = [];
      for await (const { body: content } of body) if (content !== undefined) files.push(begin(content));
      outcomes.push(...(await Promise.all(files.map((readable) => text(readable).then(() => 'read', String)))));
      return { status: 200, body: {} };
    };
    await post(form(['id', '1'], ['photos', file('P', 'image/png'), 'p'], LARGE_FILE));
    await post(form(['id', '1'], LARGE_FILE, ['name', 'ab']));
    expect(outcomes).toEqual(Array(3).fill(expect.stringContaining('must be read before the next one')));
  });

  test('as the body of the response, is refused to it instead of cut', async () => {
    handle = async ({ body }): Promise<ResponseValue> => {
      for await (const part of body) if (part.body !== undefined) return { status: 201, body: part.body };
      return { status: 409 };
    };
    expect(await post(form(['id', '1'], SMALL_FILE))).toEqual({ status: 201, text: 'a,b' });
    expect(await post(form(['id', '1'], LARGE_FILE))).toMatchObject(refused('internal'));
  });
});

describe('a multipart body', () => {
  const raw = (...lines: string[]): Promise<Received> =>
    post(lines.join('\r\n'), '/mixed', 'multipart/mixed; boundary="b c"');

  test('may have a preamble, an epilogue, padding, folded headers, empty parts, and parts without headers', async () => {
    const headers = ['Content-Type: text/plain;', '  charset=utf-8', 'X-Own:  yes '];
    const padded = ['hello', '--b c  ', ...headers, '', 'one', '--b c', '', 'two', '--b', '--b c', '', ''];
    const sent = await raw(...padded, '--b c--', 'bye');
    expect(sent).toEqual({ status: 200, text: '{}' });
    expect(parts).toEqual([field('', 'one', 'text/plain; charset=utf-8'), field('', 'two\r\n--b'), field('', '')]);
  });

  test.each<[what: string, lines: string[]]>([
    ['without boundaries', ['text']],
    ['without its last boundary', ['--b c', '', 'one']],
    ['that ends in headers', ['--b c', 'A: b']],
    ['with a malformed header', ['--b c', 'no header', '', 'one', '--b c--']],
    ['with text behind a boundary', ['--b c!', '', 'one', '--b c--']],
    ['with endless headers', ['--b c', `A: ${'b'.repeat(20_000)}`, '', 'one', '--b c--']],
    ['with a part in base64', ['--b c', 'Content-Transfer-Encoding: base64', '', 'b25l', '--b c--']],
    ['with text behind its last boundary', ['--b c', '', 'one', '--b c--junk', '']],
    ['with a repeated header', ['--b c', 'Content-Type: text/plain', 'content-type: a/b', '', 'one', '--b c--']],
  ])('%s is refused', async (_what, lines) => {
    expect(await raw(...lines)).toMatchObject(refused('malformedBody'));
  });

  test.each([
    'X: y',
    'Content-Disposition: form-data',
    'Content-Disposition: form-data; name=""',
    'Content-Disposition: form-data; name="id',
  ])('of a form is refused with a part that has no name: %s', async (header) => {
    const part = (head: string): string => `--b\r\n${head}\r\n\r\n1\r\n`;
    const named = ['id', 'file'].map((name) => part(`Content-Disposition: form-data; name=${name}`)).join('');
    const sendForm = (more: string): Promise<Received> =>
      post(`${named}${more}--b--`, '/parts', 'multipart/form-data; boundary=b');
    expect(await sendForm('')).toMatchObject({ status: 200 });
    expect(await sendForm(part(header))).toMatchObject(refused('malformedBody'));
  });

  test.each<[what: string, disposition: string]>([
    ['with another disposition', 'attachment; name=id'],
    ['with two names', 'form-data; name=id; name=tags'],
    ['with an extended name', "form-data; name*=utf-8''id"],
    ['with a malformed disposition', 'form-data; name="id" junk'],
  ])('of a form is refused with a part %s', async (_what, disposition) => {
    const body = `--b\r\nContent-Disposition: ${disposition}\r\n\r\n1\r\n--b--`;
    expect(await post(body, '/parts', 'multipart/form-data; boundary=b')).toMatchObject(refused('malformedBody'));
  });

  test('gives its file names without path, NUL and line breaks', async () => {
    const escaped = [String.raw`a\"b\".png`, String.raw`C:\\d\\e.png`, String.raw`C:\d\f.png`];
    const names = ['../a/b\\c%0D%0A\0d', '..', '/etc/', '%22e%22.txt', ...escaped];
    const files = names.map(
      (name) => `--b\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Type: image/png\r\n\r\n\r\n`,
    );
    expect(await post(`${files.join('')}--b--`, '/mixed', 'multipart/mixed; boundary=b')).toMatchObject({
      status: 200,
    });
    expect(parts?.map(({ filename }) => filename)).toEqual(['cd', '', '', '"e".txt', 'a"b".png', 'e.png', 'f.png']);
  });

  test.each([
    'multipart/form-data; boundary=b; boundary=c',
    'multipart/form-data; boundary=b; x="; boundary=d"; Boundary = "c"',
    'multipart/form-data; boundary=b; charset=utf-8; charset=utf-8',
  ])('is refused with a parameter of its type that occurs twice: %s', async (type) => {
    const body = ['id', 'file'].map((name) => `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n1\r\n`);
    const once = 'multipart/form-data; boundary=b; x="; boundary=d"';
    expect(await post(`${body.join('')}--b--`, '/parts', once)).toMatchObject({ status: 200 });
    expect(await post(`${body.join('')}--b--`, '/parts', type)).toEqual({
      status: 400,
      text: expect.stringMatching(/"malformedBody","message":"[^"]*'(?:boundary|charset)'/),
    });
  });

  test('is refused with two types, of which another program may have read the other one', async () => {
    const type = 'multipart/form-data; boundary=b';
    const headers = { 'Content-Type': [type, type] };
    expect(await server.request('POST', '/parts', { headers, body: '--b--' })).toMatchObject(refused('repeatedHeader'));
  });

  test('has a boundary of at most 70 characters', async () => {
    const ask = (length: number): Promise<Received> => {
      const boundary = 'b'.repeat(length);
      return post(`--${boundary}\r\n\r\none\r\n--${boundary}--`, '/mixed', `multipart/mixed; boundary=${boundary}`);
    };
    expect(await ask(70)).toMatchObject({ status: 200 });
    expect(await ask(71)).toMatchObject(refused('malformedBody'));
  });

  describe('of a form', () => {
    const part = (parameters: string, content = '', headers = ''): string =>
      `--b\r\nContent-Disposition: form-data; ${parameters}\r\n${headers}\r\n${content}\r\n`;
    const BYTES = 'Content-Type: application/octet-stream\r\n';
    const sendForm = (...sent: string[]): Promise<Received> =>
      post(`${sent.join('')}--b--`, '/parts', 'multipart/form-data; boundary=b');
    const [id, photos] = [part('name=id', '1'), part('name=photos; filename=""', '', BYTES)];

    test.each(['a,b', LARGE])('has no part for a file that was not chosen', async (content) => {
      expect(await sendForm(id, photos, part('name=file; filename=f', content), photos)).toMatchObject({ status: 200 });
      expect(parts).toMatchObject([{ name: 'id' }, { name: 'file', file: content }]);
    });

    test.each<[what: string, reason: Reason, sent: string]>([
      ['without a required file, that was not chosen', 'invalidBody', part('name=file; filename=""', '', BYTES)],
      ['with an undeclared file that was not chosen', 'invalidBody', part('name=other; filename=""', '', BYTES)],
      ['with an empty file of another type', 'unsupportedMediaType', part('name=photos; filename=p', '', BYTES)],
      [
        'with a file of another type without name',
        'unsupportedMediaType',
        part('name=photos; filename=""', 'P', BYTES),
      ],
    ])('is refused %s', async (_what, reason, sent) => {
      const file = sent.includes('name=file') ? '' : part('name=file; filename=f', 'a,b');
      expect(await sendForm(id, file, sent)).toMatchObject(refused(reason));
    });
  });

  test('without the parameter boundary is refused', async () => {
    expect(await post('--b--', '/mixed', 'multipart/mixed')).toMatchObject(refused('malformedBody'));
  });

  test('arrives as it was sent, however its bytes are cut', async () => {
    const content = fc
      .stringMatching(/^[-\r\nbc x]{0,40}$/)
      .filter((text) => !text.includes('\r\n--b c') && !text.startsWith('--b c'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(content, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 12 }),
        async (contents, size) => {
          const whole = `${contents.map((partText) => `--b c\r\nContent-Type: image/png\r\n\r\n${partText}\r\n`).join('')}--b c--\r\n`;
          const pieces = whole.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
          const headers = { 'Content-Type': 'multipart/mixed; boundary="b c"' };
          const body = ReadableStream.from(pieces.map((piece) => Buffer.from(piece)));
          const response = await fetch(`${server.url}/mixed`, { method: 'POST', headers, body, duplex: 'half' });
          expect(response.status).toBe(200);
          expect(parts?.map((part) => part.file)).toEqual(contents);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a part that its encoding describes', () => {
  const encoding = {
    photo: {
      contentType: 'image/png',
      headers: {
        'X-Rate': { required: true, schema: { type: 'integer', format: 'int64' } },
        'X-Words': { $ref: '#/components/headers/Words' },
        'Content-Type': { required: true, schema: { type: 'integer' } },
      },
    },
    history: { contentType: 'application/xml; charset=utf-8' },
    records: { contentType: 'text/xml, application/octet-stream' },
    note: { contentType: 'application/xml' },
  };
  const properties = {
    photo: {},
    history: { $ref: '#/components/schemas/History' },
    records: { type: 'array', maxItems: 2, items: { type: 'object' } },
    note: { type: 'string', maxLength: 4 },
  };
  const schema = { type: 'object', required: ['history'], properties, additionalProperties: false };
  const described = (bodySchema: object, encodings: object = encoding): object => ({
    post: {
      requestBody: { content: { 'multipart/form-data': { schema: bodySchema, encoding: encodings } } },
      responses: { 200: { description: 'Seen.', content: { 'application/json': {} } } },
    },
  });
  const served = serveDocument(
    {
      paths: {
        '/bytes': described({ type: 'string', format: 'binary' }),
        '/own': described(schema),
        '/several': described(
          { type: 'object', properties: { records: {} } },
          { records: { contentType: 'text/xml, image/*' } },
        ),
        '/bytes-of': described({ type: 'object', properties: { photo: {} } }, { photo: { contentType: 'image/png' } }),
        '/behind': described({ $ref: '#/components/schemas/Body', minProperties: 1 }),
      },
      components: {
        headers: { Words: { schema: { type: 'array', items: { type: 'string', maxLength: 2 } } } },
        schemas: { Body: schema, History: { type: 'object', required: ['at'] } },
      },
    },
    (request: never) => handle(request),
  );
  afterAll(async () => (await served).close());

  type Sent = readonly [name: string, headers: string, content: string];
  const xml: Sent = ['history', 'Content-Type: application/xml', '<at/>'];
  const photo = (headers: string): Sent => ['photo', `Content-Type: image/png\r\n${headers}`, 'P'];
  const ask = async (path: string, sent: readonly Sent[]): Promise<Received> => {
    const lines = sent.map(([name, headers, content]) =>
      ['--b', `Content-Disposition: form-data; name=${name}`, headers, '', content, ''].join('\r\n'),
    );
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    return (await served).request('POST', path, { headers, body: `${lines.join('')}--b--` });
  };

  test('is refused when it is a file that does not tell which of several types it has', async () => {
    expect(await ask('/several', [['records', 'X: y', '<r/>']])).toMatchObject({
      status: 415,
      text: expect.stringMatching(/"unsupportedMediaType".*'records'.*text\/xml.*image\/\*/),
    });
    expect(parts).toBeUndefined();
    // Browsers would read the second one as HTML.
    for (const type of ['image/', 'image/png; a, text/html']) {
      expect(await ask('/several', [['records', `Content-Type: ${type}`, 'P']])).toMatchObject({ status: 415 });
    }
    expect(await ask('/several', [['records', 'Content-Type: image/png', 'P']])).toMatchObject({ status: 200 });
    expect(parts).toMatchObject([{ name: 'records', contentType: 'image/png', file: 'P' }]);
  });

  test('has the only type that its encoding allows when it names none', async () => {
    expect(await ask('/bytes-of', [['photo', 'X: y', 'P']])).toMatchObject({ status: 200 });
    expect(parts).toMatchObject([{ name: 'photo', contentType: 'image/png', file: 'P' }]);
  });

  test('may be any where the schema is about the bytes of the body', async () => {
    expect(await ask('/bytes', [['any', 'X: y', 'text'], xml])).toMatchObject({ status: 200 });
    expect(parts?.map(({ name }) => name)).toEqual(['any', 'history']);
  });

  describe.each(['/own', '/behind'])('of %s', (path) => {
    test('has the headers that are declared, and is bytes where it is XML', async () => {
      const record: Sent = ['records', 'Content-Type: text/xml', '<r/>'];
      const note: Sent = ['note', 'Content-Type: application/xml', '<a/>'];
      const sent = [photo('x-rate: 12\r\nX-Words: a, bc'), xml, record, record, note];
      expect(await ask(path, sent)).toMatchObject({ status: 200 });
      expect(parts?.map(({ name, file: bytes, value }) => [name, bytes, value])).toEqual([
        ['photo', 'P', undefined],
        ['history', '<at/>', undefined],
        ['records', '<r/>', undefined],
        ['records', '<r/>', undefined],
        ['note', undefined, '<a/>'],
      ]);
    });

    test.each<[what: string, reason: Reason, sent: readonly Sent[]]>([
      ['lacks a header', 'invalidBody', [xml, photo('X-Words: a')]],
      ['has a header of another type', 'invalidBody', [xml, photo('X-Rate: one')]],
      ['has a header that its schema refuses', 'invalidBody', [xml, photo('X-Rate: 1\r\nX-Words: abc')]],
      ['is missing', 'invalidBody', [photo('X-Rate: 1')]],
      ['is XML, sent as JSON', 'unsupportedMediaType', [['history', 'Content-Type: application/json', '{"at":1}']]],
      ['is one of too many', 'invalidBody', [xml, ...Array<Sent>(3).fill(['records', 'Content-Type: text/xml', ''])]],
      ['is a text that is too long', 'invalidBody', [xml, ['note', 'Content-Type: application/xml', '<abc/>']]],
      ['is beside one that is not declared', 'invalidBody', [xml, ['other', 'X: y', '']]],
    ])('is refused when it %s', async (_what, reason, sent) => {
      expect(await ask(path, sent)).toMatchObject(refused(reason));
      expect(parts).toBeUndefined();
    });
  });
});
