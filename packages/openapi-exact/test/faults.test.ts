import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HttpClient } from 'test-support/http-client.ts';
import { documentText } from 'test-support/contract-files.ts';
import type { Listening } from 'test-support/listen.ts';
import { RequestError, type RequestFault } from '../src/index.ts';
import { loadContract } from '../src/server/load-contract.ts';
import { anyCharacter } from './support/any-character.ts';
import { serveMiddleware } from './support/serve-middleware.ts';

const text = (more: object = {}): object => ({ type: 'string', ...more });
const plant = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: text({ minLength: 2, pattern: '^[a-zA-Z]*$' }),
    id: { type: 'integer', format: 'int64', minimum: 0 },
    size: { type: 'integer', maximum: 9, multipleOf: 2 },
    small: { type: 'integer', format: 'int32' },
    day: text({ format: 'date' }),
    kind: { const: 'rose' },
    mood: { enum: ['calm', 'wild'] },
    tags: { type: 'array', maxItems: 2, uniqueItems: true, items: text() },
    'a/b~c': { type: 'object', properties: { '': { type: 'boolean' } } },
    owner: { oneOf: [text(), { type: 'object', required: ['email'] }] },
    created: text({ readOnly: true }),
    password: text({ format: 'password', minLength: 8 }),
    labels: { type: 'object', propertyNames: { pattern: '^[a-z]+$' } },
    figure: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
  },
};
const file = text({ format: 'binary' });
const problem = (properties: object, more: object = {}): object => ({
  description: 'Invalid.',
  content: { 'application/problem+json': { schema: { type: 'object', properties, ...more } } },
});
const PROBLEM = { title: text(), status: { type: 'integer' }, detail: text(), reason: text() };
const form = { 'application/x-www-form-urlencoded': { schema: plant } };
const multipart = { 'multipart/form-data': { schema: { ...plant, properties: { ...plant.properties, file } } } };
const content = { 'application/json': { schema: plant }, ...form, ...multipart };
const requestBody = { required: true, content };
const parameters = [
  { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 99 } },
  { name: 'ids', in: 'query', schema: { type: 'array', items: { type: 'integer' } } },
  { name: 'sort', in: 'query', required: true, schema: text({ enum: ['up', 'down'] }) },
  {
    name: 'filter',
    in: 'query',
    style: 'deepObject',
    schema: { type: 'object', properties: { 'a/b': text({ maxLength: 1 }) } },
  },
  { name: 'X-Count', in: 'header', schema: { type: 'integer' } },
  { name: 'session', in: 'cookie', schema: text({ maxLength: 3 }) },
];
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const done = { 204: { description: 'Done.' } };
const errors = (properties: object): object => ({
  errors: { type: 'array', items: { type: 'object', additionalProperties: false, properties } },
});
const operation = (operationId: string, more: object = {}): object => ({
  post: { operationId, requestBody, responses: { ...done, ...more } },
});
const contract = await loadContract({
  text: documentText({
    paths: {
      '/plants/{id}': { parameters: [id], post: { operationId: 'post', parameters, requestBody, responses: done } },
      '/undeclared': operation('undeclared'),
      '/open': operation('open', { 400: problem(PROBLEM) }),
      '/closed': operation('closed', { 400: problem(PROBLEM, { additionalProperties: false }) }),
      '/placed': operation('placed', { 400: problem({ ...PROBLEM, ...errors({ detail: text(), pointer: text() }) }) }),
    },
  }),
});
const handlers = Object.fromEntries(contract.operations.map(({ id: name }) => [name, () => ({ status: 204 })]));

let [server, bare]: (Listening | undefined)[] = [];
beforeAll(async () => {
  server = await serveMiddleware({
    contract,
    handlers,
    errorBody: ({ faults }, mediaTypes) =>
      mediaTypes.length === 0 ? { contentType: 'application/json', body: faults } : undefined,
  });
  bare = await serveMiddleware({ contract, handlers, errorBody: undefined });
});
afterAll(async () => {
  await server?.close();
  await bare?.close();
});

