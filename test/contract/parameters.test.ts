import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serveContract, type Answer, type ContractServer } from '../support/contract-server.ts';

/** What the handlers were given last. */
let seen: Record<string, unknown> = {};
let server: ContractServer;
beforeAll(async () => {
  const echo = (request: never) => {
    const { params, query, headers } = request as Record<string, unknown>;
    seen = { params, query, headers };
    return { status: 200, body: {} };
  };
  server = await serveContract('parameters.yaml', { getThing: echo, getList: echo, search: echo });
});
afterAll(() => server.close());

const BASE = '/v1/garden';
const search = (query: string, headers: Record<string, string> = { 'X-Mode': 'fast' }): Promise<Answer> =>
  server.request('GET', `${BASE}/search?${query}`, { headers });
const DEFAULTS = { limit: 20, big: -5n, order: 'up', preset: [1n, 2n] };

describe('the base path', () => {
  test('comes from servers, its variables filled in', async () => {
    expect(await server.request('GET', `${BASE}/things/rose/5/true/1.5`)).toMatchObject({ status: 200 });
    expect(await server.request('GET', '/things/rose/5/true/1.5')).toMatchObject({ status: 404 });
  });
});

describe('path parameters', () => {
  test('arrive with the types of the contract', async () => {
    await server.request('GET', `${BASE}/things/rose/99/false/-2.5e1`);
    expect(seen['params']).toEqual({ word: 'rose', count: 99, flag: false, ratio: -25 });
  });

  test('that are lists of int64s arrive exactly', async () => {
    expect(await server.request('GET', `${BASE}/lists/0,9007199254740993`)).toMatchObject({ status: 200 });
    expect(seen['params']).toEqual({ ids: [0n, 9007199254740993n] });
  });

  test.each([
    ['lists/1,-2', "Path parameter 'ids/1' must be a decimal integer between 0 and"],
    ['lists/1,02', "Path parameter 'ids/1'"],
    ['lists/1,2,3,4', "Path parameter 'ids'"],
    ['things/a/5/true/1', "Path parameter 'word'"],
    ['things/roses1/5/true/1', "Path parameter 'word'"],
    ['things/Rose/5/true/1', "Path parameter 'word'"],
    ['things/rose/0/true/1', "Path parameter 'count' must be a decimal integer between 1 and"],
    ['things/rose/100/true/1', "Path parameter 'count'"],
    ['things/rose/5.0/true/1', "Path parameter 'count'"],
    ['things/rose/0x5/true/1', "Path parameter 'count'"],
    ['things/rose/%205/true/1', "Path parameter 'count'"],
    ['things/rose/5/yes/1', "Path parameter 'flag'"],
    ['things/rose/5/1/1', "Path parameter 'flag'"],
    ['things/rose/5/true/0.3', "Path parameter 'ratio' must be a decimal number and a multiple of 0.5"],
    ['things/rose/5/true/Infinity', "Path parameter 'ratio'"],
    ['things/rose/5/true/1e999', "Path parameter 'ratio'"],
    ['things/rose/5/true/.5', "Path parameter 'ratio'"],
  ])('%s is refused', async (path, message) => {
    const { status, text } = await server.request('GET', `${BASE}/${path}`);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(message) });
  });
});

describe('query parameters', () => {
  test('that are absent have the default of the contract', async () => {
    expect(await search('')).toMatchObject({ status: 200 });
    expect(seen['query']).toEqual(DEFAULTS);
  });

  test.each<[string, Record<string, unknown>]>([
    ['after=9007199254740993', { after: 9007199254740993n }],
    ['after=9223372036854775807', { after: 9223372036854775807n }],
    ['limit=100', { limit: 100 }],
    ['limit=1', { limit: 1 }],
    ['big=0', { big: 0n }],
    ['order=down', { order: 'down' }],
    ['level=4', { level: 4 }],
    ['ids=9007199254740993&ids=0', { ids: [9007199254740993n, 0n] }],
    ['ids=9007199254740993', { ids: [9007199254740993n] }],
    ['codes=9007199254740993,-1', { codes: [9007199254740993n, -1n] }],
    ['piped=a|b', { piped: ['a', 'b'] }],
    ['maybe=-9223372036854775808', { maybe: -9223372036854775808n }],
    ['exact=true', { exact: true }],
    ['exact=false', { exact: false }],
    ['day=2026-11-21', { day: '2026-11-21' }],
    ['page[size]=9007199254740993', { 'page[size]': 9007199254740993n }],
    ['text=a:b/c?d@e,f', { text: 'a:b/c?d@e,f' }],
  ])('%s arrives exactly', async (query, expected) => {
    expect(await search(query)).toMatchObject({ status: 200 });
    expect(seen['query']).toEqual({ ...DEFAULTS, ...expected });
  });

  test.each([
    'after=-1',
    'after=9223372036854775808',
    'after=',
    'after=1&after=2',
    'limit=0',
    'limit=101',
    'limit=1e1',
    'limit=',
    'big=3',
    'order=sideways',
    'order=',
    'level=3',
    'ids=1&ids=2&ids=3&ids=4',
    'ids=1&ids=x',
    'codes=1,,2',
    'codes=1,x',
    'exact=1',
    'exact=TRUE',
    'day=2026-13-01',
    'day=tomorrow',
    'colour=red',
    'after[]=1',
    'AFTER=1',
    '__proto__=1',
  ])('%s is refused', async (query) => {
    expect(await search(query)).toMatchObject({ status: 400 });
  });
});

describe('header parameters', () => {
  test('arrive under the names and with the types of the contract', async () => {
    await search('', { 'X-Mode': 'slow', 'X-Trace': '9007199254740993', 'X-Other': 'ignored' });
    expect(seen['headers']).toEqual({ 'X-Mode': 'slow', 'X-Trace': 9007199254740993n });
  });

  test('that are lists are read with and without spaces', async () => {
    await search('', { 'X-Mode': 'slow', 'X-List': '9007199254740993, -1,0' });
    expect(seen['headers']).toEqual({ 'X-Mode': 'slow', 'X-List': [9007199254740993n, -1n, 0n] });
  });

  test('that are texts keep their commas and spaces', async () => {
    await search('', { 'X-Mode': 'slow', 'X-Text': 'Wed , 21 Oct' });
    expect(seen['headers']).toEqual({ 'X-Mode': 'slow', 'X-Text': 'Wed , 21 Oct' });
  });

  test.each<[string, Record<string, string>]>([
    ['a list with a text in it', { 'X-Mode': 'fast', 'X-List': '1,x' }],
    ['a required one that is missing', {}],
    ['one outside its enum', { 'X-Mode': 'medium' }],
    ['a number that is none', { 'X-Mode': 'fast', 'X-Trace': '0x1' }],
  ])('%s is refused', async (_name, headers) => {
    expect(await search('', headers)).toMatchObject({ status: 400 });
  });
});
