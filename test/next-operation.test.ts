import { afterAll, beforeAll, describe, expect, test as always } from '@jest/globals';
import { applyPatch, parsePatch, type StructuredPatch } from 'diff';
import { readFile, rm } from 'node:fs/promises';
import { contract } from './support/contract.ts';
import { scratchCopy, type ScratchCopy } from './support/scratch-copy.ts';

/**
 * Adds name, price, category and photo to the plants of a copy of the project, step by step: each
 * test goes on where the previous one ended. `git apply test/fixtures/next-operation/*.diff` does
 * the same by hand. Where a diff no longer applies, `git diff` makes a new one.
 */
const STEPS = ['1-contract', '2-migration', '3-store', '4-handlers', '5-commands', '6-tests'];
/** Tests of the product's operations, each of which keeps its hooks to itself. */
const TESTS = [
  ...['auth/bearer', 'auth/jwt/provider', 'client/calls', 'contract/ids', 'contract/limits'],
  ...['contract/operations', 'contract/requests', 'contract/scopes', 'docs/docs'],
  ...['errors', 'logging/request-log', 'plants'],
];

const HANDLERS = 'src/plants/handlers.ts';

/** Compilers and test runs are started here, beside the other tests; in milliseconds. */
const TIMEOUT = 300_000;

/** The diffs are for the contract as it was delivered; afterwards they are an example to read. */
const isDelivered = contract.operations.map(({ id }) => id).join() === 'deletePlant';
const test = isDelivered ? always : always.skip;
if (!isDelivered) process.stderr.write('skipped: the example of the next operation, for the contract is another one\n');

let copy: ScratchCopy;
beforeAll(async () => {
  copy = await scratchCopy();
});
afterAll(() => rm(copy.folder, { recursive: true }));

/** The changes of a step, by file. */
async function patchesOf(step: string): Promise<StructuredPatch[]> {
  const diff = await readFile(new URL(`./fixtures/next-operation/${step}.diff`, import.meta.url), 'utf8');
  return parsePatch(diff);
}

