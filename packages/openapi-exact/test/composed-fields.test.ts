import { serveDocument } from './support/inline-contract.ts';
import { describe, expect, test } from '@jest/globals';

const BIG = 9007199254740993n;

test('a form and a deepObject have the types that conditions and unevaluatedProperties give', async () => {
  const schema = {
    type: 'object',
    properties: { kind: { type: 'string' }, card: { type: 'string' } },
    dependentSchemas: { card: { required: ['bill'], properties: { bill: { type: 'integer', format: 'int64' } } } },
    if: { properties: { kind: { const: 'num' } }, required: ['kind'] },
    then: { properties: { v: { type: 'integer' } } },
    else: { properties: { w: { type: 'boolean' }, v: { type: 'string' } } },
  };
  const rest = { type: 'object', properties: { name: { type: 'string' } }, unevaluatedProperties: { type: 'integer' } };
  const form = (of: object): object => ({
    requestBody: { content: { 'application/x-www-form-urlencoded': { schema: of } } },
    responses: { 204: { description: 'Done.' } },
  });
  const parameters = [{ name: 'o', in: 'query', style: 'deepObject', schema }];
  const paths = {
    '/form': { post: form(schema) },
    '/rest': { post: form(rest) },
    '/deep': { get: { parameters, responses: { 204: { description: 'Done.' } } } },
  };
  const seen: unknown[] = [];
  const server = await serveDocument({ paths }, ({ query, body }) => {
    seen.push({ query, body });
    return { status: 204 };
  });
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const post = async (path: string, body: string): Promise<number> =>
    (await server.request('POST', path, { headers, body })).status;
  try {
    const statuses = [
      await post('/form', 'card=1&bill=9007199254740993'),
      await post('/form', 'kind=num&v=5'),
      await post('/form', 'v=abc&w=true'),
      await post('/rest', 'name=1&other=5'),
      (await server.request('GET', '/deep?o[card]=1&o[bill]=5&o[w]=false')).status,
      await post('/form', 'card=1&bill=x'),
      await post('/form', 'kind=num&v=abc'),
      await post('/form', 'w=1'),
      await post('/rest', 'other=x'),
    ];
    expect(seen).toEqual([
      { query: {}, body: { card: '1', bill: BIG } },
      { query: {}, body: { kind: 'num', v: 5 } },
      { query: {}, body: { v: 'abc', w: true } },
      { query: {}, body: { name: '1', other: 5 } },
      { query: { o: { card: '1', bill: 5n, w: false } } },
    ]);
    expect(statuses).toEqual([204, 204, 204, 204, 204, 400, 400, 400, 400]);
  } finally {
    await server.close();
  }
});

