import { expect, jest, test } from '@jest/globals';
import express from 'express';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { contractMiddleware, loadContract, type AnyFormats, type Handlers } from 'openapi-exact';
import { mockHandlers } from 'openapi-exact-cli';
import { HttpClient } from 'test-support/http-client.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';
import { Mock } from '../src/commands/mock.ts';
import { CommandFolder } from './support/command-folder.ts';
import { GOOD } from './support/todo-contract.ts';

const TODOS = `
openapi: 3.1.0
info: { title: Todos, version: '1' }
security: [{ key: [] }]
paths:
  /todos/{id}:
    get:
      operationId: getTodo
      parameters: [{ name: id, in: path, required: true, schema: { type: integer, format: int64 } }]
      responses:
        '200':
          description: The todo.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Todo' }
              examples:
                open: { value: { id: 9007199254740993, text: Water the ferns } }
                done: { value: { id: 2, text: Repot the palm } }
                wrong: { value: { id: two } }
        4XX:
          description: Refused.
          content:
            application/json:
              schema: { type: object, required: [message], properties: { message: { type: string } } }
              example: { message: No such todo. }
  /health:
    get:
      operationId: getHealth
      security: []
      responses:
        '200': { description: Up., content: { text/plain: { schema: { type: string }, example: all well } } }
components:
  schemas:
    Todo:
      type: object
      required: [id, text]
      properties: { id: { type: integer, format: int64, minimum: 2 }, text: { type: string, maxLength: 40 } }
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
`;

interface ServedMock {
  readonly mock: Mock;
  readonly file: string;
  readonly get: (target: string, headers?: Record<string, string>) => Promise<{ status: number; text: string }>;
}

async function withMock(contract: string, use: (served: ServedMock) => Promise<void>): Promise<void> {
  await inTemporaryFolder('mock', async (folder) => {
    const file = join(folder, 'openapi.yaml');
    await writeFile(file, contract);
    const mock = new Mock(file);
    await mock.load();
    const client = new HttpClient(Number(new URL(await mock.listen(0)).port));
    const get: ServedMock['get'] = async (target, headers = {}) => {
      const { status, text } = await client.request('GET', target, { headers });
      return { status, text };
    };
    try {
      await use({ mock, file, get });
    } finally {
      client.close();
      mock.server.close();
    }
  });
}

const KEY = { 'X-Key': 'any' };

