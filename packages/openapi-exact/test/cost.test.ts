import { afterAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import { loadContract } from '../src/server/load-contract.ts';
import type { ResponseValue } from '../src/response/respond.ts';
import { COST_CASES } from './support/cost-cases.ts';
import { refused, serveContract, type Answer } from './support/contract-server.ts';
import { serveCosts } from './support/cost-server.ts';
import { combinedNames, overlapping } from './support/keyword-cost-cases.ts';
import { documentText, withFiles } from 'test-support/contract-files.ts';
import { serveDocument } from './support/inline-contract.ts';
import { usedMemory } from './support/used-memory.ts';
import { closed } from 'test-support/closed.ts';
import { dial } from 'test-support/dial.ts';

const server = await serveCosts();
afterAll(() => server.close());

test.each(COST_CASES.map(({ name, request }) => [name, request] as const))(
  'a request of 1 MiB is answered in a moment: %s',
  async (_name, request) => {
    const { status } = await server.ask(request(1024 * 1024));
    // 0: the connection was closed.
    expect([0, 200, 400, 401, 404, 406, 412, 413, 415]).toContain(status);
  },
  30_000,
);

test('the values of all headers together have a limit', async () => {
  const lists = (count: number): OutgoingHttpHeaders =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'a,'.repeat(500)]));
  expect(await server.ask({ path: '/lists', headers: lists(19) })).toMatchObject({ status: 200 });
  const text = expect.stringContaining('"reason":"invalidParameter"');
  expect(await server.ask({ path: '/lists', headers: lists(21) })).toMatchObject({ status: 400, text });
});

describe('chunks of less than 64 bytes on average', () => {
  const part = '--b\r\nContent-Disposition: form-data; name=a\r\n\r\n';
  const bodies: readonly [type: string, path: string, begin: string, end: string][] = [
    ['application/octet-stream', '/bytes', '', ''],
    ['application/json', '/json', '"', '"'],
    ['multipart/form-data; boundary=b', '/parts', part, '\r\n--b--'],
  ];
  const contract = {
    paths: Object.fromEntries(
      bodies.map(([type, path]) => [
        path,
        {
          post: {
            requestBody: { content: { [type.split(';')[0] ?? '']: {} } },
            responses: { 200: { description: 'Yes.', content: { 'application/json': {} } } },
          },
        },
      ]),
    ),
  };
  const handle = async ({ body }: { body: unknown }): Promise<ResponseValue> => {
    if (typeof body === 'object') for await (const _ of body as AsyncIterable<unknown>) continue;
    return { status: 200, body: {} };
  };
  const inChunks = (text: string, size: number): string => {
    const chunks: string[] = [];
    for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size));
    return [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  };

  test.each(bodies)('are refused in %s beyond 1,000, and the connection is closed', async (type, path, begin, end) => {
    const server = await serveDocument(contract, handle);
    const ask = async (length: number, size: number): Promise<string> => {
      const socket = dial(server.port);
      const content = begin + 'x'.repeat(length - begin.length - end.length) + end;
      const head = `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n`;
      // What arrives before the body is read is read as one chunk.
      socket.write(`${head}Expect: 100-continue\r\n\r\n`);
      await once(socket, 'data');
      socket.write(inChunks(content, size));
      const received = String((await once(socket, 'data'))[0]);
      const isClosed = received.includes('Connection: close\r\n');
      if (isClosed) await closed(socket);
      socket.destroy();
      return `${received.slice(0, 12)} ${isClosed} ${received.slice(received.indexOf('\r\n\r\n') + 4)}`;
    };
    expect(await ask(1_000, 1)).toBe('HTTP/1.1 200 false {}');
    expect(await ask(200_000, 80)).toBe('HTTP/1.1 200 false {}');
    const refusal = /^HTTP\/1\.1 413 true \{"reason":"bodyTooLarge",/;
    expect(await ask(1_001, 1)).toMatch(refusal);
    expect(await ask(200_000, 50)).toMatch(refusal);
    await server.close();
  });
});

