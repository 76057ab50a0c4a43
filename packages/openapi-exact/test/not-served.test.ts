import { expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { loadContract } from '../src/load-contract.ts';
import { ContractError } from '../src/document/refusal.ts';
import { ConfigurationError } from '../src/errors.ts';
import { contractMiddleware } from '../src/middleware.ts';
import type { MiddlewareOptions } from '../src/options.ts';
import { reviewContract } from '../src/review.ts';
import { withFiles } from './support/inline-contract.ts';

const RESPONSES = `responses: { '204': { description: None. } }`;

/** A contract with these paths. */
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
const atPath = (path: string): string => operation(RESPONSES, path);
const withParameter = (text: string, path?: string): string => operation(`parameters: [{ ${text} }]`, path);
const withServer = (text: string): string => operation(`servers: [{ ${text} }]`);
/** An operation that asks for scopes of the scheme `own`. */
const withScopes = (text: string): string => security('{ type: http, scheme: bearer }').replace('own: []', text);
/** An operation whose body has a property with a schema. */
const withBody = (text: string): string =>
  operation(`requestBody: { content: { application/json: { schema: { properties: { here: ${text} } } } } }`);

/** A body whose property `a` has an encoding with a header; its text is STYLED. */
function encoded(mediaType: string, header: string): string {
  const encoding = `encoding: { a: { headers: { ${header}: STYLED } } }`;
  return `requestBody: { content: { ${mediaType}: { schema: { properties: { a: { type: string } } }, ${encoding} } } }`;
}

/** What a start with these files, and what `npm run generate`, refuses. */
async function refusals(files: Readonly<Record<string, string>>): Promise<{ start: string[]; check: string[] }> {
  return withFiles(files, async (file) => {
    const folder = new URL('.', file).pathname;
    const linesOf = async (checked: Promise<unknown>): Promise<string[]> => {
      const error: unknown = await checked.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ContractError);
      // The assertion above has shown it.
      const { lines } = error as ContractError;
      // What Node prints of an uncaught error has each line once.
      for (const line of lines) expect(inspect(error, { depth: 5 }).split(line)).toHaveLength(2);
      return lines.map((line) => line.replace(folder, ''));
    };
    const handlers = { getThing: () => ({ status: 204 }) };
    const start = loadContract(file).then((loaded) =>
      contractMiddleware({ contract: loaded, handlers, verifiers: {} }),
    );
    const { errors } = await reviewContract(file);
    return { start: await linesOf(start), check: errors.map((line) => line.replace(folder, '')) };
  });
}

const expectedLines = (places: readonly string[]): unknown[] =>
  places.map((place) => expect.stringContaining(`${place}: error: `));

const GET = `get: { ${RESPONSES} }`;

/** A contract, and the place and the reason of each refusal. */
interface Refused {
  readonly what: string;
  readonly text: string;
  readonly refusals: readonly (readonly [place: string, reason: string])[];
}

