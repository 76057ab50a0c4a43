import { afterAll, describe, expect, test } from '@jest/globals';
import { operationIdOf } from '../src/document/operation-id.ts';
import { Matcher } from '../src/server/match.ts';
import { RequestError } from '../src/errors/errors.ts';
import type { Answer } from './support/contract-server.ts';
import { serveDocument, withContract } from './support/inline-contract.ts';

/** Answers with the name of the operation and the parameters of the path. */
const handlerOf = (operation: string) => (request: never) => ({
  status: 200,
  body: { operation, ...(request as { params: object }).params },
});
const handlersOf = (names: readonly string[]): Record<string, ReturnType<typeof handlerOf>> =>
  Object.fromEntries(names.map((name) => [name, handlerOf(name)]));

const RESPONSES = `responses: { '200': { description: Found., content: { application/json: {} } } }`;

function contract(paths: string, rest = ''): string {
  return `openapi: 3.1.0\ninfo: { title: Operations, version: 1.0.0 }\n${rest}paths:\n${paths}`;
}

test.each([
  ['GET', '/', 'get'],
  ['GET', '/plants/{id}', 'getPlantsById'],
  ['DELETE', '/plants/{id}/leaves/{leaf-name}', 'deletePlantsByIdLeavesByLeafName'],
  ['POST', '/jobs/{id}:cancel', 'postJobsByIdCancel'],
  ['GET', '/2010-04-01/Accounts/{Sid}.json', 'get20100401AccountsBySidJson'],
  ['PUT', '/grüße/ñ', 'putGrüßeÑ'],
] as const)('%s %s without operationId is called %s, %s', (method, path, id) => {
  expect(operationIdOf(method, path)).toBe(id);
});

test('operations without operationId have different names, also from those that are written', async () => {
  const text = contract(`  /a/b: { get: { ${RESPONSES} } }
  /a-b: { get: { ${RESPONSES} } }
  /a_b: { get: { operationId: '', ${RESPONSES} } }
  /c: { get: { operationId: getAB, ${RESPONSES} } }
`);
  const handlers = handlersOf(['getAB', 'getAB2', 'getAB3', 'getAB4']);
  await withContract({ 'openapi.yaml': text }, handlers, async (server) => {
    const ids = [];
    for (const path of ['/a/b', '/a-b', '/a_b', '/c']) ids.push((await server.request('GET', path)).text);
    expect(ids).toEqual(['getAB2', 'getAB3', 'getAB4', 'getAB'].map((operation) => JSON.stringify({ operation })));
  });
});

const OPERATION = `get: { operationId: one, ${RESPONSES} }`;
test.each<[what: string, servers: string, served: readonly string[], others: readonly string[], item?: string]>([
  ['a contract without any are the root', '', ['/a'], ['/v1/a']],
  [
    'a contract are all served',
    "{ url: 'https://x.test/v1/' }, { url: /v2 }, { url: v3 }, { url: '//y.test/a%20b' }",
    ['/v1/a', '/v2/a', '/v3/a', '/a%20b/a'],
    ['/a', '/v4/a'],
  ],
  [
    'a path replace others',
    '{ url: /v1 }',
    ['/path/a'],
    ['/v1/a', '/a', '/v1/path/a'],
    `servers: [{ url: /path }], ${OPERATION}`,
  ],
  [
    'an operation replace those of its path',
    '',
    ['/own/a'],
    ['/path/a', '/a'],
    `servers: [{ url: /path }], ${OPERATION.replace('get: {', 'get: { servers: [{ url: /own }],')}`,
  ],
  [
    'a contract with variables: each of an enum, or else the default',
    `{ url: '{scheme}://{host}:{port}/{version}/{base}', variables: { host: { default: example.com },
      version: { default: v1, enum: [v1, v2] }, base: { default: api } } }`,
    ['/v1/api/a', '/v2/api/a'],
    ['/v3/api/a', '/a', '/api/a'],
  ],
  [
    'a variable',
    "{ url: '{url}/x', variables: { url: { default: 'https://x.test/v1' } } }",
    ['/v1/x/a'],
    ['/a', '/x/a'],
  ],
  [
    'a contract, when a variable begins with a slash',
    `{ url: 'https://{host}{base}', variables: { base: { default: /v1/x } } },
     { url: 'https://y.test/{base}', variables: { base: { default: /v2/y } } }`,
    ['/v1/x/a', '//v2/y/a'],
    ['/a', '/x/a', '/y/a', '/v2/y/a'],
  ],
])('the servers of %s', async (_what, servers, served, others, item = OPERATION) => {
  const text = contract(`  /a: { ${item} }`, servers === '' ? '' : `servers: [${servers}]\n`);
  await withContract({ 'openapi.yaml': text }, { one: handlerOf('one') }, async (server) => {
    for (const path of served) expect([path, (await server.request('GET', path)).status]).toEqual([path, 200]);
    for (const path of others) expect([path, (await server.request('GET', path)).status]).toEqual([path, 404]);
  });
});

