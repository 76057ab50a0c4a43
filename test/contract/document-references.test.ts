import { expect, test } from '@jest/globals';
import { withContract } from '../support/inline-contract.ts';

/** A contract of one operation, whose body must be `{"here": 1}`, by whatever way that is said. */
function contract(schema: string, rest = ''): string {
  return `openapi: 3.1.0
info: { title: References, version: 1.0.0 }
paths:
  /things:
    post:
      operationId: createThing
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      responses: { '204': { description: Created. } }
${rest}`;
}

const THING = '{ type: object, required: [here], properties: { here: { const: 1 } } }';

test.each<[what: string, files: Record<string, string>]>([
  [
    'a component',
    {
      'openapi.yaml': contract(
        `{ $ref: '#/components/schemas/Thing' }`,
        `components: { schemas: { Thing: ${THING} } }`,
      ),
    },
  ],
  [
    'a key with slashes, percent signs and tildes',
    {
      'openapi.yaml': contract(
        `{ $ref: '#/components/schemas/a~1b%20%C3%A4~0%25' }`,
        `components: { schemas: { 'a/b ä~%': ${THING} } }`,
      ),
    },
  ],
  [
    'a part of another reference',
    {
      'openapi.yaml': contract(
        `{ $ref: '#/components/schemas/A/properties/part' }`,
        `components: { schemas: { A: { $ref: '#/components/schemas/B' }, B: { properties: { part: ${THING} } } } }`,
      ),
    },
  ],
  [
    'a place of another operation',
    { 'openapi.yaml': contract(`{ allOf: [{ $ref: '#/x-more/0' }] }`, `x-more: [${THING}]`) },
  ],
  [
    '$defs',
    { 'openapi.yaml': contract(`{ $id: 'https://example.com/a', $ref: '#/$defs/b', $defs: { b: ${THING} } }`) },
  ],
  [
    'an anchor',
    {
      'openapi.yaml': contract(
        `{ $ref: '#thing' }`,
        `components: { schemas: { Any: { properties: { x: { $anchor: thing, allOf: [${THING}] } } } } }`,
      ),
    },
  ],
  [
    'an $id, relative to another',
    {
      'openapi.yaml': contract(
        `{ $id: 'https://example.com/schemas/root', $ref: 'thing' }`,
        `components: { schemas: { Thing: { $id: 'https://example.com/schemas/thing', allOf: [${THING}] } } }`,
      ),
    },
  ],
  [
    'a pointer that is counted from the file, although its schema has an $id',
    {
      'openapi.yaml': contract(
        `{ $id: inner, allOf: [{ $ref: '#/components/schemas/Thing' }] }`,
        `components: { schemas: { Thing: ${THING} } }`,
      ),
    },
  ],
  [
    'a dynamic anchor that is the only one',
    {
      'openapi.yaml': contract(
        `{ $dynamicRef: '#T' }`,
        `components: { schemas: { T: { $dynamicAnchor: T, allOf: [${THING}] } } }`,
      ),
    },
  ],
  ['a whole file', { 'openapi.yaml': contract(`{ $ref: parts/thing.yaml }`), 'parts/thing.yaml': THING }],
  [
    'a file of JSON',
    {
      'openapi.yaml': contract(`{ $ref: './thing.json#/a' }`),
      'thing.json': '{"a":{"required":["here"],"properties":{"here":{"const":1}}}}',
    },
  ],
  [
    'files that refer to each other',
    {
      'openapi.yaml': contract(`{ $ref: 'parts/a.yaml#/A' }`, `components: { schemas: { Thing: ${THING} } }`),
      'parts/a.yaml': `{ A: { $ref: 'b.yaml#/B' }, C: { $ref: '../openapi.yaml#/components/schemas/Thing' } }`,
      'parts/b.yaml': `{ B: { $ref: 'a.yaml#/C' } }`,
    },
  ],
  [
    'components of the same name in two files',
    {
      'openapi.yaml': contract(
        `{ allOf: [{ $ref: 'a.yaml#/Thing' }, { $ref: 'b.yaml#/Thing' }] }`,
        `components: { schemas: { Thing: { type: object } } }`,
      ),
      'a.yaml': `Thing: { required: [here] }`,
      'b.yaml': `Thing: { properties: { here: { const: 1 } } }`,
    },
  ],
  [
    'a file with all schemas',
    {
      'openapi.yaml': contract(
        `{ $ref: '#/components/schemas/Thing' }`,
        `components: { schemas: { $ref: schemas.yaml } }`,
      ),
      'schemas.yaml': `Thing: ${THING}`,
    },
  ],
  ['a YAML anchor', { 'openapi.yaml': contract('*thing').replace('info:', `x-thing: &thing ${THING}\ninfo:`) }],
  [
    'a YAML merge',
    { 'openapi.yaml': contract(`{ <<: *thing, title: A thing }`).replace('info:', `x-thing: &thing ${THING}\ninfo:`) },
  ],
])('%s is followed to the schema of a body', async (_what, files) => {
  await withContract(files, { createThing: () => ({ status: 204 }) }, async (server) => {
    const post = async (body: string): Promise<number> =>
      (await server.request('POST', '/things', { headers: { 'Content-Type': 'application/json' }, body })).status;
    expect([await post('{"here":1}'), await post('{"here":2}'), await post('{}')]).toEqual([204, 400, 400]);
  });
});