function pathOf({ newFileName = '' }: StructuredPatch): string {
  return newFileName.replace(/^b\//, '');
}

async function take(step: string): Promise<void> {
  for (const patch of await patchesOf(step)) {
    const path = pathOf(patch);
    const changed = applyPatch(patch.oldFileName === '/dev/null' ? '' : await copy.read(path), patch);
    if (changed === false) throw new Error(`${step}.diff no longer applies to ${path}.`);
    await copy.write(path, changed);
  }
}

/**
 * Gives the servers a base path, and adds two resources with tags of their own, gardens and beds.
 */
async function addResources(): Promise<void> {
  const gardens = await readFile(new URL('fixtures/next-contract.yaml', import.meta.url), 'utf8');
  const beds = gardens.slice(gardens.indexOf('  /gardens')).replaceAll('garden', 'bed').replaceAll('Garden', 'Bed');
  const tags = ['garden', 'bed'].map((name) => `  - name: ${name}s\n    description: Where plants grow in a ${name}\n`);
  await copy.edit('openapi.yaml', 'url: http://127.0.0.1:3000\n', 'url: http://127.0.0.1:3000/v1\n');
  await copy.edit('openapi.yaml', '\npaths:\n', `\n${gardens}${beds}`);
  await copy.edit('openapi.yaml', '\ntags:\n', `\ntags:\n${tags.join('')}`);
}

test(
  '`npm run generate` names the missing handlers, and the compiler asks for nothing else',
  async () => {
    await take('1-contract');
    await addResources();
    const generated = await copy.run('scripts/generate.ts');
    expect(generated).toEqual({ code: 0, output: expect.stringContaining('Wrote generated/openapi.d.ts\n') });
    const missing = [...generated.output.matchAll(/^src\/plants\/handlers\.ts:\d+: no handler for (\w+)/gm)];
    const added = ['listPlants', 'createPlant', 'getPlant', 'replacePlant', 'updatePlant', 'getPhoto', 'putPhoto'];
    expect(missing.map(([, name]) => name)).toEqual(['getGarden', 'getBed', ...added]);
    const { code, output } = await copy.compile();
    expect(code).not.toBe(0);
    const without = 'is missing the following properties from type';
    const first = 'getGarden, getBed, listPlants, createPlant, and 5 more';
    expect(output.trim().split('\n')).toEqual([
      expect.stringMatching(
        new RegExp(
          `^src/plants/handlers\\.ts\\(\\d+,\\d+\\): error TS2740: .* ${without} 'Handlers<operations>': ${first}\\.$`,
        ),
      ),
    ]);
  },
  TIMEOUT,
);

test('docs/next-operation.md shows parts of these diffs only', async () => {
  for (const step of STEPS.slice(1)) await take(step);
  const [, ...excerpts] = (await copy.read('docs/next-operation.md')).split('<!-- ');
  expect(excerpts.length).toBeGreaterThan(0);
  for (const excerpt of excerpts) {
    const [path = '', lines = ''] = excerpt.split(/ -->\n```diff\n|\n```\n/);
    expect(await copy.read(path)).toContain(`\n${lines}\n`);
  }
});

test('the other files are unchanged', async () => {
  const patches = (await Promise.all(STEPS.map(patchesOf))).flat();
  const generated = ['docs/api.md', 'generated/openapi.d.ts', 'generated/shapes.ts'];
  expect(await copy.changes()).toEqual([...generated, ...patches.map(pathOf)].sort());
});

/** The returned plant of a bed is another one than it was asked for. */
async function addHandlers(): Promise<void> {
  const handler = (name: string, id: string, returned: string): string => `
    ${name}: async ({ params: { ${id} } }) =>
      (await plants.findPlants([${id}])).has(${id}) ? { status: 200, body: { ${id}: ${returned} } } : plantNotFound(${id}),`;
  const more = handler('getGarden', 'gardenId', 'gardenId') + handler('getBed', 'bedId', 'bedId + 1n');
  await copy.edit(HANDLERS, 'deletePlant, database }: Plants', 'deletePlant, database, plants }: Plants');
  await copy.edit(HANDLERS, 'return {\n', `return {${more}\n`);
}

/** Renames an operation. test/scripts/generate.test.ts shows that the generated files follow so. */
async function rename(): Promise<void> {
  for (const path of ['openapi.yaml', 'generated/openapi.d.ts', 'generated/shapes.ts'])
    await copy.write(path, (await copy.read(path)).replaceAll('deletePlant', 'removePlant'));
  for (const _ of ['the handler', 'its check'])
    await copy.edit(HANDLERS, '    deletePlant: async', '    removePlant: async');
  await copy.edit('test/fixtures/operations.ts', '  deletePlant: {', '  removePlant: {');
}

describe('with handlers, an operation renamed, a base path and more resources', () => {
  let output: string;
  beforeAll(async () => {
    await addHandlers();
    await rename();
    expect(await copy.compile()).toEqual({ code: 0, output: '' });
    ({ output } = await copy.testContract(TESTS));
  }, TIMEOUT);

  test('the tests of a handler that returns another one than it was asked for fail, and all others pass', () => {
    const failed = [...output.matchAll(/^ +● (.+)$/gm)].map(([, name = '']) => name);
    expect(failed).toContain('getBed › answers 200');
    expect(failed.filter((name) => !name.startsWith('getBed › '))).toEqual([]);
    // A declared status that was never seen would be a failure.
    expect(output).toMatch(new RegExp(`\n[1-9]\\d\\d+ passed, ${new Set(failed).size} failed\n$`));
  });

  test('the new operations are tested by their examples, with each of their statuses', () => {
    const seen = [...output.matchAll(/^(\w+) +(\d{3}) +[1-9]\d*$/gm)].map(([, id, status]) => `${id} ${status}`);
    const many = ['400', '401', '403'];
    const rest = ['421', '429', '500', '503'];
    const statuses = {
      getGarden: ['200', ...many, '404', '412', ...rest],
      getBed: ['200', ...many, '404', '412', ...rest],
      listPlants: ['200', ...many, '412', ...rest],
      createPlant: ['201', ...many, '409', '412', '413', '415', ...rest],
      getPlant: ['200', ...many, '404', '412', ...rest],
      replacePlant: ['200', ...many, '404', '412', '413', '415', '421', '428', '429', '500', '503'],
      removePlant: ['204', ...many, '404', '409', '412', ...rest],
      updatePlant: ['200', ...many, '404', '412', '413', '415', '421', '428', '429', '500', '503'],
      getPhoto: ['200', '206', ...many, '404', '412', '416', ...rest],
      putPhoto: ['204', ...many, '404', '412', '413', '415', ...rest],
    };
    expect(seen).toEqual(Object.entries(statuses).flatMap(([id, codes]) => codes.map((code) => `${id} ${code}`)));
  });
});
