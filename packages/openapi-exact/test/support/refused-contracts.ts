export const RESPONSES = `responses: { '204': { description: None. } }`;

/** A contract with these paths. */
export function contract(paths: string, rest = ''): string {
  return `openapi: 3.1.0\ninfo: { title: What is not served, version: 1.0.0 }\n${rest}paths:\n${paths}\n`;
}

/** A contract with one operation, whose response is that of most unless it says another. */
export function operation(text: string, path = '/here'): string {
  const responses = text.includes('responses:') ? '' : `, ${RESPONSES}`;
  return contract(`  ${path}: { get: { operationId: getThing, ${text}${responses} } }`);
}

export const schema = (text: string): string => contract('  {}', `components: { schemas: { ${text} } }\n`);
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
export function encoded(mediaType: string, header: string): string {
  const encoding = `encoding: { a: { headers: { ${header}: STYLED } } }`;
  return `requestBody: { content: { ${mediaType}: { schema: { properties: { a: { type: string } } }, ${encoding} } } }`;
}

const GET = `get: { ${RESPONSES} }`;

/** A contract, and the place and the reason of each refusal. */
interface Refused {
  readonly what: string;
  readonly text: string;
  readonly refusals: readonly (readonly [place: string, reason: string])[];
}

export const REFUSED: readonly Refused[] = [
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
    refusals: [['openapi.yaml:1:1', 'must be a version 3.0.x, 3.1.x or 3.2.x']],
  },
  {
    what: 'OpenAPI 3.3',
    text: `openapi: 3.3.0\ninfo: {}\npaths: {}\n`,
    refusals: [['openapi.yaml:1:1', 'not "3.3.0"']],
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
    what: 'a pattern that is not an expression',
    text: withBody(`{ pattern: '(' }`),
    refusals: [['openapi.yaml:4:120', 'not a regular expression of ECMA-262']],
  },
  {
    what: 'a flag for a part of a pattern',
    text: withBody(`{ pattern: '((?i)a)b' }`),
    refusals: [['openapi.yaml:4:120', 'not a regular expression of ECMA-262']],
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
    what: 'patterns that are not expressions',
    text: withBody(`{ prefixItems: [{ pattern: '(' }, { patternProperties: { '(': {} } }] }`),
    refusals: [
      ['openapi.yaml:4:136', 'not a regular expression of ECMA-262'],
      ['openapi.yaml:4:175', 'not a regular expression with the flag u'],
    ],
  },
];