test('a recursive schema is applied at each depth, across files', async () => {
  const files = {
    'openapi.yaml': contract(`{ $ref: 'tree.yaml' }`),
    'tree.yaml': `{ type: object, additionalProperties: false, properties: { leaf: { type: string }, trees: { type: array, items: { $ref: '#' } } } }`,
  };
  await withContract(files, { createThing: () => ({ status: 204 }) }, async (server) => {
    const post = async (body: string): Promise<number> =>
      (await server.request('POST', '/things', { headers: { 'Content-Type': 'application/json' }, body })).status;
    expect(await post('{"trees":[{"trees":[{"leaf":"a"}]},{}]}')).toBe(204);
    expect(await post('{"trees":[{"trees":[{"leaf":1}]},{}]}')).toBe(400);
    expect(await post('{"trees":[{"trees":[{"tree":[]}]},{}]}')).toBe(400);
  });
});

test('what looks like a reference in data is data, even if it leads nowhere', async () => {
  const nowhere = `{ $ref: 'https://example.com/none.yaml#/x' }`;
  const file = `openapi: 3.1.0
info: { title: Data, version: 1.0.0, x-logo: ${nowhere} }
x-any: ${nowhere}
webhooks: { created: { post: { requestBody: ${nowhere} } } }
paths:
  x-paths: ${nowhere}
  /things:
    post:
      operationId: createThing
      x-samples: [${nowhere}]
      callbacks: { done: { '{$request.body#/url}': ${nowhere} }, gone: ${nowhere} }
      requestBody:
        required: true
        content:
          application/json:
            example: ${nowhere}
            examples: { one: { value: ${nowhere} }, two: ${nowhere} }
            schema:
              type: object
              example: ${nowhere}
              examples: [${nowhere}]
              properties:
                $ref: { type: string }
                default: { type: integer }
      responses:
        x-more: ${nowhere}
        '200': { description: The same., content: { application/json: {} }, links: { next: ${nowhere} } }
`;
  const handlers = { createThing: (request: never) => ({ status: 200, body: (request as { body: unknown }).body }) };
  await withContract({ 'openapi.yaml': file }, handlers, async (server) => {
    const post = (body: string): Promise<{ status: number; text: string }> =>
      server.request('POST', '/things', { headers: { 'Content-Type': 'application/json' }, body });
    const body = { $ref: 'text', default: 1 };
    const accepted = await post(JSON.stringify(body));
    expect(accepted.status).toBe(200);
    expect(JSON.parse(accepted.text)).toEqual(body);
    expect(await post(JSON.stringify({ ...body, $ref: 1 }))).toMatchObject({ status: 400 });
    expect(await post(JSON.stringify({ ...body, default: 'x' }))).toMatchObject({ status: 400 });
  });
});

test.each(['3.0.3', '3.1.0'])('a constant of OpenAPI %s that looks like a reference is data', async (version) => {
  const key = version === '3.0.3' ? 'enum: [1, [VALUE]]' : 'const: [VALUE]';
  const file = `openapi: ${version}
info: { title: Constants, version: 1.0.0 }
paths:
  /things:
    post:
      operationId: createThing
      requestBody:
        required: true
        content:
          application/json:
            schema:
              default: { $ref: '#/nowhere' }
              example: { $ref: '#/nowhere' }
              ${key.replace('VALUE', "{ $ref: 'none.yaml', id: 9007199254740992 }")}
      responses: { '204': { description: Created. } }
`;
  await withContract({ 'openapi.yaml': file }, { createThing: () => ({ status: 204 }) }, async (server) => {
    const post = async (body: string): Promise<number> =>
      (await server.request('POST', '/things', { headers: { 'Content-Type': 'application/json' }, body })).status;
    expect(await post('[{"$ref":"none.yaml","id":9007199254740992}]')).toBe(204);
    for (const body of [
      '[{"$ref":"none.yaml","id":1}]',
      '[{"$ref":"#/paths","id":9007199254740992}]',
      '[{"$ref":"#/info"}]',
      '[{"$ref":"none.yaml","id":9007199254740992,"more":1}]',
      '[]',
      '{"title":"Constants","version":"1.0.0"}',
    ]) {
      expect(await post(body)).toBe(400);
    }
  });
});

test('a path is followed through several references to its operations, with what stands beside', async () => {
  const file = `openapi: 3.1.0
info: { title: Paths, version: 1.0.0 }
paths:
  /one: { $ref: '#/x-items/one' }
  /two/{id}: { $ref: 'items.yaml', parameters: [{ name: id, in: path, required: true, schema: { type: integer } }] }
x-items:
  one: { $ref: '#/x-items/two' }
  two: { get: { operationId: getOne, responses: { '204': { $ref: '#/components/responses/None' } } } }
components: { responses: { None: { $ref: 'items.yaml#/x-none' } } }
`;
  const items = `get: { operationId: getTwo, responses: { '204': { $ref: 'openapi.yaml#/components/responses/None' } } }
x-none: { description: None. }
`;
  const none = () => ({ status: 204 });
  await withContract({ 'openapi.yaml': file, 'items.yaml': items }, { getOne: none, getTwo: none }, async (server) => {
    expect((await server.request('GET', '/one')).status).toBe(204);
    expect((await server.request('GET', '/two/2')).status).toBe(204);
    expect((await server.request('GET', '/two/x')).status).toBe(400);
  });
});
