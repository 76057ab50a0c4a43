import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readFile, rm } from 'node:fs/promises';
import { scratchCopy, type ScratchCopy } from '../support/scratch-copy.ts';

const GENERATED = 'generated/openapi.d.ts';
const ORIGINAL = {
  contract: await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8'),
  types: await readFile(new URL(`../../${GENERATED}`, import.meta.url), 'utf8'),
};

/** The number of a line of the contract. */
function lineOf(text: string): number {
  return ORIGINAL.contract.split('\n').indexOf(text) + 1;
}

let copy: ScratchCopy;
beforeAll(async () => {
  copy = await scratchCopy();
});
afterAll(() => rm(copy.folder, { recursive: true }));
beforeEach(async () => {
  await copy.write('openapi.yaml', ORIGINAL.contract);
  await copy.write(GENERATED, ORIGINAL.types);
});

const generate = (...args: string[]): ReturnType<ScratchCopy['run']> => copy.run('tsx', 'scripts/generate.ts', ...args);

test('int64 becomes bigint, and int32 stays a number', () => {
  expect(ORIGINAL.types).toMatch(/PlantId: bigint;/);
  expect(ORIGINAL.types).toMatch(/error: number;/);
});

test('a generated file names its source and its command', () => {
  expect(ORIGINAL.types).toMatch(/^\/\*\*\n \* Generated from openapi\.yaml by `npm run generate`\. Do not edit/);
});

// test/next-operation shows that it passes on fresh files and after `npm run generate`.
test('--check fails when a file is stale, names the command and changes nothing', async () => {
  await copy.edit('openapi.yaml', 'operationId: deletePlant', 'operationId: removePlant');
  expect(await generate('--check')).toEqual({
    code: 1,
    output: 'generated/openapi.d.ts is stale: run `npm run generate` and commit what it writes.\n',
  });
  expect(await copy.read(GENERATED)).toBe(ORIGINAL.types);
  expect(await generate()).toEqual({ code: 0, output: `Wrote ${GENERATED}\n` });
  expect(await copy.read(GENERATED)).toBe(ORIGINAL.types.replaceAll('deletePlant', 'removePlant'));
});

test('a changed setting makes docs/configuration.md stale until it is generated', async () => {
  await copy.edit('src/config.ts', "default: '9464'", "default: '9465'");
  expect(await generate('--check')).toEqual({
    code: 1,
    output: 'docs/configuration.md is stale: run `npm run generate` and commit what it writes.\n',
  });
  expect(await generate()).toEqual({ code: 0, output: 'Wrote docs/configuration.md\n' });
  expect(await copy.read('docs/configuration.md')).toContain('| `ADMIN_PORT` | `9465` |');
  await copy.edit('src/config.ts', "default: '9465'", "default: '9464'");
  expect(await generate()).toMatchObject({ code: 0 });
});

test('a changed error code makes docs/api.md stale until it is generated', async () => {
  await copy.edit('openapi.yaml', '| There is no plant with this id. |', '| The plant is not there. |');
  const { code, output } = await generate('--check');
  expect(code).toBe(1);
  expect(output.split('\n')).toContain('docs/api.md is stale: run `npm run generate` and commit what it writes.');
  expect(await generate()).toEqual({ code: 0, output: expect.stringContaining('Wrote docs/api.md\n') });
  expect(await copy.read('docs/api.md')).toMatch(/^\| 40401 \| The plant is not there\. \|$/m);
  await copy.write('openapi.yaml', ORIGINAL.contract);
  expect(await generate()).toMatchObject({ code: 0 });
});

