import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clientShapes } from 'openapi-exact-cli';
import { documentText, withFiles } from 'test-support/contract-files.ts';
import { createClient, type AnyFormats, type ContractShapes } from '../src/client.ts';
import { ContractError } from '../src/errors/diagnostic.ts';
import { contractMiddleware } from '../src/server/middleware.ts';
import { loadContract } from '../src/server/load-contract.ts';
import type { MiddlewareOptions } from '../src/server/options.ts';
import type { ResponseValue } from '../src/response/respond.ts';
import { serveContract, type Answer, type ContractServer } from './support/contract-server.ts';

/** A decimal that keeps its digits. */
class Decimal {
  readonly digits: string;

  constructor(text: string) {
    if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw new Error(`not a decimal: ${text}`);
    this.digits = text;
  }

  toString(): string {
    return this.digits;
  }
}

const FORMATS = {
  'date-time': { decode: (text: string) => new Date(text), encode: (date: Date) => date.toISOString() },
  decimal: { decode: (text: string) => new Decimal(text), encode: String },
  iban: { validate: (text: string) => /^DE\d{4}$/.test(text) },
} satisfies AnyFormats;

const AT = { type: 'string', format: 'date-time' };
const PRICE = { type: 'string', format: 'decimal' };
const AMOUNT = { type: 'number', format: 'decimal' };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const PLANT = {
  type: 'object',
  properties: {
    at: AT,
    price: PRICE,
    amount: AMOUNT,
    id: { type: 'integer', format: 'int64' },
    maybe: { type: ['string', 'null'], format: 'date-time' },
    preset: { ...AT, default: '2020-01-01T00:00:00Z' },
    list: { type: 'array', items: AT },
    tuple: { type: 'array', prefixItems: [AT, { type: 'string' }] },
    map: { type: 'object', additionalProperties: AT },
    all: { allOf: [{ type: 'object', properties: { at: AT } }, { properties: { at: { type: 'string' } } }] },
    child: ref('Plant'),
    event: {
      oneOf: [ref('Planted'), ref('Sold')],
      discriminator: {
        propertyName: 'kind',
        mapping: { planted: '#/components/schemas/Planted', sold: '#/components/schemas/Sold' },
      },
    },
    either: { anyOf: [AT, { type: 'string', maxLength: 3 }, { type: 'integer' }] },
    order: { oneOf: [PRICE, { type: 'object', properties: { price: PRICE } }] },
    iban: { type: 'string', format: 'iban' },
  },
};
const SCHEMAS = {
  Plant: PLANT,
  Planted: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, at: AT } },
  Sold: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, price: PRICE } },
};
const json = { 'application/json': { schema: ref('Plant') } };
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Formats', version: '1.0.0' },
  components: { schemas: SCHEMAS },
  paths: {
    '/plants/{at}': {
      post: {
        operationId: 'plant',
        parameters: [
          { name: 'at', in: 'path', required: true, schema: AT },
          { name: 'since', in: 'query', schema: { type: 'array', items: AT } },
          { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object', properties: { at: AT } } },
          { name: 'amount', in: 'query', schema: AMOUNT },
          { name: 'iban', in: 'query', schema: { type: 'string', format: 'iban' } },
          {
            name: 'json',
            in: 'query',
            content: { 'application/json': { schema: { type: 'object', properties: { amount: AMOUNT } } } },
          },
          { name: 'X-At', in: 'header', schema: AT },
          { name: 'session', in: 'cookie', schema: AT },
        ],
        requestBody: {
          content: {
            ...json,
            'application/x-www-form-urlencoded': { schema: { type: 'object', properties: { at: AT, amount: AMOUNT } } },
            'multipart/form-data': {
              schema: { type: 'object', properties: { at: AT, list: { type: 'array', items: AT } } },
            },
            'text/plain': { schema: AT },
          },
        },
        responses: {
          200: {
            description: 'The same.',
            headers: { 'Last-At': { schema: AT }, 'X-Amount': { schema: AMOUNT } },
            content: { ...json, 'text/plain': { schema: AT } },
          },
          204: { description: 'Seen.' },
        },
      },
    },
  },
};

const NOON = '2024-05-01T12:00:00.000Z';
let seen: Record<string, unknown> = {};
let answer: (request: Record<string, unknown>) => ResponseValue = () => ({ status: 204 });
let failures: unknown[] = [];
let shapes: ContractShapes;
let server: ContractServer;

