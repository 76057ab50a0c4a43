import { expect, test } from '@jest/globals';
import { withFiles } from 'test-support/contract-files.ts';
import { loadContract } from '../../src/server/load-contract.ts';
import { serveContract } from '../support/contract-server.ts';
import { withContract } from '../support/inline-contract.ts';

const SHARED_VERSIONS = ['3.2.0', '3.1.0'];

/** The files of the specification's example of base URIs. */
const files = (entrySelf: string, sharedSelf: string, ids: string): Record<string, string> => ({
  'openapi.yaml': `openapi: 3.2.0
$self: ${entrySelf}
paths:
  /foo:
    post:
      requestBody: { $ref: 'shared/foo#/components/requestBodies/Foo' }
      responses: { '204': { summary: Done. } }
`,
  'shared/foo.yaml': `openapi: 3.2.0
$self: ${sharedSelf}
components:
  requestBodies:
    Foo: { required: true, content: { application/json: { schema: { $ref: ../schemas/foo } } } }
  schemas:
    Foo: { $id: ${ids}/foo, properties: { bar: { $ref: bar } } }
    Bar: { $id: ${ids}/bar, type: string }
`,
});

const HOST = 'https://example.com/api';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const done = (): { status: number } => ({ status: 204 });

test.each([
  ['absolute', files(`${HOST}/openapi`, `${HOST}/shared/foo`, `${HOST}/schemas`)],
  ['relative', files('/api/openapi', '/api/shared/foo', '/api/schemas')],
])('references are relative to $self, which may be %s', async (_what, contract) => {
  await withContract(contract, done, async ({ request }) => {
    const post = async (body: string): Promise<number> =>
      (await request('POST', '/foo', { headers: JSON_TYPE, body })).status;
    expect([await post('{"bar":"a"}'), await post('{"bar":1}')]).toEqual([204, 400]);
  });
});

test('a document refers to itself by its $self, and a $self with a fragment is refused', async () => {
  const text = (self: string): string => `openapi: 3.2.0
$self: ${self}
paths:
  /a: { get: { parameters: [{ $ref: '${self}#/components/parameters/id' }], responses: { '204': { summary: Done. } } } }
components: { parameters: { id: { name: id, in: query, required: true, schema: { type: integer } } } }
`;
  await withContract({ 'openapi.yaml': text(`${HOST}/self`) }, done, async ({ request }) => {
    expect((await request('GET', '/a?id=1')).status).toBe(204);
    expect((await request('GET', '/a')).status).toBe(400);
  });
  const refused = withContract({ 'openapi.yaml': text(`${HOST}/self#a`) }, done, async () => Promise.resolve());
  await expect(refused).rejects.toThrow('$self must be a URI without a fragment');
});

test.each(SHARED_VERSIONS)('files of 3.2 and %s refer to each other, each read by its own version', async (version) => {
  const contract = {
    'openapi.yaml': `openapi: 3.2.0
paths:
  /a: { $ref: 'other.yaml#/components/pathItems/a' }
components: { schemas: { id: { type: integer, format: int64 } } }
`,
    'other.yaml': `openapi: ${version}
components:
  pathItems:
    a:
      query:
        requestBody:
          content: { application/json: { schema: { $ref: 'openapi.yaml#/components/schemas/id' } } }
        responses: { '204': { description: Done. } }
      get: { responses: { '204': { description: Done. } } }
`,
  };
  await withContract(contract, done, async ({ request }) => {
    const { headers } = await request('OPTIONS', '/a');
    expect(headers.allow).toBe(version === '3.2.0' ? 'GET, QUERY, HEAD, OPTIONS' : 'GET, HEAD, OPTIONS');
  });
});

test('media types are components, which bodies and parameters refer to', async () => {
  const contract = `openapi: 3.2.0
paths:
  /a:
    post:
      parameters: [{ name: id, in: query, content: { application/json: { $ref: '#/components/mediaTypes/id' } } }]
      requestBody: { content: { application/json: { $ref: '#/components/mediaTypes/id' } } }
      responses:
        '200': { summary: The same., content: { application/json: { $ref: '#/components/mediaTypes/same' } } }
components:
  mediaTypes:
    id: { schema: { $ref: '#/components/schemas/id' }, example: 1 }
    same: { $ref: '#/components/mediaTypes/id' }
  schemas: { id: { type: integer, format: int64 } }
`;
  const echo = ({ body, query }: { body: bigint; query: { id?: bigint } }): object => ({
    status: 200,
    body: body + (query.id ?? 0n),
  });
  await withContract({ 'openapi.yaml': contract }, echo as never, async ({ request }) => {
    const post = (target: string, body: string): ReturnType<typeof request> =>
      request('POST', target, { headers: JSON_TYPE, body });
    expect(await post('/a?id=2', '9007199254740993')).toMatchObject({ status: 200, text: '9007199254740995' });
    expect((await post('/a', '1.5')).status).toBe(400);
    expect((await post('/a?id=x', '1')).status).toBe(400);
  });
});

const SCHEME_FILES = {
  'openapi.yaml': `openapi: 3.2.0
security: [{ 'shared.yaml#/components/securitySchemes/token': [read] }]
paths:
  /a: { get: { operationId: a, responses: { '204': { summary: Done. } } } }
  /b:
    get:
      operationId: b
      security: [{ '#/components/securitySchemes/key': [] }, { key: [], ./shared.yaml#/components/securitySchemes/token: [] }]
      responses: { '204': { summary: Done. } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key, deprecated: true } }
`,
  'shared.yaml': `openapi: 3.2.0
components:
  securitySchemes:
    token:
      type: oauth2
      oauth2MetadataUrl: https://example.com/.well-known/oauth-authorization-server
      flows:
        deviceAuthorization:
          deviceAuthorizationUrl: https://example.com/device
          tokenUrl: https://example.com/token
          scopes: { read: Read. }
`,
};

test('a requirement names a security scheme by its URI, which becomes a component', async () => {
  await withFiles(SCHEME_FILES, async (file) => {
    const { operations } = await loadContract(file);
    expect(operations.map(({ security }) => security)).toEqual([
      [{ token: ['read'] }],
      [{ key: [] }, { key: [], token: [] }],
    ]);
    const verifiers = {
      token: (token: string) => (token === 't' ? { name: 'token' } : undefined),
      key: (key: string) => (key === 'k' ? { name: 'key' } : undefined),
    };
    const server = await serveContract(file, () => ({ status: 204 }), verifiers);
    const get = async (path: string, headers: object): Promise<number> =>
      (await server.request('GET', path, { headers: { ...headers } })).status;
    const token = { Authorization: 'Bearer t' };
    expect([await get('/a', {}), await get('/a', token), await get('/b', token)]).toEqual([401, 204, 401]);
    expect(await get('/b', { 'X-Key': 'k' })).toBe(204);
    await server.close();
  });
});

test('a URI that leads nowhere is refused, and so is any in a contract of an earlier version', async () => {
  const lost = SCHEME_FILES['openapi.yaml'].replace(
    'shared.yaml#/components/securitySchemes/token',
    'none.yaml#/token',
  );
  await withFiles({ 'openapi.yaml': lost, 'shared.yaml': SCHEME_FILES['shared.yaml'] }, async (file) => {
    await expect(loadContract(file)).rejects.toThrow("no 'none.yaml#/token'");
  });
  const earlier = SCHEME_FILES['openapi.yaml'].replace('3.2.0', '3.1.0');
  await withFiles({ ...SCHEME_FILES, 'openapi.yaml': earlier }, async (file) => {
    await expect(loadContract(file)).rejects.toThrow('components/securitySchemes has no');
  });
});
