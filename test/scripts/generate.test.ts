import { afterAll, expect, test } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { readProjectFile } from '../support/readme.ts';
import { scratchCopy } from '../support/scratch-copy.ts';

const CONTRACT = await readProjectFile('openapi.yaml');
const lineOf = (text: string, sought: string): number => text.split('\n').indexOf(sought) + 1;

const copy = await scratchCopy();
afterAll(() => rm(copy.folder, { recursive: true }));

// test/scripts/dev.test.ts shows that they are written without it, unless the contract is wrong.
test('--check fails when files are stale, names each and the command, and changes nothing', async () => {
  await copy.edit('openapi.yaml', '/plants/{id}:', '/flowers/{id}:');
  await copy.edit('openapi.yaml', '| There is no plant with this id. |', '| The plant is not there. |');
  await copy.edit('src/config.ts', "default: '9464'", "default: '9465'");
  const stale = ['generated/openapi.d.ts', 'generated/shapes.ts', 'docs/configuration.md', 'docs/api.md'];
  expect(await copy.run('scripts/generate.ts', '--check')).toEqual({
    code: 1,
    output: stale.map((name) => `${name} is stale: run \`npm run generate\` and commit what it writes.\n`).join(''),
  });
  expect(await copy.changes()).toEqual(['openapi.yaml', 'src/config.ts']);
});

test('what is generated follows the contract, and handlers are missed', async () => {
  await copy.edit('openapi.yaml', 'operationId: deletePlant\n', 'operationId: removePlant\n');
  const handlers = `src/plants/handlers.ts:${lineOf(await readProjectFile('src/plants/handlers.ts'), '  return {')}`;
  expect(await copy.run('scripts/generate.ts')).toEqual({
    code: 0,
    output: `${handlers}: no handler for removePlant (DELETE /flowers/{id}, openapi.yaml:${lineOf(CONTRACT, '    delete:')})
${handlers}: no operation deletePlant in the contract
Wrote generated/openapi.d.ts
Wrote generated/shapes.ts
Wrote docs/configuration.md
Wrote docs/api.md
`,
  });
  const follow = (text: string): string =>
    text.replaceAll('/plants/{id}"', '/flowers/{id}"').replaceAll('deletePlant', 'removePlant');
  for (const name of ['generated/openapi.d.ts', 'generated/shapes.ts']) {
    expect(await copy.read(name)).toBe(follow(await readProjectFile(name)));
  }
  expect(await copy.read('docs/api.md')).toMatch(/^\| 40401 \| The plant is not there\. \|$/m);
});

test('a contract without a table of error codes is told where it belongs and how it looks, and mistakes leave the old files', async () => {
  const shapes = await copy.read('generated/shapes.ts');
  const table = /\n {4}\| code [^]*?\n\n/.exec(await copy.read('openapi.yaml'))?.[0] ?? '';
  await copy.edit('openapi.yaml', table, '\n');
  const { code, output } = await copy.run('scripts/generate.ts');
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^openapi\.yaml: info\.description needs the table of error codes/),
  ]);
  await copy.edit('openapi.yaml', 'responses:', 'respnses:');
  await copy.edit('openapi.yaml', "'#/components/schemas/PlantId'", "'#/components/schemas/PlantID'");
  const wrong = await copy.run('scripts/generate.ts');
  expect([wrong.code, wrong.output]).toEqual([
    1,
    expect.stringContaining('Did you mean #/components/schemas/PlantId?'),
  ]);
  expect(await copy.read('generated/shapes.ts')).toBe(shapes);
});