async function serve(options: Partial<MiddlewareOptions>): Promise<ContractServer> {
  return withFiles({ 'openapi.yaml': documentText(DOCUMENT) }, async (file) => {
    const module = clientShapes(await loadContract(file), [
      { name: 'date-time', type: 'Date' },
      { name: 'decimal', type: 'Decimal' },
      { name: 'iban' },
    ]);
    shapes = JSON.parse(/ContractShapes = ([^]*);/.exec(module)?.[1] ?? '') as ContractShapes;
    const handler = async (request: Record<string, unknown>): Promise<ResponseValue> => {
      const parts: unknown[] = [];
      const { body } = request;
      if (String(request['contentType']).startsWith('multipart/')) {
        for await (const { name, value } of body as AsyncIterable<{ name: string; value: unknown }>)
          parts.push([name, value]);
      }
      seen = { ...request, parts };
      return answer(request);
    };
    const onError: MiddlewareOptions['onError'] = ({ error }) => void failures.push(error);
    return serveContract(file, handler, {}, { onError, ...options });
  });
}

beforeAll(async () => {
  server = await serve({ formats: FORMATS });
});
afterAll(() => server.close());

function post(path: string, init: Parameters<ContractServer['request']>[2]): Promise<Answer> {
  failures = [];
  return server.request('POST', path, init);
}
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('a value of a custom format', () => {
  test('is given in parameters of every location', async () => {
    answer = () => ({ status: 204 });
    const headers = { 'X-At': NOON, Cookie: `session=${encodeURIComponent(NOON)}` };
    const json = encodeURIComponent('{"amount":12345678901234567890.5}');
    const query = `since=${NOON}&since=${NOON}&filter[at]=${NOON}&amount=12345678901234567890.25&iban=DE1234&json=${json}`;
    const { status } = await post(`/plants/${NOON}?${query}`, { headers });
    expect(status).toBe(204);
    const date = new Date(NOON);
    expect(seen).toMatchObject({
      params: { at: date },
      query: {
        ...{
          since: [date, date],
          filter: { at: date },
          amount: new Decimal('12345678901234567890.25'),
          iban: 'DE1234',
        },
        json: { amount: new Decimal('12345678901234567890.5') },
      },
      headers: { 'X-At': date },
      cookies: { session: date },
    });
  });

  const BODY = {
    ...{ at: NOON, price: '1.50', id: 7, maybe: null, list: [NOON], tuple: [NOON, NOON], map: { a: NOON } },
    ...{ all: { at: NOON }, child: { child: { at: NOON } }, event: { kind: 'planted', at: NOON } },
    ...{ either: 'abc', order: { price: '2.50' }, iban: 'DE1234', preset: NOON },
  };
  const date = new Date(NOON);
  const VALUE = {
    ...{
      at: date,
      price: new Decimal('1.50'),
      id: 7n,
      maybe: null,
      list: [date],
      tuple: [date, NOON],
      map: { a: date },
    },
    ...{ all: { at: date }, child: { preset: new Date('2020-01-01T00:00:00Z') } },
    ...{ event: { kind: 'planted', at: date }, either: 'abc', order: { price: new Decimal('2.50') } },
    ...{ iban: 'DE1234', preset: date },
  };

  test('is given and taken at every place of a JSON body', async () => {
    answer = ({ body }) => ({
      ...{ status: 200, contentType: 'application/json', body },
      headers: { 'last-at': date, 'X-Amount': new Decimal('12345678901234567890.25') },
    });
    const amount = '12345678901234567890.25';
    const body = `{"amount":${amount},${JSON.stringify(BODY).slice(1)}`;
    const response = await post(`/plants/${NOON}`, { headers: JSON_TYPE, body });
    expect(failures).toEqual([]);
    expect(seen['body']).toMatchObject({ ...VALUE, amount: new Decimal(amount) });
    expect(response).toMatchObject({ status: 200, headers: { 'last-at': NOON, 'x-amount': amount } });
    expect(response.text).toContain(`"amount":${amount}`);
    const { child: _, ...rest } = BODY;
    expect(JSON.parse(response.text)).toMatchObject(rest);
  });

  test('is given in forms, parts and texts', async () => {
    answer = () => ({ status: 204 });
    const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: `at=${NOON}&amount=0.5` };
    expect((await post(`/plants/${NOON}`, form)).status).toBe(204);
    expect(seen['body']).toEqual({ at: date, amount: new Decimal('0.5') });
    const part = (name: string): string => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${NOON}\r\n`;
    const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const body = `${part('at')}${part('list')}${part('list')}--b--`;
    expect((await post(`/plants/${NOON}`, { headers: multipart, body })).status).toBe(204);
    expect(seen['parts']).toEqual([
      ['at', date],
      ['list', date],
      ['list', date],
    ]);
    answer = ({ body: text }) => ({ status: 200, contentType: 'text/plain', body: text });
    const text = await post(`/plants/${NOON}`, { headers: { 'Content-Type': 'text/plain' }, body: NOON });
    expect([text.status, text.text, seen['body']]).toEqual([200, NOON, date]);
  });

  test.each([
    ['an amount that a double holds', '{"amount":0.10}', { amount: new Decimal('0.1') }],
    ['a text of an alternative', `{"either":"${NOON}"}`, { either: date }],
    ['a number of another alternative', '{"either":5}', { either: 5 }],
    ['a default', '{}', { preset: new Date('2020-01-01T00:00:00Z') }],
  ])('is %s', async (_what, body, expected) => {
    answer = () => ({ status: 204 });
    expect((await post(`/plants/${NOON}`, { headers: JSON_TYPE, body })).status).toBe(204);
    expect(seen['body']).toMatchObject(expected);
  });

  test.each([
    ['a text that is not valid', '{"at":"now"}', '/at'],
    ['a text that cannot be decoded', '{"child":{"list":[],"price":"one"}}', '/child/price'],
    ['a valid text without a value', '{"at":"2016-12-31T23:59:60Z"}', '/at'],
    ['a text that the own rule refuses', '{"iban":"DE12"}', '/iban'],
  ])('refuses %s with its place', async (_what, body, pointer) => {
    const { status } = await post(`/plants/${NOON}`, { headers: JSON_TYPE, body });
    expect(status).toBe(400);
    expect(failures).toMatchObject([{ reason: 'invalidBody', faults: [{ in: 'body', pointer, keyword: 'format' }] }]);
  });

  test('names all texts that cannot be decoded', async () => {
    await post(`/plants/${NOON}?amount=1e5`, { headers: JSON_TYPE, body: '{"price":"a","child":{"price":"b"}}' });
    expect(failures).toMatchObject([{ faults: [{ pointer: '/price' }, { pointer: '/child/price' }] }]);
  });

  test.each([
    ['a text in place of the value', { at: NOON }, '/at'],
    ['a value that cannot be written', { list: [new Date(NaN)] }, '/list/0'],
    ['a value that is not of the format', { price: Object.create(null) as object }, '/price'],
  ])('is 500 for %s, with the place in the log alone', async (_what, body, place) => {
    answer = () => ({ status: 200, contentType: 'application/json', body });
    const response = await post(`/plants/${NOON}`, { headers: JSON_TYPE, body: '{}' });
    expect(response.status).toBe(500);
    expect(response.text).not.toMatch(/encode|at /);
    expect(failures).toMatchObject([{ name: 'InvalidResponseError', schemaPath: place }]);
  });

  test('is what the client gives and gets', async () => {
    answer = ({ body }) => ({ status: 200, contentType: 'application/json', body });
    const client = createClient({
      shapes,
      baseUrl: server.url,
      formats: FORMATS,
      retries: 0,
      timeout: 100_000,
      attemptTimeout: 100_000,
    }) as never as {
      POST: (path: string, options: object) => Promise<{ data: unknown }>;
    };
    const amount = new Decimal('12345678901234567890.25');
    const body = { ...VALUE, amount };
    const params = {
      path: { at: date },
      query: { since: [date], filter: { at: date }, amount, json: { amount } },
      header: { 'X-At': date },
    };
    const { data } = await client.POST('/plants/{at}', { params, body, contentType: 'application/json' });
    expect(data).toMatchObject(body);
    expect(seen).toMatchObject({ params: params.path, query: params.query, headers: params.header, body });
    const call = (value: object): Promise<unknown> =>
      client.POST('/plants/{at}', { params: { path: { at: date } }, body: value, contentType: 'application/json' });
    await expect(call({ child: { at: NOON } })).rejects.toThrow('body.child.at must match format "date-time"');
    await expect(call({ iban: 'DE12' })).rejects.toThrow('body.iban must match format "iban"');
    answer = () => ({ status: 200, contentType: 'application/json', body: {} });
  });
});

/** Starts a contract whose operation is `plant`. */
function start(options: Partial<MiddlewareOptions>, document: object = DOCUMENT): Promise<unknown> {
  return withFiles({ 'openapi.yaml': documentText(document) }, async (file) =>
    contractMiddleware({
      contract: await loadContract(file),
      handlers: { plant: () => ({ status: 204 }) },
      ...options,
    }),
  );
}

test('a format that no schema of the contract has stops the start, and a near one is named', async () => {
  const { decimal, iban } = FORMATS;
  const when = FORMATS['date-time'];
  await expect(start({ formats: { 'date-tme': when, decimal, iban } })).rejects.toMatchObject({
    name: 'ConfigurationError',
    message:
      "The option 'formats' has 'date-tme', a format that no schema of the contract has. Did you mean date-time?",
  });
  await expect(start({ formats: { colour: iban } })).rejects.toThrow('They have date-time, decimal, iban, int64.');
  await expect(start({ formats: { colour: undefined, iban } })).resolves.toBeDefined();
  const client = (formats: AnyFormats) => (): unknown => createClient({ shapes, formats, baseUrl: server.url });
  expect(client({ 'date-tme': when, decimal, iban })).toThrow("must decode and encode 'date-time'");
  expect(client({ 'date-time': when, decimal, ibn: iban })).toThrow("has 'ibn'");
  expect(client({ 'date-time': when, decimal, ibn: iban })).toThrow('name one of date-time, decimal, iban');
});

describe('a default', () => {
  const { decimal } = FORMATS;
  const none = { type: 'string', default: 'none' };
  const patterns = { '^n': ref('Loop'), t$: ref('Loop') };
  const LOOP = {
    allOf: [{ properties: { next: ref('Loop'), price: { default: '1.50' } } }, { patternProperties: patterns }],
  };
  const serve = (parameters: object[], schema: object = {}, formats: AnyFormats = { decimal }): Promise<unknown> =>
    start(
      { formats },
      {
        openapi: '3.1.0',
        info: { title: 'Defaults', version: '1.0.0' },
        components: { schemas: { Price: { ...PRICE, default: 'free' }, Loop: LOOP } },
        paths: {
          '/plants': {
            post: {
              operationId: 'plant',
              parameters,
              requestBody: { content: { 'application/json': { schema } } },
              responses: { 204: { description: 'Done.' } },
            },
          },
        },
      },
    );
  const inQuery = (schema: object): object[] => [{ name: 'price', in: 'query', schema }];
  const price = (schema: object): object => ({ type: 'object', properties: { price: schema } });

  test.each([
    ['of a parameter', () => serve(inQuery({ ...PRICE, default: 'none' })), 'parameters/0/schema/default'],
    ['behind a reference', () => serve(inQuery(ref('Price'))), 'schemas/Price/default'],
    ['of a property', () => serve([], price(ref('Price'))), 'schemas/Price/default'],
    ['of items', () => serve([], { type: 'array', items: price(ref('Price')) }), 'schemas/Price/default'],
    ['of a pattern', () => serve([], { patternProperties: { '^a': price(ref('Price')) } }), 'Price/default'],
    [
      'beside the format',
      () => serve([], { allOf: [{ properties: { in: price(PRICE) } }, { properties: { in: price(none) } }] }),
      'allOf/1/properties/in/properties/price/default',
    ],
    [
      'with the text in it',
      () => serve([], { properties: { in: { ...price(PRICE), default: { price: 'one' } } } }),
      '/properties/in/default',
    ],
  ])('%s that cannot be decoded stops the start with its place', async (_what, serving, place) => {
    const found = serving();
    await expect(found).rejects.toBeInstanceOf(ContractError);
    await expect(found).rejects.toMatchObject({ problems: [{ pointer: expect.stringContaining(place) }] });
    const reason =
      /(?:the default|\/price of the default) is nothing .* 'decimal' takes \(not a decimal: \w+\): give .*leave it out/;
    await expect(found).rejects.toThrow(reason);
  });

  test('stays where it can be decoded, is never filled in, or is no text of the format', async () => {
    const choice = { oneOf: [price(ref('Price')), { type: 'string' }] };
    await expect(serve(inQuery({ ...PRICE, default: '1.50' }), choice)).resolves.toBeDefined();
    await expect(serve(inQuery({ anyOf: [PRICE, none], default: 'none' }), ref('Loop'))).resolves.toBeDefined();
    await expect(serve(inQuery(ref('Price')), {}, {})).resolves.toBeDefined();
  });
});

test('a format that is generated and not decoded, or decoded and not generated, stops the start', async () => {
  const { decimal, iban } = FORMATS;
  await expect(start({ shapes, formats: { decimal, iban } })).rejects.toMatchObject({
    ...{ name: 'ConfigurationError', message: expect.stringContaining('--format date-time=Date') },
  });
  const { formats: _, ...without } = shapes;
  await expect(start({ shapes: without, formats: FORMATS })).rejects.toThrow('--format date-time=TYPE');
  await expect(start({ formats: { a: { decode: (text) => text } } })).rejects.toThrow("The format 'a' must have");
  await expect(start({ shapes, formats: FORMATS })).resolves.toBeDefined();
  const client = (table: ContractShapes, formats: AnyFormats) => (): unknown =>
    createClient({ shapes: table, formats, baseUrl: server.url });
  expect(client(shapes, { decimal })).toThrow('--format date-time=Date');
  expect(client(without, FORMATS)).toThrow('--format date-time=TYPE');
  expect(client(without, { iban })).toThrow('--format iban');
});
