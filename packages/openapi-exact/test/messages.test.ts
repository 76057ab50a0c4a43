import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { messageOf } from '../src/errors/errors.ts';
import { serveContract, type ContractServer } from './support/contract-server.ts';
import { withFiles } from 'test-support/contract-files.ts';
import { serveDocument } from './support/inline-contract.ts';

const figure = (kind: string, more: object): object => ({
  type: 'object',
  required: ['kind', ...Object.keys(more)],
  properties: { kind: { const: kind }, ...more },
});

const properties = {
  name: { type: 'string', maxLength: 4, minLength: 2 },
  tags: { type: 'array', maxItems: 4, uniqueItems: true, items: { type: 'string' } },
  mood: { enum: [null, '', 'calm'] },
  blank: { enum: [''] },
  ratio: { type: 'number', format: 'float' },
  day: { type: ['string', 'null'] },
  own: { type: 'object' },
  count: { type: 'integer' },
  kind: { const: 'rose' },
  origin: { const: { at: null } },
  password: { type: 'string', minLength: 8 },
  phrase: { type: 'string', minLength: 8, format: 'password' },
  hint: { type: 'string', minLength: 8, writeOnly: true },
  initial: { type: 'string', minLength: 1 },
  owner: {
    oneOf: [
      { type: 'object', required: ['email'] },
      { type: 'object', required: ['member'], properties: { member: { type: 'boolean' } } },
    ],
  },
  far: { type: 'integer', format: 'int64', minimum: 0, exclusiveMaximum: 9223372036854775000 },
  size: { type: 'number' },
  pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], items: false },
  code: { type: 'string', maxLength: 3, pattern: '^[a-z]+$' },
  labels: { type: 'object', propertyNames: { pattern: '^[a-z]+$' } },
  levels: { type: 'object', propertyNames: { not: { enum: ['all'] } } },
  flags: { type: 'object', propertyNames: { enum: ['a', 'b'] } },
  figure: {
    oneOf: [
      figure('square', { side: { type: 'object', properties: { length: { type: 'number' } } } }),
      figure('circle', { radius: { type: 'number' } }),
    ],
  },
  pick: {
    oneOf: [
      { type: 'object', required: ['a'] },
      { type: 'object', required: ['b'] },
    ],
  },
};
const schema = { type: 'object', required: ['name'], additionalProperties: false, properties };

const COUNTRIES = Array.from({ length: 125 }, (_, index) => `c${index}`);

const STEPS = [1, 2, 3, 4, 5, 6, 7].map((only) => ({ type: 'integer', const: only }));

let server: ContractServer;
beforeAll(async () => {
  const responses = { 204: { description: 'Done.' } };
  const parameters = [
    { name: 'at', in: 'query', required: true, schema: { type: 'integer', minimum: 1 } },
    { name: 'mood', in: 'query', schema: { type: 'string', enum: ['calm', 'wild'] } },
    { name: 'country', in: 'query', schema: { type: 'string', enum: COUNTRIES } },
    { name: 'step', in: 'query', schema: { oneOf: STEPS } },
    { name: 'X-Count', in: 'header', schema: { type: 'integer' } },
    { name: 'X-Mood', in: 'header', schema: { type: 'string', enum: ['calm'] } },
  ];
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  const post = { parameters, requestBody, responses };
  server = await serveDocument({ paths: { '/a': { post } } }, () => ({ status: 204 }));
});
afterAll(() => server.close());

async function messageFor(query: string, body: string, more: Record<string, string> = {}): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json', ...more };
  const { text } = await server.request('POST', `/a?${query}`, { headers, body });
  return JSON.parse(text) as unknown;
}

test.each([
  ['', 'must be given'],
  ['at=01', `must be a decimal integer between 1 and 9007199254740991, such as 12, without leading zeros, not '01'`],
  ['at=0', `must be a decimal integer between 1 and 9007199254740991, such as 12, not '0'`],
])('the message for the query "%s" says what the parameter must be', async (query, requirement) => {
  const message = `Query parameter 'at' ${requirement}.`;
  expect(await messageFor(query, '{"name":"Rose"}')).toEqual({ reason: 'invalidParameter', message });
});

test('the message for a parameter lists its values, of many the first', async () => {
  const message = `Query parameter 'mood' must be one of calm, wild, not 'sad'.`;
  expect(await messageFor('at=1&mood=sad', '{"name":"Rose"}')).toEqual({ reason: 'invalidParameter', message });
  const some = `${COUNTRIES.slice(0, 20).join(', ')}, or 105 others`;
  expect(await messageFor('at=1&country=x', '{"name":"Rose"}')).toEqual({
    reason: 'invalidParameter',
    message: `Query parameter 'country' must be one of ${some}, not 'x'.`,
  });
});

