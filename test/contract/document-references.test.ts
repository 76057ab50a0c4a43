import { expect, test } from '@jest/globals';
import { withContract } from '../support/inline-contract.ts';

/** A contract of one operation with a JSON body, and the components of its schemas. */
function contract(schema: string, schemas = '', version = '3.1.0', rest = ''): string {
  return `openapi: ${version}
info: { title: References, version: 1.0.0 }
${rest}
paths:
  /things:
    post:
      operationId: createThing
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      responses: { '204': { description: Created. } }
components: { schemas: { ${schemas} } }
`;
}

/** A contract whose body has the schema to which a reference leads. */
const reference = (to: string, schemas?: string, more = ''): string => contract(`{ ${more}$ref: '${to}' }`, schemas);

/** The statuses of requests with these bodies. */
function statuses(files: Record<string, string>, bodies: readonly string[]): Promise<number[]> {
  return withContract(files, { createThing: () => ({ status: 204 }) }, async (server) => {
    const headers = { 'Content-Type': 'application/json' };
    const found = [];
    for (const body of bodies) found.push((await server.request('POST', '/things', { headers, body })).status);
    return found;
  });
}

/** A schema whose one property must be 1. */
const THING = '{ type: object, required: [here], properties: { here: { const: 1 } } }';
const BASE = "$id: 'https://x.test/a'";
const ANCHORED = `x-thing: &thing ${THING}`;

test.each<[what: string, contract: string, others?: Record<string, string>]>([
  ['a component', reference('#/components/schemas/A', `A: ${THING}`)],
  ['a key with other characters', reference('#/components/schemas/a~1b%20%C3%A4~0%25', `'a/b ä~%': ${THING}`)],
  [
    'a part of another reference',
    reference(
      '#/components/schemas/A/properties/part',
      `A: { $ref: '#/components/schemas/B' }, B: { properties: { part: ${THING} } }`,
    ),
  ],
  ['a place of an extension', contract(`{ allOf: [{ $ref: '#/x-more/0' }] }`, '', '3.1.0', `x-more: [${THING}]`)],
  ['$defs', reference('#/$defs/b', '', `${BASE}, $defs: { b: ${THING} }, `)],
  ['an anchor', reference('#thing', `A: { properties: { x: { $anchor: thing, allOf: [${THING}] } } }`)],
  ['an $id, relative to another', reference('c', `A: { $id: 'https://x.test/c', allOf: [${THING}] }`, `${BASE}, `)],
  [
    'a pointer that is counted from the file, although its schema has an $id',
    contract(`{ $id: inner, allOf: [{ $ref: '#/components/schemas/A' }] }`, `A: ${THING}`),
  ],
  [
    'a dynamic anchor that is the only one',
    contract(`{ $dynamicRef: '#T' }`, `A: { $dynamicAnchor: T, allOf: [${THING}] }`),
  ],
  ['a whole file', reference('parts/thing.yaml'), { 'parts/thing.yaml': THING }],
  [
    'a file of JSON',
    reference('./thing.json#/a'),
    { 'thing.json': '{"a":{"required":["here"],"properties":{"here":{"const":1}}}}' },
  ],
  [
    'files that refer to each other',
    reference('parts/a.yaml#/A', `A: ${THING}`),
    {
      'parts/a.yaml': `{ A: { $ref: 'b.yaml#/B' }, C: { $ref: '../openapi.yaml#/components/schemas/A' } }`,
      'parts/b.yaml': `{ B: { $ref: 'a.yaml#/C' } }`,
    },
  ],
  [
    'schemas of the same name in several files',
    contract(`{ allOf: [{ $ref: 'a.yaml#/A' }, { $ref: 'b.yaml#/A' }] }`, `A: { type: object }`),
    { 'a.yaml': `A: { required: [here] }`, 'b.yaml': `A: { properties: { here: { const: 1 } } }` },
  ],
  [
    'a file with all schemas',
    contract(`{ $ref: '#/components/schemas/A' }`).replace('schemas: {', `schemas: { $ref: schemas.yaml`),
    { 'schemas.yaml': `A: ${THING}` },
  ],
  ['a YAML anchor', contract('*thing', '', '3.1.0', ANCHORED)],
  ['a YAML merge', contract(`{ <<: *thing, title: A thing }`, '', '3.1.0', ANCHORED)],
])('%s is followed to the schema of a body', async (_what, text, others = {}) => {
  const bodies = ['{"here":1}', '{"here":2}', '{}'];
  expect(await statuses({ 'openapi.yaml': text, ...others }, bodies)).toEqual([204, 400, 400]);
});

