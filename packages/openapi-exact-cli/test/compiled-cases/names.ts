import { documentText } from 'test-support/contract-files.ts';
import type { CompiledCase } from '../support/compile-cases.ts';

const ids = [
  '123_test_@#$%_x',
  'a%41b',
  'a#b',
  'a/b~1c "d\\e',
  '__proto__',
  'constructor',
  'ü\nx*/',
  'operation0',
  ' ',
];
const paths = Object.fromEntries(
  ids.map((operationId, index): [string, object] => [
    `/${index}`,
    { get: { operationId, responses: { [200 + index]: { description: 'It.' } } } },
  ]),
);
const uses = ids.map(
  (id, index) => `export const status${index}: keyof operations[${JSON.stringify(id)}]['responses'] = ${200 + index};
export const same${index}: paths['/${index}']['get'] extends operations[${JSON.stringify(id)}] ? true : false = true;
`,
);

/** Operations under any text as their operationId. */
export const OPERATION_IDS: CompiledCase = {
  contract: documentText({ paths }),
  program: `import type { operations, paths } from './openapi.d.ts';\n${uses.join('')}`,
};

/** The names that every object has. */
export const NAMES = Object.getOwnPropertyNames(Object.prototype);

const int64 = { type: 'integer', format: 'int64' };
const properties = Object.fromEntries(NAMES.map((name) => [name, int64]));
const content = { 'application/json': { schema: { type: 'object', properties } } };
const parameters = [{ name: 'valueOf', in: 'query', schema: int64 }];
const post = { parameters, requestBody: { content }, responses: { 200: { description: 'It.', content } } };

/** Properties under the names that every object has. */
export const PROPERTY_NAMES: CompiledCase = {
  contract: documentText({ paths: { '/names': { post } } }),
  program: `import { createClient } from 'openapi-exact/client';
import type { paths } from './openapi.d.ts';
import { shapes } from './shapes.ts';
export const client = createClient<paths>({ shapes, baseUrl: 'http://127.0.0.1' });
`,
};