test('the message for a parameter with many alternatives names the first', async () => {
  const some = 'must be 1 or must be 2 or must be 3 or must be 4 or must be 5, or meet one of 2 other requirements';
  expect(await messageFor('at=1&step=x', '{"name":"Rose"}')).toEqual({
    reason: 'invalidParameter',
    message: `Query parameter 'step' ${some}, not 'x'.`,
  });
});

test.each([
  ['X-Count', 'one', 'must be a decimal integer between -9007199254740991 and 9007199254740991, such as 12'],
  ['X-Mood', 'wild', 'must be calm'],
])('the message for the header %s does not show its value', async (name, value, requirement) => {
  const message = `Header '${name}' ${requirement}.`;
  expect(await messageFor('at=1', '{"name":"Rose"}', { [name]: value })).toEqual({
    reason: 'invalidParameter',
    message,
  });
});

test('a message names up to five faults of parameters', async () => {
  const integer = 'must be a decimal integer between';
  const message = [
    `The query parameter 'other' is not in the contract: leave it out.`,
    `Query parameter 'at' ${integer} 1 and 9007199254740991, such as 12, not 'x'.`,
    `Header 'X-Count' ${integer} -9007199254740991 and 9007199254740991, such as 12.`,
  ].join(' ');
  expect(await messageFor('at=x&other=1', '{"name":"Rose"}', { 'X-Count': 'one' })).toEqual({
    reason: 'unknownQueryParameter',
    message,
  });
});

test('a message names up to five faults of a request, one for each choice', async () => {
  const body = { name: 1, tags: 'a', kind: 'tulip', day: 1, ratio: 'x', own: [], pick: {} };
  const { message } = (await messageFor('at=1&mood=sad', JSON.stringify(body))) as { message: string };
  expect(message.split(/(?<=\.) /).toSorted()).toEqual([
    `Query parameter 'mood' must be one of calm, wild, not 'sad'.`,
    `The request body's /day must be a string or null, not 1.`,
    `The request body's /kind must be rose, not 'tulip'.`,
    `The request body's /name must be a string, not 1.`,
    `The request body's /ratio must be a number, not 'x'.`,
  ]);
  const few = await messageFor('at=1', '{"pick":{},"own":[],"code":"abcd"}');
  expect(few).toEqual({
    reason: 'invalidBody',
    message: `The request body's /name must be given. The request body's /code must have at most 3 characters, not 'abcd'. The request body's /own must be an object. The request body's /pick/a must be given.`,
  });
});

test('of a large request the message names the first fault', async () => {
  const tags = Array.from({ length: 2_000 }, (_, index) => String(index));
  const { message } = (await messageFor('at=1', JSON.stringify({ name: 1, day: 1, tags }))) as { message: string };
  expect(message.match(/The request body/g)).toHaveLength(1);
});

test.each([
  ['{}', `'s /name must be given`],
  ['{"name":"R"}', `'s /name must have at least 2 characters, not 'R'`],
  ['{"name":"Rose","initial":""}', `'s /initial must have at least 1 character, not ''`],
  ['{"name":"Roses"}', `'s /name must have at most 4 characters, not 'Roses'`],
  ['{"name":"Rose","owner":{"member":1}}', `'s /owner/member must be a boolean, not 1`],
  ['{"name":1}', `'s /name must be a string, not 1`],
  ['{"name":"Rose","labels":{"Ab":1}}', `'s /labels must have only keys that match pattern "^[a-z]+$"`],
  ['{"name":"Rose","flags":{"c":1}}', `'s /flags must have only keys that are one of a, b`],
  ['{"name":"Rose","levels":{"all":1}}', `'s /levels must have only keys that do not match what the contract excludes`],
  ['{"name":"Rose","figure":{"kind":"circle","radius":"1"}}', `'s /figure/radius must be a number, not '1'`],
  ['{"name":"Rose","figure":{"kind":"circle","side":{"length":"1"}}}', `'s /figure/radius must be given`],
  ['{"name":"Rose","figure":{"kind":"line"}}', `'s /figure/kind must be one of square, circle, not 'line'`],
  ['{"name":"Rose","x":1}', `'s /x is not in the contract: leave it out`],
  ['{"name":"Rose","":1}', `'s /'' (the empty key) is not in the contract: leave it out`],
  ['{"name":"Rose","tags":["a","b","c","d","e"]}', `'s /tags must have at most 4 items`],
  ['{"name":"Rose","tags":["a","b","a"]}', `'s /tags must not have equal items, as 0 and 2`],
  ['{"name":"Rose","pair":["a",true,1]}', `'s /pair must have at most 2 items`],
  [
    '{"name":"Rose","far":-1}',
    `'s /far must be a decimal integer of at least 0 and below 9223372036854775000, such as 12, not -1`,
  ],
  ['{"name":"Rose","size":1e400}', `'s /size must be a number that a double holds, not 1e400`],
  ['{"name":"Rose","pair":["a",1]}', `'s /pair/1 must be a boolean, not 1`],
  ['{"name":"Rose","blank":"x"}', `'s /blank must be "", not 'x'`],
  ['{"name":"Rose","mood":"sad"}', `'s /mood must be one of null, "", calm, not 'sad'`],
  [
    '{"name":"Rose","ratio":1e39}',
    `'s /ratio must be a decimal number between -3.4028235e+38 and 3.4028235e+38, such as 12, not 1e39`,
  ],
  ['{"name":"Rose","day":1}', `'s /day must be a string or null, not 1`],
  ['{"name":"Rose","own":[]}', `'s /own must be an object`],
  [
    '{"name":"Rose","count":9007199254740992}',
    `'s /count must be a decimal integer between -9007199254740991 and 9007199254740991, such as 12, not 9007199254740992`,
  ],
  ['{"name":"Rose","kind":"tulip"}', `'s /kind must be rose, not 'tulip'`],
  ['{"name":"Rose","origin":1}', `'s /origin must be {"at":null}, not 1`],
  ['{"name":"Rose","password":"hunter2"}', `'s /password must have at least 8 characters`],
  ['{"name":"Rose","phrase":"hunter2"}', `'s /phrase must have at least 8 characters`],
  ['{"name":"Rose","hint":"hunter2"}', `'s /hint must have at least 8 characters`],
  // A token in the wrong place.
  [`{"name":"plant_${'x'.repeat(20)}"}`, `'s /name must have at most 4 characters`],
  [
    `{"name":"${'\u{1F600}\\u0007\u202E'.repeat(30)}"}`,
    `'s /name must have at most 4 characters, not '${'\u{1F600}\uFFFD\uFFFD'.repeat(20).slice(0, -2)}…`,
  ],
])('the message for the body %s says what its part must be', async (body, requirement) => {
  const message = `The request body${requirement}.`;
  expect(await messageFor('at=1', body)).toEqual({ reason: 'invalidBody', message });
});