describe('values that defaults add', () => {
  const preset = { type: 'integer', default: 1 };
  const item = { type: 'object', properties: { a: preset, list: { type: 'array', default: [1, 2, 3] } } };
  const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
  const body = { type: 'object', properties: { items: { type: 'array', items: item } } };
  const operation = {
    parameters: [{ in: 'query', name: 'q', content: { 'application/json': { schema: body } } }],
    requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: body }])) },
    responses: { 204: { description: 'Kept.' } },
  };
  const document = { paths: { '/': { post: operation } } };
  /** The body of a type with so many empty objects, each of which gets five values. */
  const sent = (type: string, count: number): { headers: OutgoingHttpHeaders; body: string } => {
    const items = `[${Array(count).fill('{}').join(',')}]`;
    const parts = Array(count).fill(
      '--b\r\nContent-Disposition: form-data; name=items\r\nContent-Type: application/json\r\n\r\n{}\r\n',
    );
    if (type === 'multipart/form-data') {
      return { headers: { 'Content-Type': `${type}; boundary=b` }, body: `${parts.join('')}--b--` };
    }
    const isForm = type === 'application/x-www-form-urlencoded';
    const text = isForm ? Array(count).fill('items={}').join('&') : `{"items":${items}}`;
    return { headers: { 'Content-Type': type }, body: text };
  };

  test.each(types)('are among the values that a body may have, in %s', async (type) => {
    const server = await withFiles({ 'openapi.yaml': documentText(document) }, (file) =>
      serveContract(file, () => ({ status: 204 }), {}, { bodyLimits: { values: 1_000 } }),
    );
    expect(await server.request('POST', '/', sent(type, 100))).toMatchObject({ status: 204 });
    const { status, text } = await server.request('POST', '/', sent(type, 300));
    expect([status, JSON.parse(text)]).toEqual([413, { reason: 'bodyTooLarge', message: expect.any(String) }]);
    await server.close();
  });

  test('and those of styled lists are counted once in a multipart body, which is read as parts and as a whole', async () => {
    const numbers = { type: 'array', items: { type: 'integer' } };
    const filled = { type: 'object', properties: { list: { ...numbers, default: Array(600).fill(1) } } };
    const schema = { type: 'object', properties: { filled, numbers } };
    const content = {
      'multipart/form-data': { schema, encoding: { numbers: { style: 'form', explode: false } } },
    };
    const post = { requestBody: { content }, responses: { 204: { description: 'Kept.' } } };
    const server = await withFiles({ 'openapi.yaml': documentText({ paths: { '/': { post } } }) }, (file) =>
      serveContract(file, () => ({ status: 204 }), {}, { bodyLimits: { values: 1_000 } }),
    );
    const send = (...parts: [name: string, text: string][]): ReturnType<typeof server.request> => {
      const body = parts.map(
        ([name, text]) => `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${text}\r\n`,
      );
      const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
      return server.request('POST', '/', { headers, body: `${body.join('')}--b--` });
    };
    const list = Array(600).fill(1).join();
    expect(await send(['filled', '{}'])).toMatchObject({ status: 204 });
    expect(await send(['numbers', list])).toMatchObject({ status: 204 });
    expect(await send(['filled', '{}'], ['numbers', list])).toMatchObject(refused('bodyTooLarge'));
    await server.close();
  });

  test('are among the values that parameters may have', async () => {
    const server = await serveDocument(document, () => ({ status: 204 }));
    const query = (count: number): string => `/?q={%22items%22:[${Array(count).fill('{}').join(',')}]}`;
    const headers = { 'Content-Type': 'application/json' };
    const ask = (count: number): ReturnType<typeof server.request> =>
      server.request('POST', query(count), { headers, body: '{}' });
    expect(await ask(1_000)).toMatchObject({ status: 204 });
    expect(await ask(4_900)).toMatchObject(refused('invalidParameter'));
    await server.close();
  });

  test('take memory as others do', async () => {
    const server = await withFiles({ 'openapi.yaml': documentText(document) }, (file) =>
      serveContract(file, () => ({ status: 204 }), {}, { bodyLimits: { memory: 256 * 1024 } }),
    );
    const post = (count: number): ReturnType<typeof server.request> =>
      server.request('POST', '/', sent('application/json', count));
    expect(await post(150)).toMatchObject({ status: 204 });
    expect(await post(800)).toMatchObject(refused('overloaded'));
    await server.close();
  });

  test('belong to one request, whose handler may change them', async () => {
    const seen: unknown[] = [];
    const change = ({ body: { items } }: { body: { items: { list: number[] }[] } }): { status: number } => {
      for (const { list } of items) {
        seen.push([...list]);
        list.push(4);
      }
      return { status: 204 };
    };
    const server = await serveDocument(document, change);
    for (let count = 0; count < 2; count += 1) await server.request('POST', '/', sent('application/json', 2));
    expect(seen).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
    await server.close();
  });
});