test('a recursive schema is applied at each depth, across files', async () => {
  const files = {
    'openapi.yaml': contract(`{ $ref: 'tree.yaml' }`),
    'tree.yaml': `{ additionalProperties: false, properties: { leaf: { type: string }, trees: { items: { $ref: '#' } } } }`,
  };
  const bodies = ['{"leaf":"a"}', '{"leaf":1}', '{"tree":[]}'].map((leaf) => `{"trees":[{"trees":[${leaf}]},{}]}`);
  expect(await statuses(files, bodies)).toEqual([204, 400, 400]);
});

test('what looks like a reference in data is data, even if it leads nowhere', async () => {
  const nowhere = `{ $ref: 'https://example.com/none.yaml#/x' }`;
  const file = `openapi: 3.1.0
info: { title: Data, version: 1.0.0, x-logo: ${nowhere} }
x-any: ${nowhere}
webhooks:
  created: { post: { requestBody: ${nowhere} } }
  done: { post: { requestBody: { content: { application/json: { schema: ${nowhere} } } } } }
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

test.each([
  ['3.0.3', 'enum: [1, [VALUE]]'],
  ['3.1.0', 'const: [VALUE]'],
])('a constant of OpenAPI %s that looks like a reference is data', async (version, constant) => {
  const key = constant.replace('VALUE', "{ $ref: 'none.yaml', id: 9007199254740992 }");
  const schema = `{ default: { $ref: '#/nowhere' }, example: { $ref: '#/nowhere' }, ${key} }`;
  const wrong = [
    ...['[{"$ref":"none.yaml","id":1}]', '[{"$ref":"#/paths","id":9007199254740992}]', '[{"$ref":"#/info"}]'],
    ...['[{"$ref":"none.yaml","id":9007199254740992,"more":1}]', '[]'],
    ...['{"title":"References","version":"1.0.0"}'],
  ];
  const bodies = ['[{"$ref":"none.yaml","id":9007199254740992}]', ...wrong];
  const expected = [204, ...wrong.map(() => 400)];
  expect(await statuses({ 'openapi.yaml': contract(schema, '', version) }, bodies)).toEqual(expected);
});

test('a property called $ref has its name for rules on names, beside a constant with one', async () => {
  const object = (rules: string): string => `type: object, properties: { by: { type: object, ${rules} } }`;
  const files = (rules: string): Record<string, string> => ({
    'openapi.yaml': contract(`{ ${object(rules)}, not: { const: { $ref: 'none.yaml' } } }`),
  });
  const bodies = ['{"by":{"$ref":1}}', '{"by":{"$ref":"x"}}', '{"by":{"$rex":1}}', '{"$ref":"none.yaml"}'];
  const byPattern = `patternProperties: { '^[$]ref$': { type: integer } }, additionalProperties: false`;
  expect(await statuses(files(byPattern), bodies)).toEqual([204, 400, 400, 400]);
  const byName = 'propertyNames: { enum: [$ref] }, additionalProperties: { type: integer }';
  expect(await statuses(files(byName), bodies)).toEqual([204, 400, 400, 400]);
  const byLength = `propertyNames: { maxLength: 4, pattern: '^[$]ref$' }, properties: { $ref: { type: integer } }`;
  expect(await statuses(files(byLength), bodies)).toEqual([204, 400, 400, 400]);
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
