import { expect, test } from '@jest/globals';
import { loadContract } from '../src/load-contract.ts';
import { ContractError } from '../src/document/refusal.ts';
import { ConfigurationError } from '../src/errors.ts';
import { contractMiddleware, type MiddlewareOptions } from '../src/middleware.ts';
import { checkContract } from '../src/prepare.ts';
import { withFiles } from './support/inline-contract.ts';

const RESPONSES = `responses: { '204': { description: None. } }`;

/** A contract with these paths; the mark » stands before each place that is refused. */
function contract(paths: string, rest = ''): string {
  return `openapi: 3.1.0\ninfo: { title: What is not served, version: 1.0.0 }\n${rest}paths:\n${paths}\n`;
}

/** A contract with one operation, whose response is that of most unless it says another. */
function operation(text: string, path = '/here'): string {
  const responses = text.includes('responses:') ? '' : `, ${RESPONSES}`;
  return contract(`  ${path}: { get: { operationId: getThing, ${text}${responses} } }`);
}

const schema = (text: string): string => contract('  {}', `components: { schemas: { ${text} } }\n`);
const security = (text: string): string =>
  contract(
    `  /here: { get: { operationId: getThing, security: [{ own: [] }], ${RESPONSES} } }`,
    `components: { securitySchemes: { own: ${text} } }\n`,
  );
const body = (text: string): string =>
  `requestBody: { content: { application/json: { schema: { properties: { here: ${text} } } } } }`;

/** A body whose property `a` has an encoding with a header; its text is STYLED. */
function encoded(mediaType: string, header: string): string {
  const encoding = `encoding: { a: { headers: { ${header}: STYLED } } }`;
  return `requestBody: { content: { ${mediaType}: { schema: { properties: { a: { type: string } } }, ${encoding} } } }`;
}

/** What a start with these files, and what `npm run generate`, refuses. */
async function refusals(files: Readonly<Record<string, string>>): Promise<{ start: string[]; check: string[] }> {
  const unmarked = Object.entries(files).map(([name, text]) => [name, text.replaceAll('»', '')]);
  return withFiles(Object.fromEntries(unmarked) as Record<string, string>, async (file) => {
    const linesOf = async (checked: Promise<unknown>): Promise<string[]> => {
      const error: unknown = await checked.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ContractError);
      const folder = new URL('.', file).pathname;
      // The assertion above has shown it.
      return (error as ContractError).lines.map((line) => line.replace(folder, ''));
    };
    const handlers = { getThing: () => ({ status: 204 }) };
    const start = loadContract(file).then((loaded) =>
      contractMiddleware({ contract: loaded, handlers, verifiers: {} }),
    );
    return { start: await linesOf(start), check: await linesOf(checkContract(file)) };
  });
}

/** The marked places, as file:line:column, in the order of the files. */
function marked(files: Readonly<Record<string, string>>): string[] {
  return Object.entries(files).flatMap(([name, text]) =>
    text.split('\n').flatMap((line, index) => {
      const columns = line.split('»').slice(0, -1);
      return columns.map((_, nth) => `${name}:${index + 1}:${columns.slice(0, nth + 1).join('').length + 1}`);
    }),
  );
}

const expectedLines = (files: Readonly<Record<string, string>>): unknown[] =>
  marked(files).map((place) => expect.stringContaining(`${place}: error: `));