describe('int64s that additionalProperties and patterns give to a named integer, or to other names, are exact', () => {
  const integer = { type: 'integer' };
  const int64 = { ...integer, format: 'int64' };
  const object = (others: object, id: object = integer): object => ({ type: 'object', properties: { id }, ...others });
  test.each([
    ['beside it', object({ additionalProperties: int64 }), 'id=5&x=9007199254740993', { id: 5, x: BIG }],
    ['in allOf', { allOf: [object({}), { additionalProperties: int64 }] }, 'id=9007199254740993', { id: BIG }],
    [
      'in an earlier part',
      { allOf: [{ additionalProperties: int64 }, object({})] },
      'id=9007199254740993',
      { id: BIG },
    ],
    ['in a pattern', object({ patternProperties: { '^i': int64 } }), 'id=9007199254740993', { id: BIG }],
    [
      'in an alternative that does not name it',
      { anyOf: [object({ required: ['name'] }), { type: 'object', additionalProperties: int64 }] },
      'id=9007199254740993',
      { id: BIG },
    ],
    [
      'in a pattern of another part',
      { allOf: [object({}), { patternProperties: { '^i': int64 } }] },
      'id=9007199254740993',
      { id: BIG },
    ],
    [
      'beside a pattern',
      object({ patternProperties: { '^i': integer } }, int64),
      'id=9007199254740993&ix=5',
      { id: BIG, ix: 5 },
    ],
    [
      'in one of two lists of other properties',
      {
        allOf: [
          { type: 'object', additionalProperties: int64 },
          { type: 'object', additionalProperties: true },
        ],
      },
      'x=9007199254740993',
      { x: BIG },
    ],
    [
      'beside an unknown format',
      object({}, { allOf: [int64, { ...integer, format: 'serial' }] }),
      'id=9007199254740993',
      { id: BIG },
    ],
  ])('%s', async (_, schema, sent, given) => {
    const parts: Record<string, unknown> = {};
    const form = { schema };
    const post = {
      parameters: [{ name: 'o', in: 'query', style: 'deepObject', schema }],
      requestBody: { content: { 'application/x-www-form-urlencoded': form, 'multipart/form-data': form } },
      responses: { 204: { description: 'Done.' } },
    };
    const seen: unknown[] = [];
    const server = await serveDocument({ paths: { '/ids': { post } } }, async (request: never) => {
      const { query, contentType, body } = request as { query: object; contentType?: string; body: unknown };
      if (contentType !== 'multipart/form-data') seen.push({ ...query, body });
      // The type of a multipart body is an iterable of parts.
      else
        for await (const { name, value } of body as AsyncIterable<{ name: string; value: unknown }>)
          parts[name] = value;
      return { status: 204 };
    });
    const query = sent.replaceAll(/(\w+)=/g, 'o[$1]=');
    const pairs = [...new URLSearchParams(sent)];
    const multipart = pairs.map(
      ([name, text]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    );
    const send = (path: string, type: string, body: string): ReturnType<typeof server.request> =>
      server.request('POST', path, { headers: { 'Content-Type': type }, body });
    try {
      const answers = [
        await server.request('POST', `/ids?${query}`),
        await send('/ids', 'application/x-www-form-urlencoded', sent),
        await send('/ids', 'multipart/form-data; boundary=b', `${multipart.join('')}--b--\r\n`),
      ];
      expect([...answers.map(({ status, text }) => [status, text]), ...seen, parts]).toEqual([
        ...[204, 204, 204].map((status) => [status, '']),
        { o: given, body: undefined },
        { body: given },
        given,
      ]);
    } finally {
      await server.close();
    }
  });
});

test('an item of a list in a multipart body has its defaults, in a part of its own and in one for all', async () => {
  const preset = { type: 'integer', format: 'int64', default: 1 };
  const item = { type: 'object', properties: { a: preset, b: { type: 'string' } } };
  const items = { allOf: [{ $ref: '#/components/schemas/Item' }] };
  const schema = { type: 'object', properties: { list: { type: 'array', items } } };
  const post = {
    requestBody: { content: { 'multipart/form-data': { schema } } },
    responses: { 204: { description: 'Done.' } },
  };
  const seen: unknown[] = [];
  const document = { paths: { '/parts': { post } }, components: { schemas: { Item: item } } };
  const server = await serveDocument(document, async (request: never) => {
    const { body } = request as { body: AsyncIterable<{ name: string; value?: unknown }> };
    for await (const { name, value } of body) seen.push([name, value]);
    return { status: 204 };
  });
  const parts = ['{"b":"x"}', '[{"a":5},{}]'].map(
    (text) => `--b\r\nContent-Disposition: form-data; name=list\r\nContent-Type: application/json\r\n\r\n${text}\r\n`,
  );
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
  try {
    const { status } = await server.request('POST', '/parts', { headers, body: `${parts.join('')}--b--` });
    expect([status, ...seen]).toEqual([204, ['list', { a: 1n, b: 'x' }], ['list', { a: 5n }], ['list', { a: 1n }]]);
  } finally {
    await server.close();
  }
});

test('a field in another charset than UTF-8 is answered 415, also as a piece of a property with a style', async () => {
  const text = { type: 'string' };
  const object = { type: 'object', properties: { x: text } };
  const schema = { type: 'object', properties: { text, json: object, deep: object } };
  const content = { 'multipart/form-data': { schema, encoding: { deep: { style: 'deepObject' } } } };
  const post = { requestBody: { content }, responses: { 204: { description: 'Done.' } } };
  const server = await serveDocument({ paths: { '/parts': { post } } }, () => ({ status: 204 }));
  const send = async (name: string, type: string, value: string): Promise<unknown> => {
    const body = `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n${value}\r\n--b--\r\n`;
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const answer = await server.request('POST', '/parts', { headers, body });
    return [answer.status, answer.text === '' ? '' : (JSON.parse(answer.text) as unknown)];
  };
  const refusal = (name: string): unknown => ({
    reason: 'unsupportedMediaType',
    message: expect.stringContaining(`'${name}'`),
  });
  try {
    for (const [name, type, value] of [
      ['text', 'text/plain', 'ü'],
      ['json', 'application/json', '{"x":"ü"}'],
      ['deep[x]', 'text/plain', 'ü'],
    ] as const) {
      expect(await send(name, `${type}; charset=utf-8`, value)).toEqual([204, '']);
      expect(await send(name, `${type}; charset=iso-8859-1`, value)).toEqual([415, refusal(name)]);
    }
  } finally {
    await server.close();
  }
});

test('the parts of a multipart body have the types that conditions give', async () => {
  const schema = {
    type: 'object',
    properties: { card: { type: 'string' } },
    dependentSchemas: { card: { properties: { bill: { type: 'integer', format: 'int64' } } } },
  };
  const responses = { 204: { description: 'Done.' } };
  const post = { requestBody: { content: { 'multipart/form-data': { schema } } }, responses };
  const seen: unknown[] = [];
  const server = await serveDocument({ paths: { '/parts': { post } } }, async (request: never) => {
    const { body } = request as { body: AsyncIterable<{ name: string; value?: unknown }> };
    for await (const { name, value } of body) seen.push([name, value]);
    return { status: 204 };
  });
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
  const send = async (bill: string): Promise<number> => {
    const parts = Object.entries({ card: '1', bill }).map(
      ([name, text]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    );
    return (await server.request('POST', '/parts', { headers, body: `${parts.join('')}--b--\r\n` })).status;
  };
  try {
    expect(await send('9007199254740993')).toBe(204);
    expect(seen).toEqual([
      ['card', '1'],
      ['bill', BIG],
    ]);
    expect(await send('x')).toBe(400);
  } finally {
    await server.close();
  }
});
