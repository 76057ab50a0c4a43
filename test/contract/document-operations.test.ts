import { expect, test } from '@jest/globals';
import { operationIdOf } from '../../src/contract/document/operation-id.ts';
import { withContract } from '../support/inline-contract.ts';

const handlerOf = (id: string) => (request: never) => ({
  status: 200,
  body: { id, ...(request as { params: object }).params },
});

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
  const handlers = Object.fromEntries(['getAB', 'getAB2', 'getAB3', 'getAB4'].map((id) => [id, handlerOf(id)]));
  await withContract({ 'openapi.yaml': text }, handlers, async (server) => {
    const ids = [];
    for (const path of ['/a/b', '/a-b', '/a_b', '/c']) ids.push((await server.request('GET', path)).text);
    expect(ids).toEqual(['getAB2', 'getAB3', 'getAB4', 'getAB'].map((id) => JSON.stringify({ id })));
  });
});

const OPERATION = `get: { operationId: one, ${RESPONSES} }`;
test.each<[what: string, servers: string, served: string, others: string, item?: string]>([
  ['a contract without any are the root', '', '/a', '/v1/a'],
  [
    'a contract are all served',
    "{ url: 'https://x.test/v1/' }, { url: /v2 }, { url: v3 }, { url: '//y.test/a%20b' }",
    '/v1/a /v2/a /v3/a /a%20b/a',
    '/a /v4/a',
  ],
  [
    'a path replace others',
    '{ url: /v1 }',
    '/path/a',
    '/v1/a /a /v1/path/a',
    `servers: [{ url: /path }], ${OPERATION}`,
  ],
  [
    'an operation replace those of its path',
    '',
    '/own/a',
    '/path/a /a',
    `servers: [{ url: /path }], ${OPERATION.replace('get: {', 'get: { servers: [{ url: /own }],')}`,
  ],
  [
    'a contract with variables: each of an enum, or else the default',
    `{ url: '{scheme}://{host}:{port}/{version}/{base}', variables: { host: { default: example.com },
      version: { default: v1, enum: [v1, v2] }, base: { default: api } } }`,
    '/v1/api/a /v2/api/a',
    '/v3/api/a /a /api/a',
  ],
  ['a variable', "{ url: '{url}/x', variables: { url: { default: 'https://x.test/v1' } } }", '/v1/x/a', '/a /x/a'],
  [
    'a contract, when a variable begins with a slash',
    `{ url: 'https://{host}{base}', variables: { base: { default: /v1/x } } },
     { url: 'https://y.test/{base}', variables: { base: { default: /v2/y } } }`,
    '/v1/x/a //v2/y/a',
    '/a /x/a /y/a /v2/y/a',
  ],
])('the servers of %s', async (_what, servers, served, others, item = OPERATION) => {
  const text = contract(`  /a: { ${item} }`, servers === '' ? '' : `servers: [${servers}]\n`);
  await withContract({ 'openapi.yaml': text }, { one: handlerOf('one') }, async (server) => {
    for (const path of served.split(' '))
      expect([path, (await server.request('GET', path)).status]).toEqual([path, 200]);
    for (const path of others.split(' '))
      expect([path, (await server.request('GET', path)).status]).toEqual([path, 404]);
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
  const handlers = { ...Object.fromEntries(ids.map((id) => [id, handlerOf(id)])), none: () => ({ status: 418 }) };
  await withContract({ 'openapi.yaml': text }, handlers, async (server) => {
    const expected: [request: string, status: number, body?: object][] = [
      ['GET /undeclared/7', 200, { id: '7' }],
      ['GET /unused', 200, { id: 'unused' }],
      ['GET /optional/7', 200, { id: 7 }],
      ['GET /optional/x', 400],
      ['GET /headers', 200, { id: 'headers' }],
      ['GET /range', 200, { id: 'range' }],
      ['GET /none', 418],
      ['GET /nulls', 200, { id: 'nulls' }],
      ['PUT /nulls', 405],
      ['POST /bodiless', 200, { id: 'bodiless' }],
      ['GET /shared/7', 200, { id: 'sharedGet', x: '7' }],
      ['DELETE /shared/7', 200, { id: 'sharedDelete', y: '7' }],
    ];
    for (const [request, status, found] of expected) {
      const [method = '', path = ''] = request.split(' ');
      const answer = await server.request(method, path);
      expect({ request, status: answer.status }).toEqual({ request, status });
      if (found !== undefined) expect(JSON.parse(answer.text)).toEqual(found);
    }
  });
});