/** Refused places: what, a kind of contract, its text, and the reason for each place in turn. */
const REFUSED = String.raw`
a query in a path | path | »/files?all | must end before '?', or in name=value
two parameters side by side in a path | path | »/{a}{b} | put text between two parameters
a path with an open brace | path | »'/a/{x' | close its braces
a path with a parameter without a name | path | »'/a/{}' | with a name between them
a parameter twice in a path | path | »/a/{x}/{x} | has two parameters {x}: rename one
a parameter of the path in another spelling | parameter /a/{petId} | »name: petID, in: path, required: true, schema: {}
  | the parameter 'petID' is not part of the path /a/{petId}, which has {petId}
a parameter in no place | parameter | name: a, »in: body, schema: {} | must be in path, query
a header without a name | parameter | »name: '', in: header, schema: {} | a header must have a name
a form in a parameter | parameter | name: filter, in: query, »content: { application/x-www-form-urlencoded: {} }
  | application/x-www-form-urlencoded is not served in a parameter
a parameter of no media type | parameter | name: a, in: query, »content: { json: {} } | "json" is not a media type
a parameter that may be left out by mistake | parameter | name: a, in: query, schema: {}, »required: 'yes' | true
a style by mistake | parameter | name: a, in: query, schema: {}, »explode: 'false' | must be true or false
a style of another location | parameter /{a} | name: a, in: path, »style: form, schema: {} | simple, label, matrix
a style of another location in a header of a response | operation
  | responses: { '204': { description: None., headers: { X-Count: { »style: form, schema: {} } } } }
  | its style is one of simple, not form
a style of another location in a header of a part | operation
  | requestBody: { content: { multipart/form-data: { schema: { properties: { a: {} } },
    encoding: { a: { headers: { X-Count: { »style: form, schema: {} } } } } } } }
  | its style is one of simple, not form
a mistake below a key that YAML takes for a number | schema
  | A: { properties: { 0x10: { »type: a }, 1e3: { »type: b }, 1.0: { »type: c }, 9007199254740993: { »type: d } } }
  | "a" is not a type | "b" is not a type | "c" is not a type | "d" is not a type
an impossible status | operation | responses: { »'99': { description: No. } } | not '99'
a status that is not final | operation | responses: { »'103': { description: No. } } | declare the final status
a body that may be left out by mistake | operation | requestBody: { »required: 'true', content: { text/plain: {} } }
  | required of a request body must be true or false
media types that are none | operation
  | requestBody: { »content: { '': {} } }, responses: { '200': { description: A., »content: { json: {} } } }
  | "" is not a media type | "json" is not a media type
a client certificate | security | { »type: mutualTLS } | verify client certificates in the proxy that ends TLS
an http scheme without a name | security | { »type: http, scheme: two words } | http two words is not served
an http scheme without a value | security | { »type: http, scheme: } | is not served
an API key without a name | security | { »type: apiKey, in: header } | must have a name
an API key without the value of a name | security | { »type: apiKey, in: query, name: } | must have a name
an API key with an empty name | security | { »type: apiKey, in: query, name: '' } | must have a name
an API key in a body | security | { »type: apiKey, name: key, in: body } | be in a header, query or cookie
a name and a scheme that are no texts | security | { type: http, »scheme: 5, »name: 6 }
  | scheme of a security scheme must be a string | name of a security scheme must be a string
an unknown scheme | operation | security: [{ »key: [] }] | has no 'key'
security that is no list | operation | »security: { own: [] } | security must be a list of objects
a requirement that is no object | operation | »security: [own] | security must be a list of objects
scopes that are no list | scopes | »own: read | the scopes of 'own' must be a list
scopes in the wrong brackets | scopes | »own: { read: } | the scopes of 'own' must be a list
a server that is no URL | server | »url: 'http://:99999' | is not a URL
a variable without a value | server | »url: '/{x}' | the variable 'x' of /{x} must
variables that are no object | server | »url: '/{x}', variables: | the variable 'x' of /{x} must
an enum of a variable that is no list | server | »url: '/{x}', variables: { x: { enum: a } }
  | the variable 'x' of /{x} must
references in a circle | schema | A: { »@B }, B: { »@A } | leads to itself | leads to itself
schemas that extend each other | schema | A: { allOf: [{ »@B }] }, B: { allOf: [{ »@A }] } | leads back
a dynamic reference to several schemas | schema
  | A: { »$dynamicRef: '#T' }, B: { $dynamicAnchor: T }, C: { $dynamicAnchor: T }
  | several schemas have this dynamic anchor
a reference to the network | schema | A: { »$ref: 'https://x.test/a.yaml' } | must be a file beside the contract
a reference that is no text | schema | A: { »$ref: 5 } | $ref of a schema must be a string, not 5
references that are no paths | schema | A: { »$ref: '%zz' }, B: { »$ref: 'file://host/a.yaml' }
  | must be a file beside the contract | must be a file beside the contract
a schema that is a text | schema | A: { properties: { »a: string } } | must be an object, not "string"
a type that is none | schema | A: { »type: integr } | "integr" is not a type
keywords of another type | schema
  | A: { type: integer, »maximum: '5', »minLength: '3', »pattern: 5, »enum: a, »required: true, »readOnly: 'yes',
    »minimum: .nan, »dependentRequired: { a: b } }, B: { »required: [1] }
  | maximum of a schema must be a number, not "5" | minLength of a schema must be a number
  | pattern of a schema must be a string, not 5 | enum of a schema must be a list
  | required of a schema must be a list of strings, not true | readOnly of a schema must be true or false
  | minimum of a schema must be a number | dependentRequired of a schema must be
  | required of a schema must be a list of strings
a pattern that is no expression | body | { »pattern: '(' } | no regular expression of ECMA-262
a flag for a part of a pattern | body | { »pattern: '((?i)a)b' } | no regular expression of ECMA-262
items of contains | body | { allOf: [{ contains: {} }], »unevaluatedItems: false } | with contains
items of a choice | body | { anyOf: [{ items: {} }, {}], »unevaluatedItems: false } | choice between
a tuple with a rest to judge | body | { prefixItems: [{}], maxItems: 3, »unevaluatedItems: false } | prefixItems without
patterns that are no expressions | body
  | { prefixItems: [{ »pattern: '(' }, { patternProperties: { »'(': {} } }] }
  | no regular expression of ECMA-262 | no regular expression with the flag u
`;

