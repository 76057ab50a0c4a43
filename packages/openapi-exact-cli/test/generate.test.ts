import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
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
import { CommandFolder } from './support/command-folder.ts';
import { compileCases, type Compiled } from './support/compile-cases.ts';
import { GOOD } from './support/todo-contract.ts';

const cli = new CommandFolder();

describe('the command', () => {
  test('writes types and table, and names stale files with the command that writes them', async () => {
    await cli.write('openapi.yaml', GOOD);
    const command = ['generate', 'openapi.yaml', '--out', 'src/generated'];
    const stdout = 'Wrote src/generated/openapi.d.ts\nWrote src/generated/shapes.ts\n';
    expect(await cli.run(...command)).toEqual({ code: 0, stdout, stderr: '' });
    expect(await cli.read('src/generated/openapi.d.ts')).toContain('id: bigint;');
    expect(await cli.read('src/generated/shapes.ts')).toContain('"GET /todos/{id}": {');
    expect(await cli.run(...command, '--check')).toMatchObject({ code: 0, stderr: '' });
    await cli.write('openapi.yaml', GOOD.replace(', format: int64', ''));
    const way = 'is stale: run `openapi-exact generate openapi.yaml --out src/generated`.\n';
    expect(await cli.run(...command, '--check')).toEqual({
      code: 1,
      stdout: '',
      stderr: `src/generated/openapi.d.ts ${way}src/generated/shapes.ts ${way}`,
    });
  });

  test('says in one line that a folder cannot be written, and that a URL is not a file', async () => {
    await cli.write('openapi.yaml', GOOD);
    expect(await cli.run('generate', 'openapi.yaml', '--out', 'openapi.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The folder openapi\.yaml cannot be written: EEXIST[^\n]*\. Name another with --out\.\n$/,
      ),
    });
    const url = 'https://example.com/openapi.yaml';
    expect(await cli.run('generate', url, '--out', 'generated')).toMatchObject({
      code: 1,
      stderr: `The contract ${url} is not a file: download it first, as curl -O ${url} does.\n`,
    });
  });

  test('refuses a format that no schema of the contract has, and names the one that is meant', async () => {
    await cli.write('openapi.yaml', GOOD.replace('type: integer, format: int64', 'type: string, format: date-time'));
    const command = ['generate', 'openapi.yaml', '--out', 'generated', '--format'];
    const { code, stdout, stderr } = await cli.run(...command, 'date-tme=Date');
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining("'date-tme'")]);
    expect(stderr).toContain('Did you mean date-time?');
    await expect(cli.read('generated/openapi.d.ts')).rejects.toThrow('ENOENT');
    expect(await cli.run(...command, 'date-time=Date')).toMatchObject({ code: 0 });
  });

  test('leaves the old files where the contract has errors', async () => {
    await cli.write('openapi.yaml', GOOD.replace('type: integer }', 'type: integr }'));
    const { code, stdout, stderr } = await cli.run('generate', 'openapi.yaml', '--out', 'generated');
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('Did you mean integer?')]);
    await expect(cli.read('generated/openapi.d.ts')).rejects.toThrow('ENOENT');
  });

  test('--watch writes them again after each edit of any file of the contract, mistakes aside', async () => {
    await cli.write('openapi.yaml', GOOD.replace("'#/components/schemas/Todo'", 'todo.yaml'));
    await cli.write('todo.yaml', 'type: object\nproperties: { id: { type: integer } }\n');
    const running = cli.start('generate', 'openapi.yaml', '--out', 'generated', '--watch');
    await running.until(/Wrote generated\/shapes\.ts\n/);
    await cli.write('todo.yaml', 'type: objct\n');
    while (!running.errors().includes('Did you mean object?')) await pause(20);
    await cli.write('todo.yaml', 'type: object\nproperties: { name: { type: string } }\n');
    await running.until(/shapes\.ts\n(?:.*\n)*Wrote generated\/openapi\.d\.ts\n/);
    expect(await cli.read('generated/openapi.d.ts')).toContain('name?: string;');
    running.child.kill();
    await running.ended;
  });
});

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
  [['date-time=Date<'], 'is not a type'],
  [['date-time=Date; export type Other = 1'], 'not a type'],
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