test('an operation answers with its first example, exactly, and without example with a generated value', async () => {
  await withMock(TODOS, async ({ get }) => {
    const open = { status: 200, text: '{"id":9007199254740993,"text":"Water the ferns"}' };
    expect(await get('/todos/1', KEY)).toEqual(open);
    expect(await get('/health')).toEqual({ status: 200, text: 'all well' });
    const generated = await get('/todos/1', { ...KEY, Prefer: 'dynamic=true' });
    expect(generated).toEqual({ status: 200, text: expect.stringMatching(/^\{"id":\d+,"text":"/) });
    expect(generated).not.toEqual(open);
  });
});

test('a mock of OpenAPI 3.2 sends the data of examples, and the text that they have', async () => {
  const contract = `
openapi: 3.2.0
info: { title: Examples, version: '1' }
paths:
  /json:
    get:
      responses:
        '200':
          summary: Data.
          content:
            application/json:
              schema: { type: object, properties: { id: { type: integer, format: int64 } } }
              examples: { big: { dataValue: { id: 9007199254740993 } }, text: { serializedValue: '{ "id": 2 }' } }
  /csv:
    get:
      responses:
        '200':
          summary: Text.
          content:
            text/csv:
              schema: { type: array, items: { type: string } }
              examples: { rows: { dataValue: [a, b], serializedValue: "a\\nb" } }
`;
  await withMock(contract, async ({ get }) => {
    expect(await get('/json')).toEqual({ status: 200, text: '{"id":9007199254740993}' });
    expect(await get('/json', { Prefer: 'example=text' })).toEqual({ status: 200, text: '{"id":2}' });
    expect(await get('/csv')).toEqual({ status: 200, text: 'a\nb' });
  });
});

test('Prefer chooses a status and an example, and what the contract does not have is 400', async () => {
  await withMock(TODOS, async ({ get }) => {
    const preferring = (preference: string): ReturnType<typeof get> => get('/todos/1', { ...KEY, Prefer: preference });
    expect(await preferring('code=404')).toEqual({ status: 404, text: '{"message":"No such todo."}' });
    expect(await preferring('respond-async, example="done"')).toEqual({
      status: 200,
      text: '{"id":2,"text":"Repot the palm"}',
    });
    for (const refused of [
      'code=503',
      'code=999',
      'code=abc',
      'example=none',
      'example=wrong',
      'code=200; example=no',
    ]) {
      expect(await preferring(refused)).toMatchObject({ status: 400 });
    }
  });
});

test('a request is refused as in production: wrong parameters, no credentials, no such path', async () => {
  await withMock(TODOS, async ({ get }) => {
    expect(await get('/todos/one', KEY)).toMatchObject({ status: 400 });
    expect(await get('/todos/1')).toMatchObject({ status: 401 });
    expect(await get('/plants', KEY)).toMatchObject({ status: 404 });
    expect(await get('/docs')).toMatchObject({ status: 200, text: expect.stringContaining('<!doctype html>') });
  });
});

test('an edited contract is served after it is read again, and a broken one leaves the last good one', async () => {
  const told = jest.spyOn(console, 'error').mockReturnValue();
  await withMock(TODOS, async ({ mock, file, get }) => {
    await writeFile(file, TODOS.replace('all well', 'all green'));
    await mock.load();
    expect(await get('/health')).toEqual({ status: 200, text: 'all green' });
    for (const broken of ['openapi: [', TODOS.replace('type: apiKey', 'type: none')]) {
      await writeFile(file, broken);
      expect(await mock.load()).toEqual([file]);
      expect(await get('/health')).toEqual({ status: 200, text: 'all green' });
    }
  });
  expect(told).toHaveBeenCalledTimes(2);
  told.mockRestore();
});

test('there is no mock of a contract that cannot be served', async () => {
  await inTemporaryFolder('mock', async (folder) => {
    const file = join(folder, 'openapi.yaml');
    await writeFile(file, 'openapi: [');
    await expect(new Mock(file).load()).rejects.toThrow();
  });
});

/** The part of the generated types that these tests need. */
interface NoParameters {
  query?: never;
  header?: never;
  path?: never;
  cookie?: never;
}
interface Answer<Content> {
  headers: Record<string, unknown>;
  content: Content;
}
type OfId = Omit<NoParameters, 'path'> & { path: { id: bigint } };

test('mockHandlers fills the operations that have no handler yet', async () => {
  interface operations {
    getTodo: {
      parameters: OfId;
      requestBody?: never;
      responses: { 200: Answer<{ 'application/json': { id: bigint; text: string } }> };
    };
    getHealth: {
      parameters: NoParameters;
      requestBody?: never;
      responses: { 200: Answer<{ 'text/plain': string }> };
    };
  }
  const contract = await loadContract({ text: TODOS.replace('[{ key: [] }]', '[]') });
  const handlers: Handlers<operations> = {
    ...mockHandlers<operations>(contract),
    getTodo: () => ({ status: 200, body: { id: 7n, text: 'Own' } }),
  };
  const verifiers = { key: () => undefined };
  const server = express()
    .use(await contractMiddleware({ contract, handlers, verifiers }))
    .listen(0);
  const { port } = server.address() as { port: number };
  const client = new HttpClient(port);
  expect(await client.request('GET', '/todos/1')).toMatchObject({ status: 200, text: '{"id":7,"text":"Own"}' });
  expect(await client.request('GET', '/health')).toMatchObject({ status: 200, text: 'all well' });
  client.close();
  server.close();
});

const PLANTS = `
openapi: 3.1.0
info: { title: Plants, version: '1' }
paths:
  /plants/{id}:
    get:
      operationId: getPlant
      parameters: [{ name: id, in: path, required: true, schema: { type: integer, format: int64 } }]
      responses:
        '200':
          description: The plant.
          headers:
            Planted: { required: true, schema: { $ref: '#/components/schemas/At' } }
            Prices: { required: true, schema: { type: array, items: { $ref: '#/components/schemas/Price' } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Plant' } } }
  /example:
    get:
      operationId: getExample
      responses:
        '200':
          description: Its second example can be decoded.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Account' }
              examples:
                foreign: { value: { iban: FR76 } }
                own: { value: { iban: DE89 } }
  /account:
    get:
      operationId: getAccount
      responses: { '200': { description: No example., content: { application/json: { schema: { $ref: '#/components/schemas/Account' } } } } }
  /at:
    get:
      operationId: getTime
      responses: { '200': { description: A text., content: { text/plain: { schema: { $ref: '#/components/schemas/At' } } } } }
  /days:
    get:
      operationId: getDays
      responses:
        '200': { description: Lines., content: { application/jsonl: { x-itemSchema: { $ref: '#/components/schemas/Plant' } } } }
components:
  schemas:
    At: { type: string, format: date-time, examples: ['2024-05-01T12:00:00.000Z'] }
    Price: { type: string, format: decimal }
    Account: { type: object, required: [iban], properties: { iban: { type: string, format: iban } } }
    Plant:
      type: object
      required: [at, price, amount, history, either]
      properties:
        at: { $ref: '#/components/schemas/At' }
        price: { $ref: '#/components/schemas/Price' }
        amount: { type: number, format: decimal }
        history: { type: array, items: { $ref: '#/components/schemas/At' } }
        either: { anyOf: [{ type: integer }, { $ref: '#/components/schemas/At' }] }
        id: { type: integer, format: int64 }
`;

/** A decimal, which refuses other texts. */
class Decimal {
  readonly digits: string;

  constructor(text: string) {
    if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw new Error('no decimal');
    this.digits = text;
  }
}

const FORMATS = {
  'date-time': { decode: (text: string) => new Date(text), encode: (date: Date) => date.toISOString() },
  decimal: { decode: (text: string) => new Decimal(text), encode: (decimal: Decimal) => decimal.digits },
  iban: { validate: (text: string) => /^DE\d\d$/.test(text) },
} satisfies AnyFormats;

test('mockHandlers return the values of the formats of one’s own, which the server encodes', async () => {
  const contract = await loadContract({ text: PLANTS });
  interface operations {
    getPlant: {
      parameters: OfId;
      requestBody?: never;
      responses: { 200: Answer<{ 'application/json': { at: Date; price: Decimal; history: Date[] } }> };
    };
  }
  const handlers = mockHandlers<operations>(contract, { formats: FORMATS });
  const onError = (): void => undefined;
  const server = express()
    .use(await contractMiddleware({ contract, handlers, formats: FORMATS, onError }))
    .listen(0);
  const { port } = server.address() as { port: number };
  const client = new HttpClient(port);
  const plant = await client.request('GET', '/plants/1');
  expect(plant).toMatchObject({ status: 200, text: expect.stringContaining('"price":"12.50"') });
  expect(plant.headers).toMatchObject({
    planted: expect.stringMatching(/^2024.*Z$/),
    prices: expect.stringMatching(/^\d+\.50,/),
  });
  expect(await client.request('GET', '/example')).toMatchObject({ status: 200, text: '{"iban":"DE89"}' });
  expect(await client.request('GET', '/account')).toMatchObject({ status: 501 });
  expect(await client.request('GET', '/at')).toMatchObject({ status: 200, text: expect.stringMatching(/^2024.*Z$/) });
  expect(await client.request('GET', '/days')).toMatchObject({
    status: 200,
    text: expect.stringContaining('"price":"12.50"'),
  });
  client.close();
  server.close();
  const value = await handlers.getPlant({ params: { id: 1n } } as never);
  expect(value).toMatchObject({
    body: { at: expect.any(Date), price: new Decimal('12.50'), history: [expect.any(Date), expect.any(Date)] },
  });
});

const cli = new CommandFolder();

test('the command follows edits of its contract, and serves the last good one while it is broken', async () => {
  const text = (word: string): string =>
    GOOD.replace('{ type: integer }', `{ const: ${word} }`).replace('[{ bearerAuth: [] }]', '[]');
  await cli.write('openapi.yaml', text('rose'));
  const running = cli.start('mock', 'openapi.yaml', '--port', '0');
  const [, url = ''] = await running.until(/Serving openapi\.yaml on (\S+),/);
  const served = async (): Promise<unknown> => (await fetch(`${url}/todos/1`)).json();
  const servedIn = async (word: string): Promise<void> => {
    while (JSON.stringify(await served()) !== `{"id":"${word}"}`) await pause(20);
  };
  await servedIn('rose');
  await cli.write('openapi.yaml', text('fern'));
  await servedIn('fern');
  await cli.write('openapi.yaml', 'openapi: [');
  while (!running.errors().includes('The last contract that could be served is served on.')) await pause(20);
  expect(await served()).toEqual({ id: 'fern' });
  await cli.write('openapi.yaml', text('palm'));
  await servedIn('palm');
  running.child.kill();
  await running.ended;
});
