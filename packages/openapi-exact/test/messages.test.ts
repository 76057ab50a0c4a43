import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ContractServer } from './support/contract-server.ts';
import { serveDocument } from './support/inline-contract.ts';

const properties = {
  name: { type: 'string', maxLength: 4, minLength: 2 },
  tags: { type: 'array', maxItems: 4, uniqueItems: true, items: { type: 'string' } },
  mood: { enum: [null, '', 'calm'] },
  ratio: { type: 'number', format: 'float' },
  day: { type: ['string', 'null'] },
  own: { type: 'object' },
  count: { type: 'integer' },
};
const schema = { type: 'object', required: ['name'], additionalProperties: false, properties };

let server: ContractServer;
beforeAll(async () => {
  const responses = { 204: { description: 'Done.' } };
  const parameters = [
    { name: 'at', in: 'query', required: true, schema: { type: 'integer', minimum: 1 } },
    { name: 'mood', in: 'query', schema: { type: 'string', enum: ['calm', 'wild'] } },
  ];
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  const post = { parameters, requestBody, responses };
  server = await serveDocument({ paths: { '/a': { post } } }, () => ({ status: 204 }));
});
afterAll(() => server.close());

async function messageFor(query: string, body: string): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' };
  const { text } = await server.request('POST', `/a?${query}`, { headers, body });
  return JSON.parse(text) as unknown;
}

test.each([
  ['', 'must be given'],
  ['at=01', 'must be a decimal integer between 1 and 9007199254740991, such as 12, without leading zeros'],
  ['at=0', 'must be a decimal integer between 1 and 9007199254740991, such as 12'],
])('the message for the query "%s" says what the parameter must be', async (query, requirement) => {
  const message = `Query parameter 'at' ${requirement}.`;
  expect(await messageFor(query, '{"name":"Rose"}')).toEqual({ reason: 'invalidParameter', message });
});

test('the message for a parameter lists its values', async () => {
  const message = `Query parameter 'mood' must be one of calm, wild.`;
  expect(await messageFor('at=1&mood=sad', '{"name":"Rose"}')).toEqual({ reason: 'invalidParameter', message });
});

test.each([
  ['{}', `'s /name must be given`],
  ['{"name":"R"}', `'s /name must have at least 2 characters`],
  ['{"name":"Roses"}', `'s /name must have at most 4 characters`],
  ['{"name":1}', `'s /name must be a string`],
  ['{"name":"Rose","x":1}', `'s /x is not in the contract: leave it out`],
  ['{"name":"Rose","tags":["a","b","c","d","e"]}', `'s /tags must have at most 4 items`],
  ['{"name":"Rose","tags":["a","b","a"]}', `'s /tags must not have equal items, as 0 and 2`],
  ['{"name":"Rose","mood":"sad"}', `'s /mood must be one of null, "", calm`],
  [
    '{"name":"Rose","ratio":1e39}',
    `'s /ratio must be a decimal number between -3.4028235e+38 and 3.4028235e+38, such as 12`,
  ],
  ['{"name":"Rose","day":1}', `'s /day must be a string or null`],
  ['{"name":"Rose","own":[]}', `'s /own must be an object`],
  [
    '{"name":"Rose","count":9007199254740992}',
    `'s /count must be a decimal integer between -9007199254740991 and 9007199254740991, such as 12`,
  ],
])('the message for the body %s says what its part must be', async (body, requirement) => {
  const message = `The request body${requirement}.`;
  expect(await messageFor('at=1', body)).toEqual({ reason: 'invalidBody', message });
});
