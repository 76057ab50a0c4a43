import { afterAll, expect, test } from '@jest/globals';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadContract } from 'openapi-exact';
import { lintContract } from '../../scripts/checks/lint.ts';
import { errorTableMistakes } from '../../scripts/generate/error-table.ts';
import { callScript } from 'test-support/call-program.ts';
import { readProjectFile } from 'test-support/readme.ts';
import { scratchCopy } from '../support/scratch-copy.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

const CONTRACT = await readProjectFile('openapi.yaml');
const HANDLERS = 'src/plants/handlers.ts';
/** The files that it writes, in their order. */
const WRITTEN = ['generated/openapi.d.ts', 'generated/shapes.ts', 'docs/configuration.md', 'docs/api.md'];
const lineOf = (text: string, sought: string): number => text.split('\n').indexOf(sought) + 1;

const copy = await scratchCopy();
afterAll(() => rm(copy.folder, { recursive: true }));

/** `npm run generate` in this process, which loads it after the edits of the first test. */
const generate = (...args: string[]): ReturnType<typeof callScript> =>
  callScript(copy.folder, 'scripts/generate.ts', ...args);

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
  const { code, output } = await generate('--check');
  const lines = output.split('\n').slice(0, -1);
  expect([code, lines.map((line) => line.split(' ')[0])]).toEqual([1, WRITTEN]);
  for (const line of lines) expect(line).toContain('npm run generate');
  expect(await copy.changes()).toEqual(['openapi.yaml', 'src/config.ts', HANDLERS]);
});

test('what is generated follows the contract', async () => {
  await copy.edit('openapi.yaml', 'operationId: deletePlant\n', 'operationId: removePlant\n');
  const { code, output } = await generate();
  expect([code, output.match(/\S+\.\S+/g)]).toEqual([0, WRITTEN]);
  const follow = (text: string): string =>
    text.replaceAll('/plants/{id}"', '/flowers/{id}"').replaceAll('deletePlant', 'removePlant');
  for (const name of ['generated/openapi.d.ts', 'generated/shapes.ts']) {
    expect(await copy.read(name)).toBe(follow(await readProjectFile(name)));
  }
  expect(await copy.read('docs/api.md')).toMatch(/^\| 40401 \| The plant is not there\. \|$/m);
});

const SOURCES = 'ERRORS in src/errors.ts and PLANT_ERRORS in src/plants/handlers.ts';
const rowOf = (code: number): string => new RegExp(`^ +(\\| ${code} .*)$`, 'm').exec(CONTRACT)?.[1] ?? '';

/** What is said of the table of error codes in an edited contract. */
async function mistakesIn(text: string): Promise<readonly string[]> {
  return inTemporaryFolder('table', async (folder) => {
    await writeFile(join(folder, 'openapi.yaml'), text);
    const contract = await loadContract(pathToFileURL(join(folder, 'openapi.yaml')));
    return errorTableMistakes(contract, 'openapi.yaml', text);
  });
}

test('each row of the table of error codes that is not as the code says is an error with its place', async () => {
  const edited = CONTRACT.replace(`    ${rowOf(40000)}\n`, '')
    .replace(`    ${rowOf(40401)}\n`, '')
    .replace('The path is not in the contract.', 'No such path.')
    .replace(rowOf(50303), (row) => `${row}\n    | 50399 | It rains. |`)
    .replace('error: 41300', 'error: 41301');
  const at = (text: string): string => `openapi.yaml:${lineOf(edited, `    ${text}`)}:5: error: `;
  const example = `openapi.yaml:${lineOf(edited, '                error: 41301')}:17: error: `;
  const mistakes = await mistakesIn(edited);
  for (const mistake of mistakes) expect(mistake).toContain(SOURCES);
  const places = mistakes.map((mistake) => mistake.replace(/(?<=: error: )[^|]*?(Add: |Write: |$)/, '$1'));
  expect(places).toEqual([
    `${at(rowOf(40001))}Add: ${rowOf(40000)}`,
    `${at('| 40400 | No such path. |')}Add: ${rowOf(40401)}`,
    `${at('| 40400 | No such path. |')}Write: ${rowOf(40400)}`,
    at('| 50399 | It rains. |'),
    example,
  ]);
});

test('a contract without the table of error codes is told what to write', async () => {
  const [mistake, ...others] = await mistakesIn(CONTRACT.replace(/\n {4}\| code [^]*?\n\n/, '\n'));
  expect(others).toEqual([]);
  expect(mistake).toMatch(/^openapi\.yaml:2:1: error: info\.description [^\n]+\n\n {4}\| code \| meaning \|\n/);
  expect(mistake).toContain(`    ${rowOf(40401)}\n`);
});

test('the linter leaves a contract that does not parse to openapi-exact, which says where', async () => {
  await inTemporaryFolder('lint', async (folder) => {
    const file = join(folder, 'openapi.yaml');
    await writeFile(file, CONTRACT.replace('info:\n', 'info: [}\n'));
    expect(await lintContract(file)).toEqual({ errors: [], warnings: [] });
    await expect(loadContract(pathToFileURL(file))).rejects.toThrow(/openapi\.yaml:2:\d+: error: /);
  });
});

// test/scripts/dev.test.ts has contracts that cannot be served.
test('a mistake leaves the old files', async () => {
  const shapes = await copy.read('generated/shapes.ts');
  await copy.edit('openapi.yaml', 'The path is not in the contract.', 'No such path.');
  await copy.edit('openapi.yaml', '/flowers/{id}:', '/trees/{id}:');
  expect(await generate()).toEqual({
    code: 1,
    output: expect.stringMatching(/^openapi\.yaml:\d+:5: error: .* Write: \| 40400 .*\n$/),
  });
  expect(await copy.read('generated/shapes.ts')).toBe(shapes);
});

test('a code that two errors have is an error', async () => {
  await copy.edit('openapi.yaml', 'No such path.', 'The path is not in the contract.');
  await copy.edit(HANDLERS, 'code: 40401', 'code: 40901');
  // In a process of its own, which loads the edited handlers.
  const { code, output } = await copy.run('scripts/generate.ts');
  expect([code, output]).toEqual([1, expect.stringMatching(/^openapi\.yaml:\d+:5: error: two errors /m)]);
  expect(output).not.toContain('Write: ');
});
