import { expect, test } from '@jest/globals';
import { contractTypes } from '../src/generate/types.ts';
import { loadContract } from '../src/load-contract.ts';
import { withFiles } from './support/inline-contract.ts';
import { contractOf, INT64, ref } from './support/schema-rows.ts';

/** The lines of the generated types of components. */
async function typesOf(components: Readonly<Record<string, unknown>>): Promise<string[]> {
  const files = { 'openapi.yaml': contractOf([], { components }).replace(/paths:\s*$/, 'paths: {}\n') };
  const text = await withFiles(files, async (file) => contractTypes(await loadContract(file)));
  const [, schemas = ''] = /\n {4}schemas: \{\n(.*?)\n {4}\};\n/s.exec(text) ?? [];
  return schemas
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('/*'));
}

test('a number has the type of a bigint too, only where an alternative of its place says int64', async () => {
  const types = await typesOf({
    Either: { oneOf: [ref('Int'), ref('Number')] },
    Int: { type: 'object', properties: { id: INT64, list: { type: 'array', items: INT64 } } },
    Number: {
      type: 'object',
      properties: {
        id: { type: 'number' },
        other: { type: 'number' },
        list: { type: 'array', items: { type: 'integer' } },
      },
    },
    Alone: { type: 'object', properties: { id: { type: 'number' } } },
  });
  expect(types).toEqual([
    'Either: components["schemas"]["Int"] | components["schemas"]["Number"];',
    'Int: {',
    'id?: bigint;',
    'list?: bigint[];',
    '};',
    'Number: {',
    'id?: bigint | number;',
    'other?: number;',
    'list?: (bigint | number)[];',
    '};',
    'Alone: {',
    'id?: number;',
    '};',
  ]);
});
