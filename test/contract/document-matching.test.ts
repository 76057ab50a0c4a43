import { afterAll, describe, expect, test } from '@jest/globals';
import { Matcher } from '../../src/contract/match.ts';
import { RequestError } from '../../src/errors.ts';
import type { Answer } from '../support/contract-server.ts';
import { serveDocument } from '../support/inline-contract.ts';

/** The operations: a method and a path for each name. */
const OPERATIONS = {
  root: 'get /',
  literal: 'get /plants/mine',
  parameter: 'get /plants/{id}',
  remove: 'delete /plants/{plantId}',
  nested: 'get /plants/{id}/leaves/{leaf}',
  other: 'get /plants/{id}/mine',
  backtracked: 'get /plants/mine/leaves',
  slash: 'get /plants/',
  job: 'post /jobs/{id}',
  cancel: 'post /jobs/{id}:cancel',
  dots: 'get /files/{name}.{extension}',
  commas: 'get /points/{x},{y}',
  odata: "get /Products('{id}')",
  parentheses: 'get /functions/f(a={a},b={b})',
  star: 'get /all/*',
  encoded: 'get /with%20space/{a}/ünder',
  odd: 'get /odd/{a[b]-c.d e}',
  head: 'head /own',
  own: 'get /own',
  options: 'options /own',
  search: 'get /search',
  beta: 'get /search?beta=true',
  only: 'get /only?a=1&b=2',
} as const;

const content = { 'application/json': {} };
const paths: Record<string, Record<string, object>> = {};
for (const [operationId, text] of Object.entries(OPERATIONS)) {
  const [method = '', path = ''] = text.split(/ (.*)/);
  paths[path] = { ...paths[path], [method]: { operationId, responses: { 200: { description: 'Found.', content } } } };
}

/** Answers with the name of the operation and the parameters of the path. */
const handlers = Object.fromEntries(
  Object.keys(OPERATIONS).map((id) => [
    id,
    (request: never) => ({ status: 200, body: { operation: id, ...(request as { params: object }).params } }),
  ]),
);
const server = await serveDocument({ openapi: '3.1.0', info: { title: 'Paths', version: '1.0.0' }, paths }, handlers);
afterAll(() => server.close());

const answerOf = (request: string): Promise<Answer> => {
  const [method = '', target = ''] = request.split(' ');
  return server.request(method, target);
};

describe('a request leads to the operation of its path', () => {
  test.each<[request: string, found: object]>([
    ['GET /', { operation: 'root' }],
    ['GET /plants/mine', { operation: 'literal' }],
    ['GET /pl%61nts/mine', { operation: 'literal' }],
    ['GET /plants/Mine', { operation: 'parameter', id: 'Mine' }],
    ['GET /plants/a%2Fb%20c', { operation: 'parameter', id: 'a/b c' }],
    ['GET /plants/a:b', { operation: 'parameter', id: 'a:b' }],
    ['GET /plants/1/leaves/2', { operation: 'nested', id: '1', leaf: '2' }],
    ['GET /plants/1/mine', { operation: 'other', id: '1' }],
    ['GET /plants/mine/mine', { operation: 'other', id: 'mine' }],
    ['GET /plants/mine/leaves/2', { operation: 'nested', id: 'mine', leaf: '2' }],
    ['GET /plants/mine/leaves', { operation: 'backtracked' }],
    ['GET /plants/', { operation: 'slash' }],
    ['DELETE /plants/1', { operation: 'remove', plantId: '1' }],
    ['POST /jobs/7:cancel', { operation: 'cancel', id: '7' }],
    ['POST /jobs/7:cancel:cancel', { operation: 'cancel', id: '7:cancel' }],
    ['POST /jobs/7', { operation: 'job', id: '7' }],
    ['POST /jobs/:cancel', { operation: 'job', id: ':cancel' }],
    ['GET /files/a.b.c', { operation: 'dots', name: 'a.b', extension: 'c' }],
    ['GET /files/..a', { operation: 'dots', name: '.', extension: 'a' }],
    ['GET /points/1,-2', { operation: 'commas', x: '1', y: '-2' }],
    ["GET /Products('a')", { operation: 'odata', id: 'a' }],
    ['GET /Products(%27a%27)', { operation: 'odata', id: 'a' }],
    ['GET /functions/f(a=1,b=2)', { operation: 'parentheses', a: '1', b: '2' }],
    ['GET /all/*', { operation: 'star' }],
    ['GET /with%20space/1/%C3%BCnder', { operation: 'encoded', a: '1' }],
    ['GET /odd/1', { operation: 'odd', 'a[b]-c.d e': '1' }],
    ['GET /own', { operation: 'own' }],
    ['OPTIONS /own', { operation: 'options' }],
    ['GET /search', { operation: 'search' }],
    ['GET /search?beta=true', { operation: 'beta' }],
    ['GET /only?b=2&a=1', { operation: 'only' }],
  ])('%s', async (request, found) => {
    const { status, text } = await answerOf(request);
    expect([status, JSON.parse(text)]).toEqual([200, found]);
  });

  const MISSING =
    '/nothing // /plants//leaves/1 /plants/1/leaves/ /plants/1/leaves/2/ /plants%2F1 /PLANTS/1 /files/a ' +
    "/files/.a /files/a. /points/, /Products('') /Products(a) /functions/f(a=1) /all/x /with+space/1/x /only?a=1";
  test.each([...MISSING.split(' ').map((path) => `GET ${path}`), 'OPTIONS /nothing'])(
    '%s is answered 404',
    async (request) => {
      expect((await answerOf(request)).status).toBe(404);
    },
  );

  // test/contract/lifecycle.test.ts has HEAD for GET.
  test('HEAD is what is declared, and 405 where there is no GET', async () => {
    expect((await answerOf('HEAD /own')).headers['content-length']).toBe(String('{"operation":"head"}'.length));
    expect((await answerOf('HEAD /jobs/1')).status).toBe(405);
  });

  test.each([
    ['OPTIONS /plants/1', 204, 'GET, DELETE, HEAD, OPTIONS'],
    ['OPTIONS /jobs/1', 204, 'POST, OPTIONS'],
    ['PUT /plants/1', 405, 'GET, DELETE, HEAD, OPTIONS'],
    ['PUT /own', 405, 'GET, OPTIONS, HEAD'],
    ['DELETE /plants/mine', 405, 'GET, HEAD, OPTIONS'],
  ])('%s is answered %d with the methods of the path', async (request, status, allow) => {
    expect(await answerOf(request)).toMatchObject({ status, headers: { allow } });
  });
});

test('a long path is refused as fast as a short one', () => {
  const operation = { path: '/{a}.{b}.{c}.{d}x', method: 'GET', basePaths: [''] } as never;
  const matcher = new Matcher(new Map([[operation, 1]]));
  // With backtracking inside a segment this would take longer than the test may.
  expect(() => matcher.match('GET', `/${'.a'.repeat(500_000)}`)).toThrow(RequestError);
  expect(() => matcher.match('GET', '/a'.repeat(500_000))).toThrow(RequestError);
});
