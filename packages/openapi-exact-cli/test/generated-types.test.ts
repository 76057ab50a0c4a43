import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { loadContract } from 'openapi-exact';
import { clientShapes, contractTypes, formatOption, reviewContract } from 'openapi-exact-cli';
import { documentText, withFiles } from 'test-support/contract-files.ts';
import { generate } from '../src/commands/generate.ts';
import { FormatTypes } from '../src/generate/format-types.ts';
import { CONDITIONS } from './compiled-cases/conditions.ts';
import { FOREIGN } from './compiled-cases/foreign.ts';
import { FORMATS } from './compiled-cases/formats.ts';
import { NAMES, OPERATION_IDS, PROPERTY_NAMES } from './compiled-cases/names.ts';
import { SECURITY } from './compiled-cases/security.ts';
import { VERSION_32 } from './compiled-cases/version-3.2.ts';
import { compileCases, type Compiled } from './support/compile-cases.ts';

const CASES = {
  ...{ foreign: FOREIGN, conditions: CONDITIONS, security: SECURITY, formats: FORMATS, version32: VERSION_32 },
  ...{ operationIds: OPERATION_IDS, propertyNames: PROPERTY_NAMES },
};

describe('the generated files, compiled with programs that use and misuse them:', () => {
  let compiled: Readonly<Record<keyof typeof CASES, Compiled>>;
  beforeAll(async () => {
    compiled = await compileCases(CASES);
  });

  test.each<[promise: string, name: keyof typeof CASES]>([
    ['int64 is bigint everywhere, requests have no read-only property and responses no write-only one', 'foreign'],
    ['types have what then, else, dependentSchemas and unevaluatedProperties add', 'conditions'],
    ['a handler always gets a principal where every alternative of the security has a scheme', 'security'],
    ['values of custom formats have their types at each of their places', 'formats'],
    ['what OpenAPI 3.2 has added is typed for handlers and for the client', 'version32'],
    ['every text is an operationId, under which the types have the operation', 'operationIds'],
    ['the table of a client compiles with the names that every object has', 'propertyNames'],
  ])('%s', (_promise, name) => {
    expect(compiled[name].errors).toEqual([]);
  });

  test('the table names the custom formats with their types', () => {
    expect(tableIn(compiled.formats.shapes).formats).toEqual({ 'date-time': 'Date', decimal: 'URL', iban: null });
  });

  test('the table has each int64 under the names that every object has', () => {
    const { operations } = tableIn(compiled.propertyNames.shapes);
    const found = operations['POST /names']?.body['application/json']?.properties ?? {};
    expect(Object.getOwnPropertyNames(found).toSorted()).toEqual(NAMES.toSorted());
  });
});

interface Table {
  readonly operations: Record<string, { readonly body: Record<string, { readonly properties: object }> }>;
  readonly formats?: unknown;
}

/** The table in the text of a generated `shapes.ts`. */
function tableIn(text: string): Table {
  const literal = /ContractShapes = (\{.*\})/s.exec(text)?.[1] ?? '';
  // Safe: the file was compiled with the type of the table.
  return runInThisContext(`(${literal})`) as Table;
}

test.each([
  ['webhooks', { webhooks: { grown: { post: { responses: { 204: { description: 'Done.' } } } } } }],
  ['components', { components: { schemas: { Plant: { type: 'object' } } } }],
])('a document that has %s alone can be checked, generated and loaded', async (_what, document) => {
  await withFiles({ 'openapi.yaml': documentText(document) }, async (file) => {
    const review = await reviewContract(file);
    expect([review.errors, review.contract?.operations]).toEqual([[], []]);
    const contract = await loadContract(file);
    expect(clientShapes(contract)).toContain('"operations": {}');
    expect(await contractTypes(contract)).toContain('paths');
  });
});

test.each([
  [['=Date'], 'NAME=TYPE'],
  [['date-time='], 'NAME=TYPE'],
  [['date-time=Date', 'date-time=Temporal.Instant'], 'given twice'],
  [['date-time=Date<'], 'is no type'],
  [['date-time=Date; export type Other = 1'], 'no type'],
  [['a=Decimal:big.js', 'b=Decimal:decimal.js'], 'has it too'],
  [['a=paths:./paths.ts'], 'the generated file declares it'],
])('a format that cannot be generated is refused: %j', (given, message) => {
  expect(() => new FormatTypes(given.map(formatOption))).toThrow(message);
});

test.each([
  ['todo', []],
  ['garden', ['date-time=Date', 'decimal=Decimal:../decimal.ts']],
])('what examples/%s has generated is what its contract says', async (name, formats) => {
  const lines: unknown[] = [];
  jest.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
  const folder = fileURLToPath(new URL(`../../openapi-exact/examples/${name}/`, import.meta.url));
  const options = { out: `${folder}generated`, check: true, formats: formats.map(formatOption) };
  await generate({ contract: `${folder}openapi.yaml`, ...options });
  expect(lines).toEqual([]);
});
