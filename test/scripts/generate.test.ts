import { afterAll, expect, test } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { readProjectFile } from '../support/readme.ts';
import { scratchCopy } from '../support/scratch-copy.ts';

const CONTRACT = await readProjectFile('openapi.yaml');
const HANDLERS = 'src/plants/handlers.ts';
const lineOf = (text: string, sought: string): number => text.split('\n').indexOf(sought) + 1;

const copy = await scratchCopy();
afterAll(() => rm(copy.folder, { recursive: true }));

// test/scripts/dev.test.ts shows that they are written without it, unless the contract is wrong.
test('--check fails when files are stale, names each and the command, and changes nothing', async () => {
  await copy.edit('openapi.yaml', '/plants/{id}:', '/flowers/{id}:');
  for (const [file, end] of [
    ['openapi.yaml', ' |'],
    [HANDLERS, "'"],
  ] as const) {
    await copy.edit(file, `There is no plant with this id.${end}`, `The plant is not there.${end}`);
  }
  await copy.edit('src/config.ts', "default: '9464'", "default: '9465'");
  const stale = ['generated/openapi.d.ts', 'generated/shapes.ts', 'docs/configuration.md', 'docs/api.md'];
  expect(await copy.run('scripts/generate.ts', '--check')).toEqual({
    code: 1,
    output: stale.map((name) => `${name} is stale: run \`npm run generate\` and commit what it writes.\n`).join(''),
  });
  expect(await copy.changes()).toEqual(['openapi.yaml', 'src/config.ts', HANDLERS]);
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

test('each row of the table of error codes that is not as the code says is an error with its place, and mistakes leave the old files', async () => {
  const shapes = await copy.read('generated/shapes.ts');
  const contract = await copy.read('openapi.yaml');
  const row = (code: number): string => new RegExp(`^ +(\\| ${code} .*)$`, 'm').exec(contract)?.[1] ?? '';
  const sources = 'ERRORS in src/errors.ts and PLANT_ERRORS in src/plants/handlers.ts';
  await copy.edit('openapi.yaml', `    ${row(40000)}\n`, '');
  await copy.edit('openapi.yaml', `    ${row(40401)}\n`, '');
  await copy.edit('openapi.yaml', 'The path is not in the contract.', 'No such path.');
  await copy.edit('openapi.yaml', row(50303), `${row(50303)}\n    | 50399 | It rains. |`);
  const edited = await copy.read('openapi.yaml');
  const at = (text: string): string => `openapi.yaml:${lineOf(edited, `    ${text}`)}:5: error: `;
  const outcome = await copy.run('scripts/generate.ts');
  expect([outcome.code, outcome.output]).toEqual([
    1,
    `${at(row(40001))}the table of error codes lacks a row of ${sources}. Add: ${row(40000)}
${at('| 40400 | No such path. |')}the table of error codes lacks a row of ${sources}. Add: ${row(40401)}
${at('| 40400 | No such path. |')}the row is not that of ${sources}. Write: ${row(40400)}
${at('| 50399 | It rains. |')}the code is not in ${sources}. Add it there, or remove the row.
`,
  ]);
  await copy.write('openapi.yaml', contract.replace(/\n {4}\| code [^]*?\n\n/, '\n'));
  const without = await copy.run('scripts/generate.ts');
  const start = `openapi.yaml:2:1: error: info.description needs the table of error codes:\n\n    | code | meaning |\n`;
  expect([without.code, without.output]).toEqual([1, expect.stringContaining(start)]);
  expect(without.output).toContain(`    ${row(40401)}\n`);
  await copy.edit('openapi.yaml', 'responses:', 'respnses:');
  await copy.edit('openapi.yaml', "'#/components/schemas/PlantId'", "'#/components/schemas/PlantID'");
  const wrong = await copy.run('scripts/generate.ts');
  expect([wrong.code, wrong.output]).toEqual([
    1,
    expect.stringContaining('Did you mean #/components/schemas/PlantId?'),
  ]);
  expect(await copy.read('generated/shapes.ts')).toBe(shapes);
});