interface Sent {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** The answer to a request, whose body is parsed. */
async function answerOf(
  to: Listening | undefined,
  { path = '/plants/1?sort=up', headers = {}, body = '{"name":"Rose"}' }: Sent,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const client = new HttpClient(to?.port ?? 0);
  const { status, text: answer } = await client.request('POST', path, {
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  client.close();
  return { status, body: JSON.parse(answer) };
}

async function faultsOf(sent: Sent): Promise<readonly RequestFault[]> {
  const { body } = await answerOf(server, sent);
  return body as readonly RequestFault[];
}

/** The faults as texts: `body /name required`. */
const brief = (faults: readonly RequestFault[]): readonly string[] =>
  faults.map(({ in: place, pointer, keyword }) => `${place} ${pointer} ${keyword}`);

test.each<[body: string, fault: string]>([
  ['{}', 'body /name required'],
  ['{"name":"R"}', 'body /name minLength'],
  ['{"name":"R2"}', 'body /name pattern'],
  ['{"name":1}', 'body /name type'],
  ['{"name":"Rose","x":1}', 'body /x additionalProperties'],
  ['{"name":"Rose","id":-1}', 'body /id minimum'],
  ['{"name":"Rose","id":9223372036854775808}', 'body /id format'],
  ['{"name":"Rose","id":-9223372036854775809}', 'body /id minimum'],
  ['{"name":"Rose","id":1.5}', 'body /id type'],
  ['{"name":"Rose","size":10}', 'body /size maximum'],
  ['{"name":"Rose","size":3}', 'body /size multipleOf'],
  ['{"name":"Rose","small":2147483648}', 'body /small format'],
  ['{"name":"Rose","size":-90071992547409920}', 'body /size type'],
  ['{"name":"Rose","day":"x"}', 'body /day format'],
  ['{"name":"Rose","kind":"tulip"}', 'body /kind const'],
  ['{"name":"Rose","mood":"sad"}', 'body /mood enum'],
  ['{"name":"Rose","tags":["a","b","c"]}', 'body /tags maxItems'],
  ['{"name":"Rose","tags":["a","a"]}', 'body /tags uniqueItems'],
  ['{"name":"Rose","tags":["a",1]}', 'body /tags/1 type'],
  ['{"name":"Rose","a/b~c":{"":1}}', 'body /a~1b~0c/ type'],
  ['{"name":"Rose","created":"now"}', 'body /created readOnly'],
  ['{"name":"Rose","labels":{"A":1}}', 'body /labels propertyNames'],
  ['{"name":"Rose","":1}', 'body / additionalProperties'],
  ['[]', 'body  type'],
  ['', 'body  required'],
  ['{', 'body  contentMediaType'],
])('the fault of the body %s is %s', async (body, fault) => {
  expect(brief(await faultsOf({ body }))).toEqual([fault]);
});

test.each<[path: string, headers: Record<string, string>, fault: string]>([
  ['/plants/x?sort=up', {}, 'path id type'],
  ['/plants/1', {}, 'query sort required'],
  ['/plants/1?sort=x', {}, 'query sort enum'],
  ['/plants/1?sort=up&sort=up', {}, 'query sort type'],
  ['/plants/1?sort=up&page=0', {}, 'query page minimum'],
  ['/plants/1?sort=up&page=100', {}, 'query page maximum'],
  ['/plants/1?sort=up&page=01', {}, 'query page type'],
  ['/plants/1?sort=up&ids=1&ids=x', {}, 'query ids/1 type'],
  ['/plants/1?sort=up&filter[a/b]=xy', {}, 'query filter/a~1b maxLength'],
  ['/plants/1?sort=up&a/b=1', {}, 'query a/b additionalProperties'],
  ['/plants/1?sort=up', { 'X-Count': 'x' }, 'header X-Count type'],
  ['/plants/1?sort=up', { Cookie: 'session=abcd' }, 'cookie session maxLength'],
])('the fault of %s with %j is %s', async (path, headers, fault) => {
  expect(brief(await faultsOf({ path, headers }))).toEqual([fault]);
});

test('the faults of all locations are named together', async () => {
  const headers = { 'X-Count': 'x', Cookie: 'session=a; session=b' };
  expect(brief(await faultsOf({ path: '/plants/x?sort=up&sort=up', headers }))).toEqual([
    'path id type',
    'query sort type',
    'header X-Count type',
    'cookie session type',
  ]);
});

test('a fault below an alternative names the place and the keyword there', async () => {
  expect(brief(await faultsOf({ body: '{"name":"Rose","owner":{}}' }))).toEqual(['body /owner/email required']);
});

test('the message of each fault is a sentence, and the message of the error is all of them', async () => {
  const body = '{"name":1,"size":"x","kind":"tulip"}';
  const faults = await faultsOf({ body });
  expect(faults).toEqual([
    expect.objectContaining({ in: 'body', keyword: 'type' }),
    expect.objectContaining({ in: 'body' }),
    expect.objectContaining({ in: 'body' }),
  ]);
  const { body: answered } = await answerOf(bare, { path: '/undeclared', body });
  expect(answered).toMatchObject({ detail: faults.map(({ message }) => message).join(' ') });
});

test('at most five faults are named, of parameters and bodies together', async () => {
  const body = '{"name":1,"size":"x","kind":"tulip","mood":1,"tags":1,"day":1,"id":"x"}';
  expect(await faultsOf({ body, path: '/plants/1?sort=x' })).toHaveLength(5);
});

test('no fault shows a secret', async () => {
  const headers = { Cookie: 'session=hunter2hunter2' };
  const told = JSON.stringify([
    await faultsOf({ headers }),
    await faultsOf({ body: '{"name":"Rose","password":"hunter2"}' }),
  ]);
  expect(told).toContain('"pointer":"/password"');
  expect(told).toContain('"pointer":"session"');
  expect(told).not.toContain('hunter2');
});

test('a form and a multipart body have faults at the places of their objects', async () => {
  const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect(brief(await faultsOf({ headers: urlencoded, body: 'name=Rose&size=x' }))).toEqual(['body /size type']);
  expect(brief(await faultsOf({ headers: urlencoded, body: 'name=Rose&a/b~c=x' }))).toEqual([
    'body /a~1b~0c contentMediaType',
  ]);
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
  const parts = (...fields: [string, string][]): string =>
    `${fields.map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--b--`;
  expect(brief(await faultsOf({ headers, body: parts(['name', 'R']) }))).toEqual(['body /name minLength']);
  expect(brief(await faultsOf({ headers, body: parts(['name', 'Rose'], ['size', 'x']) }))).toEqual(['body /size type']);
  expect(brief(await faultsOf({ headers, body: parts(['a/b', '1']) }))).toEqual(['body /a~1b additionalProperties']);
});

test.each<[body: string, line: number, column: number]>([
  ['{"name":"Rose",}', 1, 16],
  ['{\n  "name": "Rose"\n  "size": 1\n}', 3, 3],
  ['{\n  "name": "Rose",\n  "name": "Rose"\n}', 3, 3],
  ['{"name":\n', 2, 1],
  ['{"name": "Ro\nse"}', 1, 10],
  ['{"name": tru}', 1, 10],
  ['{"name" "Rose"}', 1, 9],
  ['{} {}', 1, 4],
])('the malformed JSON %j is refused with its line and column', async (body, line, column) => {
  const message = expect.stringContaining(`line ${line}, column ${column}.`);
  expect(await faultsOf({ body })).toEqual([{ in: 'body', pointer: '', keyword: 'contentMediaType', message }]);
});

test('the pointer of a fault leads to the value, whatever its keys are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: anyCharacter, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      async (keys) => {
        if (keys.includes('__proto__')) return;
        const inner = keys.reduceRight<unknown>((value, key) => Object.fromEntries([[key, value]]), 1);
        const faults = await faultsOf({ body: JSON.stringify({ name: 'Rose', labels: inner, figure: 'x' }) });
        expect(faults).toContainEqual(expect.objectContaining({ in: 'body', pointer: '/figure' }));
        const undeclared = await faultsOf({ body: JSON.stringify({ name: 'Rose', [`x${keys.join('')}`]: 1 }) });
        const pointer = `/x${keys.join('').replaceAll('~', '~0').replaceAll('/', '~1')}`;
        expect(undeclared).toEqual([expect.objectContaining({ pointer, keyword: 'additionalProperties' })]);
      },
    ),
    { numRuns: 50, examples: [[['\u0000']], [['constructor', '\u0000']]] },
  );
});