/** The kinds of contracts in the table below, some with a path. */
const KINDS: Readonly<Record<string, (text: string, path?: string) => string>> = {
  ...{ operation, schema, security },
  path: (text) => operation(RESPONSES, text),
  parameter: (text, path) => operation(`parameters: [{ ${text} }]`, path),
  scopes: (text) => security('{ type: http, scheme: bearer }').replace('own: []', text),
  server: (text) => operation(`servers: [{ ${text} }]`),
  body: (text) => operation(body(text)),
};

const rows = REFUSED.trim()
  .split(/\n(?! )/)
  .map((row): [string, string, ...string[]] => {
    const [what = '', kind = '', text = '', ...reasons] = row.split(/\s+\| /);
    const [name = '', path] = kind.split(' ');
    const written = text.replaceAll(/@(\w+)/g, "$ref: '#/components/schemas/$1'");
    return [what, KINDS[name]?.(written, path) ?? '', ...reasons];
  });

const GET = `get: { ${RESPONSES} }`;
test.each<[what: string, text: string, ...reasons: string[]]>([
  ['no YAML', 'openapi: [»}\n', 'the YAML does not parse'],
  ['a repeated key', `${contract('')}»info: {}\n»info: {}\n`, 'the YAML', 'the YAML'],
  ['an alias of its own value', contract(`  /a: { get: { x: &own { list: [{ »self: *own }] } } }`), 'the alias stands'],
  ['a repeated key in JSON', `{"openapi":"3.1.0","info":{},"paths":{},»"paths":{}}`, 'the YAML'],
  ['a tag of another YAML', contract('  /a: { x-a: !!binary YQ== »}'), 'unknown tag'],
  ['an empty file', '»', 'a contract must be an object'],
  ['no paths', '»openapi: 3.1.0\ninfo: {}\n', 'paths must be an object'],
  ['OpenAPI 2.0', `»swagger: '2.0'\ninfo: {}\npaths: {}\n`, 'must be a version 3.0.x or 3.1.x'],
  ['OpenAPI 3.2', `»openapi: 3.2.0\ninfo: {}\npaths: {}\n`, 'not "3.2.0"'],
  ['equal paths', contract(`  »/a/{x}: { ${GET} }\n  »/a/{y}: { ${GET} }`), 'as GET /a/{y}', 'as GET /a/{x}'],
  [
    'paths that are equal below their servers',
    contract(`  »/v1/a: { ${GET} }\n  »/a: { servers: [{ url: /v1 }], ${GET} }`),
    'is the same as GET /a',
    'is the same as GET /v1/a',
  ],
  ['paths that differ behind # only', contract(`  »/a#x: { ${GET} }\n  »/a#y: { ${GET} }`), 'put one operation'],
  [
    'two operations of one name',
    contract(`  /a: { get: { operationId: a, ${RESPONSES} }, put: { »operationId: a, ${RESPONSES} } }`),
    'the operationId a is the name of another',
  ],
  ...rows,
])('%s is refused with every place, by the start and by generate', async (_what, text, ...reasons) => {
  const files = { 'openapi.yaml': text };
  const { start, check } = await refusals(files);
  expect(start).toEqual(expectedLines(files));
  for (const [index, reason] of reasons.entries()) expect(start[index]).toContain(reason);
  expect(check).toEqual(start);
});

test.each([
  ['Content-Type of a response', `responses: { '204': { description: None., headers: { Content-Type: STYLED } } }`],
  ['Set-Cookie of a response', `responses: { '204': { description: None., headers: { set-cookie: STYLED } } }`],
  ['Content-Type of a part', encoded('multipart/form-data', 'content-type')],
  ['a field of a form', encoded('application/x-www-form-urlencoded', 'X-Count')],
])('the header %s is not read, so that its style is no reason to refuse', async (_what, text) => {
  const styled = operation(text.replace('STYLED', '{ style: form, schema: { type: string } }'));
  const operations = await withFiles({ 'openapi.yaml': styled }, async (file) => {
    const { operations } = await checkContract(file);
    return operations;
  });
  expect(operations.map(({ id }) => id)).toEqual(['getThing']);
});