test('a slash or tilde in a name counts as two values, since each fault at its place takes time for it', async () => {
  const schema = { type: 'object', additionalProperties: { type: 'string' } };
  const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
  const requestBody = { content: Object.fromEntries(types.map((type) => [type, { schema }])) };
  const post = { requestBody, responses: { 204: { description: 'Kept.' } } };
  const server = await withFiles({ 'openapi.yaml': documentText({ paths: { '/': { post } } }) }, (file) =>
    serveContract(file, () => ({ status: 204 }), {}, { bodyLimits: { values: 1_000 } }),
  );
  for (const [count, expected] of [
    [400, { status: 204 }],
    [600, refused('bodyTooLarge')],
  ] as const) {
    const name = '/~'.repeat(count / 2);
    const bodies = [
      `{"${name}":""}`,
      `${name}=`,
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n\r\n--b--`,
    ];
    for (const [index, body] of bodies.entries()) {
      const headers = { 'Content-Type': `${types[index]}; boundary=b` };
      expect(await server.request('POST', '/', { headers, body })).toMatchObject(expected);
    }
  }
  await server.close();
});

test('the keys that lead to a value have at most 2,000 characters, since the place of each fault has them', async () => {
  const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
  const parameters = [{ in: 'query', name: 'q', style: 'deepObject', schema: { type: 'object' } }];
  const requestBody = { content: Object.fromEntries(types.map((type) => [type, {}])) };
  const post = { parameters, requestBody, responses: { 204: { description: 'Kept.' } } };
  const server = await serveDocument({ paths: { '/': { post } } }, () => ({ status: 204 }));
  const ask = (query: string, type = '', body = ''): Promise<Answer> =>
    server.request('POST', `/${query}`, { headers: { 'Content-Type': `${type}; boundary=b` }, body });
  const answers = async (longest: string): Promise<Answer[]> => [
    await ask('', types[0], `[{"${'a'.repeat(1_000)}":[{"b":0},{"${longest}":0}],"c":0}]`),
    await ask('', types[1], `${'a'.repeat(999)}[${longest}]=0&c=0`),
    await ask(
      '',
      types[2],
      `--b\r\nContent-Disposition: form-data; name=${'a'.repeat(1_000)}${longest}\r\n\r\n\r\n--b--`,
    ),
    await ask(`?q[${'a'.repeat(998)}][${longest}]=0`, types[0], '0'),
  ];
  for (const answer of await answers('k'.repeat(1_000))) expect(answer).toMatchObject({ status: 204 });
  const ofBody = { status: 413, text: expect.stringContaining('"reason":"bodyTooLarge"') };
  const ofQuery = { status: 400, text: expect.stringContaining('"reason":"invalidParameter"') };
  expect(await answers('k'.repeat(1_001))).toMatchObject([ofBody, ofBody, ofBody, ofQuery]);
  await server.close();
});

test('names of one body may match up to 100 combinations of the patterns of properties', async () => {
  const defaults = overlapping((index) => ({ properties: { [`a${index}`]: { type: 'integer', default: index } } }));
  const type = 'application/x-www-form-urlencoded';
  const text = overlapping(() => ({ type: 'string' }));
  const bodies: unknown[] = [];
  const keep = ({ body }: { body: unknown }): { status: number } => {
    bodies.push(body);
    return { status: 204 };
  };
  const post = (mediaType: string, schema: object): object => ({
    post: { requestBody: { content: { [mediaType]: { schema } } }, responses: { 204: { description: 'Kept.' } } },
  });
  const paths = { '/json': post('application/json', defaults), '/form': post(type, text) };
  const server = await serveDocument({ paths }, keep);
  /** A body of 100 names, of which each occurs with another combination, and further ones. */
  const json = (further: string): ReturnType<typeof server.request> => {
    const names = combinedNames(5_000, (name) => `"${name}":{}`, ',')
      .split(',')
      .slice(0, 100);
    const body = `{${names.join(',')}${further}}`;
    return server.request('POST', '/json', { headers: { 'Content-Type': 'application/json' }, body });
  };
  const form = (further: string): ReturnType<typeof server.request> => {
    const names = combinedNames(5_000, (name) => `${name}=1`, '&')
      .split('&')
      .slice(0, 100);
    return server.request('POST', '/form', { headers: { 'Content-Type': type }, body: `${names.join('&')}${further}` });
  };
  for (let count = 0; count < 2; count += 1) {
    expect(await json(',"a":{},"b":{}')).toMatchObject({ status: 204 });
    expect(await json(',"ab":{}')).toMatchObject(refused('bodyTooLarge'));
    expect(await form('&a=1&b=1&A=1')).toMatchObject({ status: 204 });
    expect(await form('&ab=1')).toMatchObject(refused('bodyTooLarge'));
  }
  expect(bodies[0]).toMatchObject({ a: { a0: 0 }, b: { a1: 1 }, abcefjklmp: {} });
  await server.close();
});

test('a field that a handler keeps does not keep the rest of its form in memory', async () => {
  const MIB = 1024 * 1024;
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  const operation = {
    requestBody: { content: { 'application/x-www-form-urlencoded': { schema } } },
    responses: { 204: { description: 'Kept.' } },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Forms', version: '1.0.0' },
    paths: { '/': { post: operation } },
  };
  const kept: unknown[] = [];
  const keep = ({ body }: { body: { name: string } }): { status: number } => {
    kept.push(body.name);
    return { status: 204 };
  };
  const server = await withFiles({ 'openapi.yaml': JSON.stringify(document) }, (file) =>
    serveContract(file, keep as never),
  );
  const body = `name=somebody-with-a-name&rest=${'x'.repeat(MIB - 100)}`;
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const before = usedMemory();
  for (let count = 0; count < 20; count += 1) {
    expect(await server.request('POST', '/', { headers, body })).toMatchObject({ status: 204 });
  }
  expect(kept).toHaveLength(20);
  expect(usedMemory() - before).toBeLessThan(10 * MIB);
  await server.close();
});

test('a text of 8 MiB is judged by its format, or refused where it is too long for its pattern', async () => {
  const MIB = 1024 * 1024;
  const texts = { base64: { format: 'byte' }, email: { format: 'email' }, pattern: { pattern: '^([ab])*$' } };
  const properties = Object.fromEntries(
    Object.entries(texts).map(([name, assertion]) => [name, { type: 'string', ...assertion }]),
  );
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const operation = { requestBody: { content }, responses: { 204: { description: 'Held.' } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Texts', version: '1.0.0' },
    paths: { '/': { post: operation } },
  };
  const options = { bodyLimits: { json: 10 * MIB } };
  const server = await withFiles({ 'openapi.yaml': JSON.stringify(document) }, (file) =>
    serveContract(file, () => ({ status: 204 }), {}, options),
  );
  const post = (body: object): ReturnType<typeof server.request> =>
    server.request('POST', '/', { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  expect(await post({ base64: 'AAAA'.repeat(2 * MIB) })).toMatchObject({ status: 204 });
  expect(await post({ base64: `${'AAAA'.repeat(2 * MIB)}A===` })).toMatchObject(refused('invalidBody'));
  expect(await post({ email: `${'a.'.repeat(4 * MIB)}a@b.example` })).toMatchObject(refused('invalidBody'));
  expect(await post({ pattern: 'ab'.repeat(4 * MIB) })).toMatchObject(refused('invalidBody'));
  await server.close();
}, 20_000);

test('a contract whose aliases multiply it is refused', async () => {
  const levels = Array.from(
    { length: 9 },
    (_, level) => `  a${level + 1}: &a${level + 1} [${Array(10).fill(`*a${level}`).join(', ')}]`,
  );
  const contract = `openapi: 3.1.0\ninfo: { title: Bomb, version: 1.0.0 }\nx-bomb:\n  a0: &a0 [{}]\n${levels.join('\n')}\npaths: {}\n`;
  await withFiles({ 'openapi.yaml': contract }, (file) =>
    expect(loadContract(file)).rejects.toThrow(
      /:1:1: error: the aliases stand for \d+ objects, but the file has \d+: use a \$ref/,
    ),
  );
});
