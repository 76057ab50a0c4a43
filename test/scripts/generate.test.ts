import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contractProblems } from '../../scripts/checks/contract.ts';
import { readProjectFile } from '../support/readme.ts';
import { scratchCopy, type ScratchCopy } from '../support/scratch-copy.ts';

const CONTRACT = await readProjectFile('openapi.yaml');
const GENERATED = ['generated/openapi.d.ts', 'generated/operations.ts', 'docs/configuration.md', 'docs/api.md'];

let copy: ScratchCopy;
beforeAll(async () => {
  copy = await scratchCopy();
});
afterAll(() => rm(copy.folder, { recursive: true }));

const generate = (...args: string[]): ReturnType<ScratchCopy['run']> => copy.run('tsx', 'scripts/generate.ts', ...args);

test('int64 becomes bigint, int32 stays a number, and the file names its source and its command', async () => {
  const types = await readProjectFile('generated/openapi.d.ts');
  expect(types).toMatch(/PlantId: bigint;/);
  expect(types).toMatch(/error: number;/);
  expect(types).toMatch(/^\/\*\*\n \* Generated from openapi\.yaml by `npm run generate`\. Do not edit/);
});

// test/next-operation shows that --check passes on fresh files and after `npm run generate`.
test('--check fails when files are stale, names each and the command, and changes nothing', async () => {
  await copy.edit('openapi.yaml', '/plants/{id}:', '/flowers/{id}:');
  await copy.edit('openapi.yaml', '| There is no plant with this id. |', '| The plant is not there. |');
  await copy.edit('src/config.ts', "default: '9464'", "default: '9465'");
  expect(await generate('--check')).toEqual({
    code: 1,
    output: GENERATED.map((name) => `${name} is stale: run \`npm run generate\` and commit what it writes.\n`).join(''),
  });
  expect(await copy.changes()).toEqual(['openapi.yaml', 'src/config.ts']);

  expect(await generate()).toEqual({ code: 0, output: GENERATED.map((name) => `Wrote ${name}\n`).join('') });
  for (const name of GENERATED.slice(0, 2)) {
    expect(await copy.read(name)).toBe((await readProjectFile(name)).replaceAll('/plants/{id}', '/flowers/{id}'));
  }
  expect(await copy.read('docs/configuration.md')).toContain('| `ADMIN_PORT` | `9465` |');
  expect(await copy.read('docs/api.md')).toMatch(/^\| 40401 \| The plant is not there\. \|$/m);
});

test('a contract with a problem exits with 1, names file and line, and writes nothing', async () => {
  await copy.edit('openapi.yaml', 'info:\n', 'info: [}\n');
  const before = await copy.changes();
  expect(await generate()).toEqual({ code: 1, output: expect.stringMatching(/^openapi\.yaml:2:\d+: error: /m) });
  expect(await copy.changes()).toEqual(before);
});

// test/contract/start.test.ts shows what the start refuses too.
test.each([
  ['does not lint', '      summary: Delete a plant\n', '', /:\d+:\d+: .*summary.*\(operation-summary\)$/],
  ['has a wrong example', 'error: 40001', 'error: many', /:\d+:\d+: .*\(no-invalid-media-type-examples\)$/],
  [
    'asks for a cookie',
    "- $ref: '#/components/parameters/PlantIdInPath'",
    "- { name: session, in: cookie, schema: { type: string, example: a } }\n        - $ref: '#/components/parameters/PlantIdInPath'",
    /:\d+:28: error: cookie parameter 'session': .* put it in a header or the query\.$/,
  ],
  [
    'has the same operationId twice',
    'components:\n',
    '  /weeds:\n    delete:\n      operationId: deletePlant\n      responses: { 204: { description: None. } }\ncomponents:\n',
    /:\d+:7: error: the operationId deletePlant is the name/,
  ],
])('a contract that %s has a problem with line and column', async (_name, from, to, problem) => {
  const changed = CONTRACT.replace(from, to);
  expect(changed).not.toBe(CONTRACT);
  await copy.write('changed.yaml', changed);
  const problems = await contractProblems(pathToFileURL(join(copy.folder, 'changed.yaml')));
  expect(problems).toContainEqual(expect.stringMatching(problem));
});

test('the contract has no problem and no warning', async () => {
  expect(await contractProblems(new URL('../../openapi.yaml', import.meta.url))).toEqual([]);
});