test('what authors leave out or write too much is read in the only way it can be meant', async () => {
  const text = contract(
    `  /undeclared/{id}: { get: { operationId: undeclared, ${RESPONSES} } }
  /unused: { parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], get: { operationId: unused, ${RESPONSES} } }
  /optional/{id}: { get: { operationId: optional, parameters: [{ name: id, in: path, schema: { type: integer } }], ${RESPONSES} } }
  /headers:
    get:
      operationId: headers
      parameters:
        - { name: Authorization, in: header, required: true, schema: { type: string } }
        - { name: accept, in: header, required: true, schema: { enum: [x] } }
      ${RESPONSES}
  /range: { get: { operationId: range, responses: { 2xx: { description: Found., content: { application/json: {} } } } } }
  /none: { get: { operationId: none } }
  /nulls: { parameters: , get: { operationId: nulls, parameters: , servers: , security: , ${RESPONSES} }, put: }
  /bodiless: { post: { operationId: bodiless, requestBody: { required: true, content: {} }, ${RESPONSES} } }
  /shared/{x}: { get: { operationId: sharedGet, ${RESPONSES} } }
  /shared/{y}: { delete: { operationId: sharedDelete, ${RESPONSES} } }
`,
    'security: [{}]\n',
  );
  const ids = [
    'undeclared',
    'unused',
    'optional',
    'headers',
    'range',
    'nulls',
    'bodiless',
    'sharedGet',
    'sharedDelete',
  ];
  const handlers = { ...handlersOf(ids), none: () => ({ status: 418 }) };
  await withContract({ 'openapi.yaml': text }, handlers, async (server) => {
    const expected: [request: string, status: number, body?: object][] = [
      ['GET /undeclared/7', 200, { operation: 'undeclared', id: '7' }],
      ['GET /unused', 200, { operation: 'unused' }],
      ['GET /optional/7', 200, { operation: 'optional', id: 7 }],
      ['GET /optional/x', 400],
      ['GET /headers', 200, { operation: 'headers' }],
      ['GET /range', 200, { operation: 'range' }],
      ['GET /none', 418],
      ['GET /nulls', 200, { operation: 'nulls' }],
      ['PUT /nulls', 405],
      ['POST /bodiless', 200, { operation: 'bodiless' }],
      ['GET /shared/7', 200, { operation: 'sharedGet', x: '7' }],
      ['DELETE /shared/7', 200, { operation: 'sharedDelete', y: '7' }],
    ];
    for (const [request, status, found] of expected) {
      const [method = '', path = ''] = request.split(' ');
      const answer = await server.request(method, path);
      expect({ request, status: answer.status }).toEqual({ request, status });
      if (found !== undefined) expect(JSON.parse(answer.text)).toEqual(found);
    }
  });
});

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
  written: 'get /as%7Ewritten',
  head: 'head /own',
  own: 'get /own',
  options: 'options /own',
  search: 'get /search',
  beta: 'get /search?beta=true',
  only: 'get /only?a=1&b=2',
} as const;

const responses = { 200: { description: 'Found.', content: { 'application/json': {} } } };
const paths: Record<string, Record<string, object>> = {};
for (const [operationId, text] of Object.entries(OPERATIONS)) {
  const [method = '', path = ''] = text.split(/ (.*)/);
  paths[path] = { ...paths[path], [method]: { operationId, responses } };
}

const server = await serveDocument({ paths }, handlersOf(Object.keys(OPERATIONS)));
afterAll(() => server.close());

const answerOf = (request: string): Promise<Answer> => {
  const [method = '', target = ''] = request.split(' ');
  return server.request(method, target);
};

describe('a request leads to the operation of its path', () => {
  test.each<[request: string, found: object]>([
    ['GET /', { operation: 'root' }],
    ['GET /plants/mine', { operation: 'literal' }],
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
    ["GET /Products('%61')", { operation: 'odata', id: 'a' }],
    ['GET /plants/%6Dine/mine', { operation: 'other', id: 'mine' }],
    ['GET /as%7Ewritten', { operation: 'written' }],
    ['GET /points/%31%2C2,3', { operation: 'commas', x: '1,2', y: '3' }],
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

  test.each([
    'GET /nothing',
    'GET //',
    'GET /plants//leaves/1',
    'GET /plants/1/leaves/',
    'GET /plants/1/leaves/2/',
    'GET /plants%2F1',
    'GET /PLANTS/1',
    'GET /files/a',
    'GET /files/.a',
    'GET /files/a.',
    'GET /points/,',
    "GET /Products('')",
    'GET /Products(a)',
    'GET /functions/f(a=1)',
    'GET /all/x',
    'GET /all/%2A',
    'GET /pl%61nts/mine',
    'GET /plants/%6Dine',
    'DELETE /%70lants/1',
    'POST /jobs/7:%63ancel',
    'GET /Products(%27a%27)',
    'GET /with%20space/1/%c3%bcnder',
    'GET /as~written',
    'GET /functions/f(%61=1,b=2)',
    'GET /with+space/1/x',
    'GET /only?a=1',
    'OPTIONS /nothing',
  ])('%s is answered 404', async (request) => {
    expect((await answerOf(request)).status).toBe(404);
  });

  // test/contract/lifecycle.test.ts has HEAD for GET.
  test('HEAD is what is declared, and 405 where there is no GET', async () => {
    expect((await answerOf('HEAD /own')).headers['content-length']).toBe(String('{"operation":"head"}'.length));
    expect((await answerOf('HEAD /jobs/1')).status).toBe(405);
  });

  test.each([
    ['OPTIONS /plants/1', 204, 'GET, DELETE, HEAD, OPTIONS'],
    ['OPTIONS /jobs/1', 204, 'POST, OPTIONS'],
    ['OPTIONS *', 204, 'GET, DELETE, POST, OPTIONS, HEAD'],
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
