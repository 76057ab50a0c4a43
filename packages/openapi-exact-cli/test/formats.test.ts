import { expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadContract } from 'openapi-exact';
import { documentText } from 'test-support/contract-files.ts';
import { startProcess } from 'test-support/process.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';
import { formatOption, generateFiles } from '../src/index.ts';
import { FormatTypes } from '../src/generate/format-types.ts';

const TSC = fileURLToPath(new URL('../../../node_modules/typescript-7/bin/tsc', import.meta.url));
const AT = { type: 'string', format: 'date-time' };
const AMOUNT = { type: ['number', 'null'], format: 'decimal' };
const PLANT = {
  type: 'object',
  required: ['at', 'amount', 'list', 'all', 'either', 'event'],
  properties: {
    ...{ at: { $ref: '#/components/schemas/At' }, amount: AMOUNT, list: { type: 'array', items: AT } },
    all: {
      allOf: [{ type: 'object', required: ['at'], properties: { at: AT } }, { properties: { at: { type: 'string' } } }],
    },
    either: { anyOf: [AT, { type: 'string', maxLength: 3 }, { type: 'integer' }] },
    event: {
      oneOf: ['planted', 'sold'].map((kind) => ({
        type: 'object',
        required: ['kind', 'value'],
        properties: { kind: { const: kind }, value: kind === 'planted' ? AT : AMOUNT },
      })),
    },
    child: { $ref: '#/components/schemas/Plant' },
  },
};
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Plant' } } };
const parameters = [{ name: 'since', in: 'query', required: true, schema: AT }];
const post = { operationId: 'plant', parameters, requestBody: { content }, responses: { 200: { content } } };
const CODE = `import type { components, formats, operations } from './generated/openapi.d.ts';
type Plant = components['schemas']['Plant'];
declare const plant: Plant;
export const dates: Date[] = [plant.at, ...plant.list, plant.all.at, ...(plant.child ? [plant.child.at] : [])];
export const amount: URL | null = plant.amount;
export const either: Date | string | number = plant.either;
export const value: Date | URL | null = plant.event.kind === 'planted' ? plant.event.value : plant.event.value;
export const since: Date = (null as unknown as operations['plant']).parameters.query.since;
export const named: formats['date-time'] = new Date();
export const right: Plant = { at: new Date(), amount: null, list: [], all: { at: new Date() }, either: 'abc', event: { kind: 'planted', value: new Date() } };
// @ts-expect-error a text for a Date
export const text: Plant['at'] = '2024';
// @ts-expect-error a number for a decimal
export const number: Plant['amount'] = 5;
// @ts-expect-error a Date may be there
export const short: string | number = plant.either;
`;

test('the types of formats stand at each of their places, and the table names them', async () => {
  await inTemporaryFolder('formats', async (folder) => {
    const document = { paths: { '/plants': { post } }, components: { schemas: { At: AT, Plant: PLANT } } };
    const contract = join(folder, 'openapi.yaml');
    await writeFile(contract, documentText(document));
    const formats = ['date-time=Date', 'decimal=URL:node:url', 'iban'].map(formatOption);
    const { errors, stale } = await generateFiles({ contract, out: join(folder, 'generated'), check: false, formats });
    expect([errors, stale.length]).toEqual([[], 2]);
    await writeFile(join(folder, 'code.ts'), CODE);
    const types = fileURLToPath(new URL('../../../node_modules/@types', import.meta.url));
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--typeRoots', types, '--types', 'node'];
    const compiler = startProcess(process.execPath, [TSC, ...options, join(folder, 'code.ts')], { cwd: folder });
    await compiler.ended;
    expect(compiler.output()).toBe('');
    const { shapes } = (await import(join(folder, 'generated/shapes.ts'))) as { shapes: { formats: unknown } };
    expect(shapes.formats).toEqual({ 'date-time': 'Date', decimal: 'URL', iban: null });
    await expect(loadContract(contract)).resolves.toBeDefined();
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