const REFUSED: readonly Refused[] = [
  {
    what: 'no YAML',
    text: 'openapi: [}\n',
    refusals: [['openapi.yaml:1:11', 'the YAML does not parse']],
  },
  {
    what: 'a repeated key',
    text: `${contract('')}info: {}\ninfo: {}\n`,
    refusals: [
      ['openapi.yaml:5:1', 'the YAML'],
      ['openapi.yaml:6:1', 'the YAML'],
    ],
  },
  {
    what: 'an alias of its own value',
    text: contract(`  /a: { get: { x: &own { list: [{ self: *own }] } } }`),
    refusals: [['openapi.yaml:4:35', 'the alias stands']],
  },
  {
    what: 'a repeated key in JSON',
    text: `{"openapi":"3.1.0","info":{},"paths":{},"paths":{}}`,
    refusals: [['openapi.yaml:1:41', 'the YAML']],
  },
  {
    what: 'a tag of another YAML',
    text: contract('  /a: { x-a: !!binary YQ== }'),
    refusals: [['openapi.yaml:4:28', 'unknown tag']],
  },
  {
    what: 'an empty file',
    text: '',
    refusals: [['openapi.yaml:1:1', 'a contract must be an object']],
  },
  {
    what: 'no paths',
    text: 'openapi: 3.1.0\ninfo: {}\n',
    refusals: [['openapi.yaml:1:1', 'paths must be an object']],
  },
  {
    what: 'OpenAPI 2.0',
    text: `swagger: '2.0'\ninfo: {}\npaths: {}\n`,
    refusals: [['openapi.yaml:1:1', 'must be a version 3.0.x or 3.1.x']],
  },
  {
    what: 'OpenAPI 3.2',
    text: `openapi: 3.2.0\ninfo: {}\npaths: {}\n`,
    refusals: [['openapi.yaml:1:1', 'not "3.2.0"']],
  },
  {
    what: 'equal paths',
    text: contract(`  /a/{x}: { ${GET} }\n  /a/{y}: { ${GET} }`),
    refusals: [
      ['openapi.yaml:4:3', 'as GET /a/{y}'],
      ['openapi.yaml:5:3', 'as GET /a/{x}'],
    ],
  },
  {
    what: 'paths that are equal below their servers',
    text: contract(`  /v1/a: { ${GET} }\n  /a: { servers: [{ url: /v1 }], ${GET} }`),
    refusals: [
      ['openapi.yaml:4:3', 'is the same as GET /a'],
      ['openapi.yaml:5:3', 'is the same as GET /v1/a'],
    ],
  },
  {
    what: 'paths that differ behind # only',
    text: contract(`  /a#x: { ${GET} }\n  /a#y: { ${GET} }`),
    refusals: [
      ['openapi.yaml:4:3', 'put one operation'],
      ['openapi.yaml:5:3', 'put one operation'],
    ],
  },
  {
    what: 'an operation without responses in OpenAPI 3.0',
    text: contract(`  /a: { get: {} }`).replace('3.1.0', '3.0.3'),
    refusals: [['openapi.yaml:4:9', 'an operation must have responses: declare']],
  },
  {
    what: 'misspelt responses',
    text: contract(`  /a: { get: { re${RESPONSES.slice(3)} } }`),
    refusals: [['openapi.yaml:4:9', 'an operation must have responses: declare']],
  },
  {
    what: 'two operations of one name',
    text: contract(`  /a: { get: { operationId: a, ${RESPONSES} }, put: { operationId: a, ${RESPONSES} } }`),
    refusals: [['openapi.yaml:4:87', 'the operationId a is the name of another']],
  },
  {
    what: 'a query in a path',
    text: atPath('/files?all'),
    refusals: [['openapi.yaml:4:3', `must end before '?', or in name=value`]],
  },
  {
    what: 'two parameters side by side in a path',
    text: atPath('/{a}{b}'),
    refusals: [['openapi.yaml:4:3', 'put text between two parameters']],
  },
  {
    what: "a parameter of the path behind '#'",
    text: atPath('/send#to/{a}'),
    refusals: [['openapi.yaml:4:3', "has a parameter behind '#'"]],
  },
  {
    what: 'a path with an open brace',
    text: atPath(`'/a/{x'`),
    refusals: [['openapi.yaml:4:3', 'close its braces']],
  },
  {
    what: 'a path with a parameter without a name',
    text: atPath(`'/a/{}'`),
    refusals: [['openapi.yaml:4:3', 'with a name between them']],
  },
  {
    what: 'a parameter twice in a path',
    text: atPath('/a/{x}/{x}'),
    refusals: [['openapi.yaml:4:3', 'has two parameters {x}: rename one']],
  },
  {
    what: 'a parameter of the path in another spelling',
    text: withParameter('name: petID, in: path, required: true, schema: {}', '/a/{petId}'),
    refusals: [['openapi.yaml:4:62', `the parameter 'petID' is not part of the path /a/{petId}, which has {petId}`]],
  },
  {
    what: 'a parameter in no place',
    text: withParameter('name: a, in: body, schema: {}'),
    refusals: [['openapi.yaml:4:66', 'must be in path, query']],
  },
  {
    what: 'a header without a name',
    text: withParameter(`name: '', in: header, schema: {}`),
    refusals: [['openapi.yaml:4:57', 'a header must have a name']],
  },
  {
    what: 'a form in a parameter',
    text: withParameter('name: filter, in: query, content: { application/x-www-form-urlencoded: {} }'),
    refusals: [['openapi.yaml:4:82', 'application/x-www-form-urlencoded is not served in a parameter']],
  },
  {
    what: 'a parameter of no media type',
    text: withParameter('name: a, in: query, content: { json: {} }'),
    refusals: [['openapi.yaml:4:77', '"json" is not a media type']],
  },
  {
    what: 'a parameter that may be left out by mistake',
    text: withParameter(`name: a, in: query, schema: {}, required: 'yes'`),
    refusals: [['openapi.yaml:4:89', 'true']],
  },
  {
    what: 'a style by mistake',
    text: withParameter(`name: a, in: query, schema: {}, explode: 'false'`),
    refusals: [['openapi.yaml:4:89', 'must be true or false']],
  },
  {
    what: 'a style of another location',
    text: withParameter('name: a, in: path, style: form, schema: {}', '/{a}'),
    refusals: [['openapi.yaml:4:75', 'simple, label, matrix']],
  },
  {
    what: 'a style of another location in a header of a response',
    text: operation(`responses: { '204': { description: None., headers: { X-Count: { style: form, schema: {} } } } }`),
    refusals: [['openapi.yaml:4:106', 'its style is one of simple, not form']],
  },
  {
    what: 'a style of another location in a header of a part',
    text: operation(
      'requestBody: { content: { multipart/form-data: { schema: { properties: { a: {} } }, encoding: { a: { headers: { X-Count: { style: form, schema: {} } } } } } } }',
    ),
    refusals: [['openapi.yaml:4:165', 'its style is one of simple, not form']],
  },
  {
    what: 'a mistake below a key that YAML takes for a number',
    text: schema(
      'A: { properties: { 0x10: { type: a }, 1e3: { type: b }, 1.0: { type: c }, 9007199254740993: { type: d } } }',
    ),
    refusals: [
      ['openapi.yaml:3:53', '"a" is not a type'],
      ['openapi.yaml:3:71', '"b" is not a type'],
      ['openapi.yaml:3:89', '"c" is not a type'],
      ['openapi.yaml:3:120', '"d" is not a type'],
    ],
  },
  {
    what: 'an impossible status',
    text: operation(`responses: { '99': { description: No. } }`),
    refusals: [['openapi.yaml:4:55', `not '99'`]],
  },
  {
    what: 'a status that is not final',
    text: operation(`responses: { '103': { description: No. } }`),
    refusals: [['openapi.yaml:4:55', 'declare the final status']],
  },
  {
    what: 'a body that may be left out by mistake',
    text: operation(`requestBody: { required: 'true', content: { text/plain: {} } }`),
    refusals: [['openapi.yaml:4:57', 'required of a request body must be true or false']],
  },
  {
    what: 'media types that are none',
    text: operation(
      `requestBody: { content: { '': {} } }, responses: { '200': { description: A., content: { json: {} } } }`,
    ),
    refusals: [
      ['openapi.yaml:4:57', '"" is not a media type'],
      ['openapi.yaml:4:119', '"json" is not a media type'],
    ],
  },
  {
    what: 'a client certificate',
    text: security('{ type: mutualTLS }'),
    refusals: [['openapi.yaml:3:41', 'verify client certificates in the proxy that ends TLS']],
  },
  {
    what: 'an http scheme without a name',
    text: security('{ type: http, scheme: two words }'),
    refusals: [['openapi.yaml:3:41', 'http two words is not served']],
  },
  {
    what: 'an http scheme without a value',
    text: security('{ type: http, scheme: }'),
    refusals: [['openapi.yaml:3:41', 'is not served']],
  },
  {
    what: 'an API key without a name',
    text: security('{ type: apiKey, in: header }'),
    refusals: [['openapi.yaml:3:41', 'must have a name']],
  },
  {
    what: 'an API key without the value of a name',
    text: security('{ type: apiKey, in: query, name: }'),
    refusals: [['openapi.yaml:3:41', 'must have a name']],
  },
  {
    what: 'an API key with an empty name',
    text: security(`{ type: apiKey, in: query, name: '' }`),
    refusals: [['openapi.yaml:3:41', 'must have a name']],
  },
  {
    what: 'an API key in a body',
    text: security('{ type: apiKey, name: key, in: body }'),
    refusals: [['openapi.yaml:3:41', 'be in a header, query or cookie']],
  },
  {
    what: 'a name and a scheme that are no texts',
    text: security('{ type: http, scheme: 5, name: 6 }'),
    refusals: [
      ['openapi.yaml:3:53', 'scheme of a security scheme must be a string'],
      ['openapi.yaml:3:64', 'name of a security scheme must be a string'],
    ],
  },
  {
    what: 'an unknown scheme',
    text: operation('security: [{ key: [] }]'),
    refusals: [['openapi.yaml:4:55', `has no 'key'`]],
  },
  {
    what: 'security that is no list',
    text: operation('security: { own: [] }'),
    refusals: [['openapi.yaml:4:42', 'security must be a list of objects']],
  },
  {
    what: 'a requirement that is no object',
    text: operation('security: [own]'),
    refusals: [['openapi.yaml:4:42', 'security must be a list of objects']],
  },
  {
    what: 'scopes that are no list',
    text: withScopes('own: read'),
    refusals: [['openapi.yaml:5:55', `the scopes of 'own' must be a list`]],
  },
  {
    what: 'scopes in the wrong brackets',
    text: withScopes('own: { read: }'),
    refusals: [['openapi.yaml:5:55', `the scopes of 'own' must be a list`]],
  },
  {
    what: 'a server that is no URL',
    text: withServer(`url: 'http://:99999'`),
    refusals: [['openapi.yaml:4:54', 'is not a URL']],
  },
  {
    what: 'a variable without a value',
    text: withServer(`url: '/{x}'`),
    refusals: [['openapi.yaml:4:54', `the variable 'x' of /{x} must`]],
  },
  {
    what: 'variables that are no object',
    text: withServer(`url: '/{x}', variables:`),
    refusals: [['openapi.yaml:4:54', `the variable 'x' of /{x} must`]],
  },
  {
    what: 'an enum of a variable that is no list',
    text: withServer(`url: '/{x}', variables: { x: { enum: a } }`),
    refusals: [['openapi.yaml:4:54', `the variable 'x' of /{x} must`]],
  },
  {
    what: 'variables whose values multiply',
    text: withServer(
      `url: '/{a}/{b}/{c}/{d}', variables: { ${['a', 'b', 'c', 'd'].map((name) => `${name}: { enum: [1, 2, 3, 4, 5, 6] }`).join(', ')} }`,
    ),
    refusals: [['openapi.yaml:4:54', 'the variables of /{a}/{b}/{c}/{d} stand for more than 1000 paths']],
  },
  {
    what: 'references in a circle',
    text: schema(`A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' }`),
    refusals: [
      ['openapi.yaml:3:31', 'leads to itself'],
      ['openapi.yaml:3:70', 'leads to itself'],
    ],
  },
  {
    what: 'schemas that extend each other',
    text: schema(
      `A: { allOf: [{ $ref: '#/components/schemas/B' }] }, B: { allOf: [{ $ref: '#/components/schemas/A' }] }`,
    ),
    refusals: [
      ['openapi.yaml:3:41', 'leads back'],
      ['openapi.yaml:3:93', 'leads back'],
    ],
  },
  {
    what: 'a dynamic reference to several schemas',
    text: schema(`A: { $dynamicRef: '#T' }, B: { $dynamicAnchor: T }, C: { $dynamicAnchor: T }`),
    refusals: [['openapi.yaml:3:31', 'several schemas have this dynamic anchor']],
  },
  {
    what: 'a reference to the network',
    text: schema(`A: { $ref: 'https://x.test/a.yaml' }`),
    refusals: [['openapi.yaml:3:31', 'must be a file beside the contract']],
  },
  {
    what: 'a reference that is no text',
    text: schema('A: { $ref: 5 }'),
    refusals: [['openapi.yaml:3:31', '$ref of a schema must be a string, not 5']],
  },
  {
    what: 'references that are no paths',
    text: schema(`A: { $ref: '%zz' }, B: { $ref: 'file://host/a.yaml' }`),
    refusals: [
      ['openapi.yaml:3:31', 'must be a file beside the contract'],
      ['openapi.yaml:3:51', 'must be a file beside the contract'],
    ],
  },
  {
    what: 'a schema that is a text',
    text: schema('A: { properties: { a: string } }'),
    refusals: [['openapi.yaml:3:45', 'must be an object, not "string"']],
  },
  {
    what: 'a type that is none',
    text: schema('A: { type: integr }'),
    refusals: [['openapi.yaml:3:31', '"integr" is not a type']],
  },
  {
    what: 'keywords of another type',
    text: schema(
      `A: { type: integer, maximum: '5', minLength: '3', pattern: 5, enum: a, required: true, readOnly: 'yes', minimum: .nan, dependentRequired: { a: b } }, B: { required: [1] }`,
    ),
    refusals: [
      ['openapi.yaml:3:46', 'maximum of a schema must be a number, not "5"'],
      ['openapi.yaml:3:60', 'minLength of a schema must be a number'],
      ['openapi.yaml:3:76', 'pattern of a schema must be a string, not 5'],
      ['openapi.yaml:3:88', 'enum of a schema must be a list'],
      ['openapi.yaml:3:97', 'required of a schema must be a list of strings, not true'],
      ['openapi.yaml:3:113', 'readOnly of a schema must be true or false'],
      ['openapi.yaml:3:130', 'minimum of a schema must be a number'],
      ['openapi.yaml:3:145', 'dependentRequired of a schema must be'],
      ['openapi.yaml:3:181', 'required of a schema must be a list of strings'],
    ],
  },
  {
    what: 'a pattern that is no expression',
    text: withBody(`{ pattern: '(' }`),
    refusals: [['openapi.yaml:4:120', 'no regular expression of ECMA-262']],
  },
  {
    what: 'a flag for a part of a pattern',
    text: withBody(`{ pattern: '((?i)a)b' }`),
    refusals: [['openapi.yaml:4:120', 'no regular expression of ECMA-262']],
  },
  {
    what: 'a default that contains itself',
    text: contract(
      `  /here: { post: { operationId: getThing, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Node' } } } }, ${RESPONSES} } }`,
      `components: { schemas: { Node: { default: {}, properties: { next: { $ref: '#/components/schemas/Node' } } } } }\n`,
    ),
    refusals: [['openapi.yaml:3:34', 'the same default, without end']],
  },
  {
    what: 'items of contains',
    text: withBody('{ allOf: [{ contains: {} }], unevaluatedItems: false }'),
    refusals: [['openapi.yaml:4:147', 'with contains']],
  },
  {
    what: 'items of a choice',
    text: withBody('{ anyOf: [{ items: {} }, {}], unevaluatedItems: false }'),
    refusals: [['openapi.yaml:4:148', 'choice between']],
  },
  {
    what: 'a tuple with a rest to judge',
    text: withBody('{ prefixItems: [{}], maxItems: 3, unevaluatedItems: false }'),
    refusals: [['openapi.yaml:4:152', 'prefixItems that further items may follow']],
  },
  {
    what: 'more properties than the validator takes',
    text: withBody(`{ properties: { ${Array.from({ length: 1_001 }, (_, index) => `p${index}: {}`).join(', ')} } }`),
    refusals: [['openapi.yaml:4:120', 'at most 1000 members']],
  },
  {
    what: 'more alternatives than the validator takes',
    text: withBody(`{ oneOf: [${Array.from({ length: 1_001 }, (_, index) => `{ const: ${index} }`).join(', ')}] }`),
    refusals: [['openapi.yaml:4:120', 'at most 1000 members']],
  },
  {
    what: 'patterns that are no expressions',
    text: withBody(`{ prefixItems: [{ pattern: '(' }, { patternProperties: { '(': {} } }] }`),
    refusals: [
      ['openapi.yaml:4:136', 'no regular expression of ECMA-262'],
      ['openapi.yaml:4:175', 'no regular expression with the flag u'],
    ],
  },
];