const detail = expect.stringContaining(' /name ');
const told = { title: 'Bad Request', status: 400, detail, reason: 'invalidBody' };
test.each<[path: string, body: object]>([
  ['/undeclared', { ...told, errors: [{ detail, in: 'body', pointer: '/name' }] }],
  ['/open', { ...told, errors: [{ detail, in: 'body', pointer: '/name' }] }],
  ['/placed', { ...told, errors: [{ detail, pointer: '/name' }] }],
  ['/closed', told],
])('the problem details of %s have what the contract allows of the faults', async (path, body) => {
  expect(await answerOf(bare, { path, body: '{"name":1}' })).toEqual({ status: 400, body });
});

test('onError may answer an invalid body with 422 and the same faults', async () => {
  const own = await serveMiddleware({
    contract,
    handlers,
    errorBody: undefined,
    onError: ({ refusal: { reason, message, faults } }) =>
      reason === 'invalidBody' ? new RequestError(reason, message, { status: 422, faults }) : undefined,
  });
  const errors = [{ detail, in: 'body', pointer: '/name' }];
  const unprocessable = { ...told, title: 'Unprocessable Entity', status: 422, errors };
  expect(await answerOf(own, { path: '/open', body: '{"name":1}' })).toEqual({ status: 422, body: unprocessable });
  expect(await answerOf(own, { path: '/open', body: '{' })).toMatchObject({ status: 400 });
  await own.close();
});

test('errorBody gets a fault of each invalid request, also at the start', async () => {
  const own = await serveMiddleware({
    contract,
    handlers,
    errorBody: ({ reason, faults }, mediaTypes) =>
      reason === 'invalidBody' && mediaTypes.length > 0
        ? { contentType: 'application/problem+json', body: { title: faults[0]?.pointer.slice(1) } }
        : undefined,
  });
  expect(await answerOf(own, { path: '/open', body: '{"name":1}' })).toEqual({ status: 400, body: { title: 'name' } });
  await own.close();
});

test('a RequestError has no faults where none are given', () => {
  expect(new RequestError('invalidBody', 'No.').faults).toEqual([]);
  expect(new RequestError('invalidBody', 'No.', { faults: undefined }).faults).toEqual([]);
});