const RANGE = 'between -9223372036854775808 and 9223372036854775807, such as 12n';
test.each([
  ['int64', { body: { id: 2 ** 60 } }, `/id must be a bigint ${RANGE}.`],
  ['int64', { body: { id: '12' } }, '/id must be a bigint such as 12n.'],
  ['int64', { body: {}, headers: { 'X-Id': 'first' } }, `/X-Id must be a bigint ${RANGE}.`],
  ['int64', { body: {}, headers: { 'X-Id': 2 ** 53 } }, `/X-Id must be a bigint ${RANGE}.`],
  ['uint64', { body: { id: -1n } }, '/id must be a bigint between 0 and 18446744073709551615, such as 12n.'],
  ['int32', { body: { id: 2 ** 31 } }, '/id must be a decimal integer between -2147483648 and 2147483647, such as 12.'],
])('a handler is told the type of an %s that is not in %p', async (format, answer, message) => {
  const id = { type: 'integer', format };
  const content = { 'application/json': { schema: { type: 'object', properties: { id } } } };
  const responses = { 200: { description: 'An id.', headers: { 'X-Id': { schema: id } }, content } };
  expect(await toldOf(responses, answer)).toEqual([expect.stringMatching(new RegExp(`: ${message}$`))]);
});

/** A value in so many objects. */
function nested(levels: number): object {
  let value = {};
  for (let level = 0; level < levels; level += 1) value = { below: value };
  return value;
}

const circle: Record<string, unknown> = {};
circle['below'] = [circle];
test.each<[what: string, schema: object, body: object, requirement: string]>([
  ['contains itself', {}, circle, 'must not contain itself, or be nested too deeply'],
  ['is nested very deeply', {}, nested(20_000), 'must not contain itself, or be nested too deeply'],
  ['is a list in place of an object', { type: 'object' }, [], 'must be an object'],
])('a handler whose value %s is told so', async (_what, schema, body, requirement) => {
  const responses = { 200: { description: 'A value.', content: { 'application/json': { schema } } } };
  expect(await toldOf(responses, { body })).toEqual([expect.stringMatching(new RegExp(`: it ${requirement}\\.$`))]);
});

/** The messages of the errors that onError is told of an answer. */
async function toldOf(responses: object, answer: object): Promise<readonly string[]> {
  const info = { title: 'Ids', version: '1.0.0' };
  const document = { openapi: '3.1.0', info, paths: { '/': { get: { responses } } } };
  const told: string[] = [];
  const onError = ({ error }: { error: unknown }): undefined => void told.push(messageOf(error));
  const answering = await withFiles({ 'openapi.yaml': JSON.stringify(document) }, (file) =>
    serveContract(file, () => ({ status: 200, ...answer }), {}, { onError }),
  );
  const { status } = await answering.request('GET', '/');
  await answering.close();
  expect(status).toBe(500);
  return told;
}
