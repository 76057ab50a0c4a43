import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadContract } from '../../src/contract/document/load.ts';
import { mountContract } from '../../src/contract/mount.ts';
import { checkContract } from '../../src/contract/prepare.ts';
import { ContractError } from '../../src/contract/document/refusal.ts';
import { temporaryFolder } from '../support/service.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => rm(folder, { recursive: true }));

/**
 * What a start with these files, and what `npm run generate`, refuses: places in the order of the
 * files.
 */
async function refusals(
  files: Record<string, string>,
): Promise<{ start: readonly string[]; check: readonly string[] }> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text.replaceAll('»', ''));
  }
  const file = pathToFileURL(join(folder, 'openapi.yaml'));
  const handlers = { getThing: () => ({ status: 204 }) };
  const start = loadContract(file).then((contract) => mountContract({ contract, handlers, verifiers: {} }));
  return { start: await linesOf(start), check: await linesOf(checkContract(file)) };
}

async function linesOf(checked: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await checked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ContractError);
  // The assertion above has shown it.
  return (error as ContractError).lines.map((line) => line.replace(`${folder}/`, ''));
}

/** The places that the mark » stands before, as file:line:column. */
function marked(files: Record<string, string>): string[] {
  return Object.entries(files).flatMap(([name, text]) =>
    text.split('\n').flatMap((line, index) => {
      const columns = line.split('»').slice(0, -1);
      return columns.map((_, nth) => `${name}:${index + 1}:${columns.slice(0, nth + 1).join('').length + 1}`);
    }),
  );
}

/** A contract with one operation. */
function contract(operation: string, path = '/here'): string {
  return `openapi: 3.1.0
info: { title: What is not served, version: 1.0.0 }
paths:
  ${path}:
    get:
      operationId: getThing
${operation}
      responses: { '204': { description: None. } }
`;
}

const parameter = (text: string, path?: string): string =>
  contract(`      parameters:\n        - { name: filter, ${text} }`, path);
const body = (text: string): string => contract(`      requestBody:\n        content:\n          ${text}`);
const schema = (text: string): string =>
  body(`application/json:\n            schema: { type: object, properties: { here: ${text} } }`);

const security = (text: string): string =>
  `${contract('      security: [{ own: [] }]')}components: { securitySchemes: { own: ${text} } }\n`;

test.each<[what: string, text: string, reason: string]>([
  ['a client certificate', security('{ »type: mutualTLS }'), 'verify client certificates in the proxy that ends TLS'],
  ['another http scheme', security('{ »type: http, scheme: digest }'), 'http digest is not served: use http basic'],
  ['an API key without a name', security('{ »type: apiKey, in: header }'), 'must have a name'],
  [
    'a style of another location',
    parameter('in: path, required: true, »style: deepObject, schema: { type: object }', '/{filter}'),
    "path parameter 'filter': its style is one of simple, label, matrix, not deepObject",
  ],
  [
    'a header without a name',
    contract("      parameters: [{ »name: '', in: header, schema: { type: string } }]"),
    'a header must have a name',
  ],
  [
    'a response that is not final alone',
    contract('').replace("'204'", "»'103'"),
    '103 announces another response (RFC 9110, section 15.2): declare the final status too',
  ],
  ['a query in a path', contract('', '»/files?all'), "must end before '?': declare what follows as parameters"],
  [
    'paths that differ in their fragments only',
    `${contract('', '»/files#all')}  »/files#some: { get: { responses: { '204': { description: Done. } } } }\n`,
    'put one operation under one of these paths',
  ],
  [
    'two parameters side by side in a path',
    contract(
      `      parameters:
        - { name: a, in: path, required: true, schema: { type: string } }
        - { name: b, in: path, required: true, schema: { type: string } }`,
      '»/{a}{b}',
    ),
    'put text between two parameters',
  ],
  [
    'a variable of a server without a value',
    contract("      servers: [{ »url: '/{version}' }]"),
    "the variable 'version' of /{version} must be declared in variables, with a default",
  ],
  [
    'a tuple without length, which express-openapi-validator cannot compile',
    schema('{ type: array, prefixItems: [{ type: string }] }').replace('operationId', '»operationId'),
    'express-openapi-validator cannot serve getThing: strict mode',
  ],
  ['a pattern that is no expression', schema("{ type: string, »pattern: '(' }"), 'no regular expression of ECMA-262'],
])('%s is refused with its place, by the start and by generate', async (_what, text, reason) => {
  const files = { 'openapi.yaml': text };
  const { start, check } = await refusals(files);
  expect(start).toEqual(marked(files).map((place) => expect.stringContaining(`${place}: error: `)));
  expect(start.join('\n')).toContain(reason);
  expect(check).toEqual(start);
});

test('all problems are reported at once, each with its own file', async () => {
  const files = {
    'openapi.yaml': `openapi: 3.1.0
info: { title: A contract in several files, version: 1.0.0 }
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - name: session
          in: cookie
          »style: simple
          schema: { type: string }
        - $ref: 'parts/parts.yaml#/filter'
      responses:
        200:
          description: A text.
          content: { text/csv: {} }
  /things/{name}:
    $ref: 'parts/item.yaml'
`,
    'parts/item.yaml': `post:
  »operationId: getThing
  parameters:
    - { name: name, in: path, required: true, schema: { type: string } }
  requestBody:
    content: { application/json: { schema: { $ref: 'parts.yaml#/ids' } } }
  responses: { '204': { description: None. } }
`,
    'parts/parts.yaml': `# Parts of several operations.
filter:
  name: filter
  in: query
  »style: matrix
  schema: { type: object }
ids:
  type: object
  properties:
    id: { type: integer, format: int64 }
    name: { type: string, »pattern: '[' }
    mother:
      oneOf:
        - { type: integer, format: int64, minimum: 3 }
        - { type: string }
`,
  };
  const { check } = await refusals(files);
  expect(check).toEqual(marked(files).map((place) => expect.stringContaining(`${place}: error: `)));
});

test('each dangling reference is reported with its own file', async () => {
  const files = {
    'openapi.yaml': contract(`      parameters:
        - { »$ref: 'parts.yaml#/nothing' }
        - { »$ref: 'none.yaml' }
        - { »$ref: '#/components/parameters/Id' }
        - { $ref: 'parts.yaml#/filter' }`),
    'parts.yaml': "filter: { name: filter, in: query, schema: { »$ref: '#/gone' } }\n",
  };
  const { start, check } = await refusals(files);
  const names = ['parts.yaml#/nothing', 'none.yaml', '#/components/parameters/Id', '#/gone'];
  expect(start).toEqual(
    marked(files).map((place, index) =>
      expect.stringMatching(new RegExp(`^${place}: error: .*reference ${names[index] ?? ''} (leads|cannot)`)),
    ),
  );
  expect(check).toEqual(start);
});

test('every mistake of the YAML is shown, with its place', async () => {
  const files = { 'openapi.yaml': `${contract('')}»info: {}\n»info: {}\n` };
  const { start, check } = await refusals(files);
  expect(start).toEqual(marked(files).map((place) => expect.stringContaining(`${place}: error: the YAML`)));
  expect(check).toEqual(start);
});
