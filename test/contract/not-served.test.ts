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
  const start = loadContract(file).then((contract) => mountContract(contract, handlers, {}));
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

test.each<[what: string, text: string, reason: string]>([
  ['an object as a parameter', parameter('in: query, »schema: { type: object }'), 'give it one type'],
  [
    'a choice as a parameter',
    parameter('in: query, »schema: { oneOf: [{ type: string }] }'),
    'combinations are not served',
  ],
  [
    'two types for a parameter',
    parameter('in: query, »schema: { type: [string, integer] }'),
    "query parameter 'filter': objects",
  ],
  [
    'a list of objects as a parameter',
    parameter('in: query, »schema: { type: array, items: { type: object } }'),
    'a scalar or an array of scalars',
  ],
  ['a list of anything as a parameter', parameter('in: query, »schema: { type: array }'), "must have 'items'"],
  ['a cookie', parameter('»in: cookie, schema: { type: string }'), 'put it in a header or the query'],
  ['a parameter with content', parameter('in: query, »content: { application/json: {} }'), "use 'schema'"],
  [
    'an empty value',
    parameter('in: query, »allowEmptyValue: true, schema: { type: string }'),
    'allowEmptyValue is not served: leave it out',
  ],
  [
    'a path parameter in another style',
    parameter('in: path, required: true, »style: matrix, schema: { type: string }', '/{filter}'),
    'the style matrix is not served in a path: use simple',
  ],
  ['a wildcard in a path', contract('', '»/files/*'), '/files/* cannot be served: leave out'],
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
  ['servers of an operation', contract('      »servers: [{ url: /x }]'), 'declare them for the whole contract'],
  [
    'a tuple without length, which express-openapi-validator cannot compile',
    schema('{ type: array, prefixItems: [{ type: string }] }').replace('operationId', '»operationId'),
    'express-openapi-validator cannot serve getThing: strict mode',
  ],
  [
    'a bounded int64 in a choice',
    schema('{ oneOf: [{ type: integer, format: int64, »maximum: 10 }, { type: string }] }'),
    'an int64 with maximum is not served in a choice',
  ],
  [
    'an int64 under contains',
    schema('{ type: array, contains: { type: integer, »format: int64 } }'),
    'an int64 under contains',
  ],
  [
    'a bounded int64 in an object of a choice',
    schema('{ oneOf: [{ type: object, properties: { id: { type: integer, format: int64, »maximum: 10 } } }] }'),
    'an int64 with maximum is not served in a choice',
  ],
  ['the format int64 without its type', schema('{ »format: int64 }'), "beside 'type: integer' only: add the type"],
  [
    'an enum beside an int64',
    schema('{ »allOf: [{ type: integer, format: int64 }, { enum: [1, 2] }] }'),
    "'enum' and 'const' of an int64 are served in the schema that says int64 only",
  ],
  ['a bound that YAML rounds', schema('{ type: integer, format: int64, »maximum: 1152921504606846976 }'), '2^53'],
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
          »in: cookie
          schema: { type: string }
        - $ref: 'parts/parts.yaml#/filter'
      responses:
        200:
          description: A text.
          content: { text/csv: {} }
  »/things/{name}:
    $ref: 'parts/item.yaml'
`,
    'parts/parts.yaml': `# Parts of several operations.
filter:
  name: filter
  in: query
  »schema: { type: object }
ids:
  type: object
  properties:
    id: { type: integer, format: int64,
          »maximum: 9007199254740999 }
    mother:
      oneOf:
        - { type: integer, format: int64, »minimum: 3 }
        - { type: string }
`,
    'parts/item.yaml': `post:
  »operationId: getThing
  parameters:
    - { name: name, in: path, required: true, schema: { type: string } }
  requestBody:
    content: { application/json: { schema: { $ref: 'parts.yaml#/ids' } } }
  responses: { '204': { description: None. } }
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