test.each([
  ['does not parse', 'info:\n', 'info: [}\n', /^openapi\.yaml:2:\d+: error: /m],
  ['does not lint', '      summary: Delete a plant\n', '', /openapi\.yaml:\d+:\d+: .*summary.*\(operation-summary\)$/m],
  [
    'refers to nothing',
    'responses/BadRequest',
    'responses/Nothing',
    /^openapi\.yaml:\d+:11: error: the reference #\/components\/responses\/Nothing leads nowhere/m,
  ],
  [
    'has a wrong example',
    'error: 40001',
    'error: many',
    /openapi\.yaml:\d+:\d+: .*\(no-invalid-media-type-examples\)$/m,
  ],
  [
    'has a type that is none',
    'type: integer',
    'type: integr',
    /^openapi\.yaml:\d+:\d+: error: "integr" is not a type/m,
  ],
  ['is empty', ORIGINAL.contract, '', /^openapi\.yaml:1:1: error: a contract must be an object/m],
  [
    'asks for a cookie, which the start refuses too',
    "- $ref: '#/components/parameters/PlantIdInPath'",
    "- { name: session, in: cookie, schema: { type: string } }\n        - $ref: '#/components/parameters/PlantIdInPath'",
    /^openapi\.yaml:\d+:28: error: cookie parameter 'session': .* put it in a header or the query\.$/m,
  ],
  [
    'has the same operationId twice',
    'components:\n',
    '  /weeds:\n    delete:\n      operationId: deletePlant\n      responses: { 204: { description: None. } }\ncomponents:\n',
    new RegExp(`^openapi\\.yaml:${lineOf('components:') + 2}:7: error: the operationId deletePlant is the name`, 'm'),
  ],
])('a contract that %s is a problem with file and line', async (_name, from, to, problem) => {
  await copy.edit('openapi.yaml', from, to);
  expect(await generate()).toEqual({ code: 1, output: expect.stringMatching(problem) });
  expect(await copy.read(GENERATED)).toBe(ORIGINAL.types);
});

test('the contract has no problem and no warning', async () => {
  expect(await generate('--check')).toEqual({
    code: 0,
    output: 'Up to date: generated/openapi.d.ts, generated/operations.ts, docs/configuration.md, docs/api.md\n',
  });
});

describe('the types of another contract', () => {
  const FOREIGN = 'test/fixtures/contracts/foreign.yaml';

  test('are written where one wants them; its style is worth a warning at most', async () => {
    const { code, output } = await generate('--contract', FOREIGN, '--out', 'foreign');
    expect([code, output.split('\n').at(-2)]).toEqual([0, 'Wrote foreign/openapi.d.ts']);
    const lines = output.split('\n').slice(0, -2);
    expect(lines).toContainEqual(
      expect.stringMatching(/foreign\.yaml:\d+:\d+: warn: .*summary.*\(operation-summary\)$/),
    );
    for (const line of lines) expect(line).toContain(': warn: ');
  });

  test('hold what is served, and int64 as bigint everywhere', async () => {
    await generate('--contract', FOREIGN, '--out', 'foreign');
    await copy.write(
      'foreign/handlers.ts',
      `import type { Verifiers } from '../src/contract/security/verifier.ts';
import type { Handlers } from '../src/contract/types.ts';
import type { operations, securitySchemes, webhooks } from './openapi.d.ts';

export const handlers: Handlers<operations> = {
  getPlantsByIdLeaves: ({ params: { id } }) => {
    if (id === 0n) return { status: 404 };
    if (id === 1n) return { status: 500, body: 1n };
    return { status: 200, body: { mother: null, grade: 1n, label: 'a', size: 1, free: { any: 'thing' } } };
  },
  grow: () => ({ status: 204 }),
};
export const verifiers: Verifiers<securitySchemes> = {
  basic: ({ username }) => Promise.resolve({ name: username }),
  'api-key': (key) => Promise.resolve({ name: key }),
  oauth: (token) => Promise.resolve({ name: token }),
};
export type Watered = webhooks['watered']['post']['responses'][204];

export const wrong: Handlers<operations> = {
  // @ts-expect-error an int64 as a number
  getPlantsByIdLeaves: () => ({ status: 200, body: { mother: 1 } }),
  // @ts-expect-error an undeclared status
  grow: () => ({ status: 200 }),
};
// @ts-expect-error an operation that is called, not served
export type Called = operations['grown'];
`,
    );
    await copy.write('foreign/tsconfig.json', '{ "extends": "../tsconfig.json", "include": ["*.ts"], "exclude": [] }');
    expect(await copy.run('tsc', '-p', 'foreign')).toEqual({ code: 0, output: '' });
  });

  test('are not written when it cannot be served', async () => {
    const contract = await copy.read(FOREIGN);
    await copy.write(
      'bad.yaml',
      contract
        .replace('- { name: id, in: path', '- { name: no, in: path')
        .replace('[{ basic: [] }]', '[{ certificate: [] }]'),
    );
    const { code, output } = await generate('--contract', 'bad.yaml', '--out', 'bad');
    expect([code, output]).toEqual([
      1,
      expect.stringContaining("error: the security scheme 'certificate' is mutualTLS"),
    ]);
    await expect(copy.read('bad/openapi.d.ts')).rejects.toThrow('ENOENT');
  });
});