test('all problems are reported at once, each with its own file', async () => {
  const files = {
    'openapi.yaml': contract(`  /things/{id}:
    get:
      operationId: getThing
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { name: session, in: cookie, »style: simple, schema: { type: string } }
        - $ref: 'parts/parts.yaml#/filter'
      ${RESPONSES}
  /things/{name}: { $ref: 'parts/item.yaml' }`),
    'parts/item.yaml': `post:
  »operationId: getThing
  parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
  requestBody: { content: { application/json: { schema: { $ref: 'parts.yaml#/ids' } } } }
  ${RESPONSES}
`,
    'parts/parts.yaml': `# Parts of several operations.
filter: { name: filter, in: query, »style: matrix, schema: { type: object } }
ids: { properties: { id: { type: integer, format: int64 }, name: { »type: text, »pattern: '[' }, own: { $ref: '#/own' } } }
own: { not: { »$ref: '#/own' } }
`,
  };
  expect((await refusals(files)).check).toEqual(expectedLines(files));
});

test('each dangling reference is reported with its own file', async () => {
  const files = {
    'openapi.yaml': operation(
      `parameters: [{ »$ref: 'parts.yaml#/nothing' }, { »$ref: 'none.yaml' }, { »$ref: '#/components/parameters/Id' },
    { $ref: 'parts.yaml#/filter' }], ${RESPONSES}`,
    ),
    'parts.yaml': "filter: { name: filter, in: query, schema: { »$ref: '#/gone' } }\n",
  };
  const { start, check } = await refusals(files);
  expect(start).toEqual(expectedLines(files));
  const names = ['parts.yaml#/nothing', 'none.yaml', '#/components/parameters/Id', '#/gone'];
  for (const [index, name] of names.entries()) expect(start[index]).toContain(name);
  expect(check).toEqual(start);
});

/** A contract with one operation. */
const own = await withFiles(
  {
    'openapi.yaml': contract(
      "  /notes/{id}: { delete: { operationId: deleteNote, responses: { '204': { description: Gone. } } } }",
      'security: [{ bearerAuth: [] }]\ncomponents: { securitySchemes: { bearerAuth: { type: http, scheme: bearer } } }\n',
    ),
  },
  loadContract,
);
const handlers = { deleteNote: () => ({ status: 204 }) };
const verifiers = { bearerAuth: () => Promise.resolve({ name: 'anybody' }) };
const start = (change: Partial<MiddlewareOptions>): Promise<unknown> =>
  contractMiddleware({ contract: own, handlers, verifiers, ...change });

/** The contract with another name or security of its operation. */
const withOperation = (change: object): typeof own => ({
  ...own,
  operations: own.operations.map((operation) => ({ ...operation, ...change })),
});
const INHERITED = withOperation({ id: 'toString' });
const { document } = own;
const securitySchemes = {
  ...document.components?.securitySchemes,
  keyAuth: { type: 'apiKey', in: 'header', name: 'key' },
};
const unused = { ...own, document: { ...document, components: { ...document.components, securitySchemes } } };

test.each<[what: string, start: () => Promise<unknown>, name: string]>([
  ['without a handler for an operation', () => start({ handlers: {} }), 'deleteNote (DELETE /notes/{id})'],
  ['with an inherited property for a handler', () => start({ contract: INHERITED, handlers: {} }), 'toString (DELETE'],
  [
    'with a handler without an operation',
    () => start({ handlers: { ...handlers, water: handlers.deleteNote } }),
    "'water'",
  ],
  ['without a verifier for a security scheme: it never fails open', () => start({ verifiers: {} }), "'bearerAuth'"],
  ['without a verifier for a scheme that no operation asks for yet', () => start({ contract: unused }), "'keyAuth'"],
  ...['toString', 'constructor', '__proto__'].map((name): [string, () => Promise<unknown>, string] => [
    `with a security scheme named ${name}, which every object inherits`,
    () => start({ contract: withOperation({ security: [Object.fromEntries([[name, []]])] }) }),
    `'${name}'`,
  ]),
  ['without its contract', () => loadContract(new URL('file:///nowhere/none.yaml')), 'none.yaml'],
])('the service does not start %s, and one line says so', async (_what, started, name) => {
  const thrown: unknown = await started().catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(ConfigurationError);
  // The assertion above has shown it.
  const { message } = thrown as ConfigurationError;
  expect(message).toContain(name);
  expect(message).not.toContain('\n');
});