test.each(REFUSED)(
  '$what is refused with every place, by the start and by generate',
  async ({ text, refusals: expected }) => {
    const { start, check } = await refusals({ 'openapi.yaml': text });
    expect(start).toEqual(expectedLines(expected.map(([place]) => place)));
    expect(check).toHaveLength(start.length);
    for (const [index, [place, reason]] of expected.entries()) {
      expect(start[index]).toContain(reason);
      // A review names the misspelt key that causes a refusal, in the same line.
      expect(check[index]).toContain(place.replace(/:\d+$/, ':'));
      expect(check[index]).toContain(reason);
    }
  },
);

test.each([
  ['Content-Type of a response', `responses: { '204': { description: None., headers: { Content-Type: STYLED } } }`],
  ['Set-Cookie of a response', `responses: { '204': { description: None., headers: { set-cookie: STYLED } } }`],
  ['Content-Type of a part', encoded('multipart/form-data', 'content-type')],
  ['a field of a form', encoded('application/x-www-form-urlencoded', 'X-Count')],
])('the header %s is not read, so that its style is no reason to refuse', async (_what, text) => {
  const styled = operation(text.replace('STYLED', '{ style: form, schema: { type: string } }'));
  const operations = await withFiles({ 'openapi.yaml': styled }, async (file) => {
    const { operations } = await loadContract(file);
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
        - { name: session, in: cookie, style: simple, schema: { type: string } }
        - $ref: 'parts/parts.yaml#/filter'
      ${RESPONSES}
  /things/{name}: { $ref: 'parts/item.yaml' }`),
    'parts/item.yaml': `post:
  operationId: getThing
  parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
  requestBody: { content: { application/json: { schema: { $ref: 'parts.yaml#/ids' } } } }
  ${RESPONSES}
`,
    'parts/parts.yaml': `# Parts of several operations.
filter: { name: filter, in: query, style: matrix, schema: { type: object } }
ids: { properties: { id: { type: integer, format: int64 }, name: { type: text, pattern: '[' }, own: { $ref: '#/own' } } }
own: { not: { $ref: '#/own' } }
`,
  };
  const places = [
    'openapi.yaml:9:40',
    'parts/item.yaml:2:3',
    'parts/parts.yaml:2:36',
    'parts/parts.yaml:3:68',
    'parts/parts.yaml:3:80',
    'parts/parts.yaml:4:15',
  ];
  expect((await refusals(files)).check).toEqual(expectedLines(places));
});

/** Schemas that each refer to the next one, on lines of their own. */
function chained(length: number, schemaWith: (next: string) => string, last = '{ type: string }'): string {
  const all = Array.from({ length }, (_, at) => schemaWith(`'#/components/schemas/S${at + 1}'`));
  return schema([...all, last].map((text, at) => `S${at}: ${text}`).join(',\n      '));
}

const extending = (next: string): string => `{ allOf: [{ $ref: ${next} }] }`;
const CIRCLE = chained(1000, extending, extending(`'#/components/schemas/S0'`));

test.each([
  ['a long chain of references', chained(1000, (next) => `{ $ref: ${next} }`), 'behind more than 250 references'],
  ['a long chain of extensions', chained(1000, extending), 'behind more than 250 references'],
  ['a long circle of extensions', CIRCLE, 'leads back to itself'],
  [
    'alternatives that double at each level',
    chained(40, (next) => `{ oneOf: [{ $ref: ${next} }, { $ref: ${next} }] }`),
    'more than 10000 times',
  ],
  ['YAML that is nested too deeply', `${contract('  {}')}x-deep:\n  ${'- '.repeat(5000)}a\n`, 'nested too deeply'],
])('%s is refused at once, with the way out', async (_what, text, reason) => {
  const { start, check } = await refusals({ 'openapi.yaml': text });
  expect(start).toEqual(check);
  expect(new Set(check.map((line) => line.replace(/:\d+:\d+:/, ':')))).toEqual(
    new Set([expect.stringMatching(new RegExp(`^openapi.yaml: error: .*${reason}.*: .*\\.$`))]),
  );
});

test('each dangling reference is reported with its own file', async () => {
  const files = {
    'openapi.yaml': operation(
      `parameters: [{ $ref: 'parts.yaml#/nothing' }, { $ref: 'none.yaml' }, { $ref: '#/components/parameters/Id' },
    { $ref: 'parts.yaml#/filter' }], ${RESPONSES}`,
    ),
    'parts.yaml': "filter: { name: filter, in: query, schema: { $ref: '#/gone' } }\n",
  };
  const { start, check } = await refusals(files);
  const expected = [
    ['openapi.yaml:4:57', 'parts.yaml#/nothing'],
    ['openapi.yaml:4:90', 'none.yaml'],
    ['openapi.yaml:4:113', '#/components/parameters/Id'],
    ['parts.yaml:1:46', '#/gone'],
  ] as const;
  expect(start).toEqual(expectedLines(expected.map(([place]) => place)));
  for (const [index, [, name]] of expected.entries()) expect(start[index]).toContain(name);
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
