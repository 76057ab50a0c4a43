import { afterAll, beforeAll, expect, test as always } from '@jest/globals';
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
/** Tests of the product's operations. */
const TOGETHER = ['contract/operations', 'contract/requests', 'contract/scopes', 'errors', 'plants'];
/** Tests that end their service after each test. */
const ALONE = ['contract/limits'];

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

/** `npm run types`. */
const compile = (): ReturnType<ScratchCopy['run']> => copy.run('tsc');

test(
  '`npm run generate` names the seven missing handlers, and the compiler asks for nothing else',
  async () => {
    await take('1-contract');
    const generated = await copy.run('tsx', 'scripts/generate.ts');
    expect(generated).toEqual({ code: 0, output: expect.stringContaining('Wrote generated/openapi.d.ts\n') });
    const missing = [...generated.output.matchAll(/^src\/plants\/handlers\.ts:\d+: no handler for (\w+)/gm)];
    const names = ['listPlants', 'createPlant', 'getPlant', 'replacePlant', 'updatePlant', 'getPhoto', 'putPhoto'];
    expect(missing.map(([, name]) => name)).toEqual(names);
    const { code, output } = await compile();
    expect(code).not.toBe(0);
    const without = 'is missing the following properties from type';
    const first = 'listPlants, createPlant, getPlant, replacePlant, and 3 more';
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

test(
  'with handlers all tests pass, and the new operations are tested by their examples',
  async () => {
    for (const step of STEPS.slice(1)) await take(step);
    expect(await compile()).toEqual({ code: 0, output: '' });
    const tests = await copy.testContract(TOGETHER, ALONE);
    // A declared status that was never seen would be a failure.
    expect(tests).toEqual({ code: 0, output: expect.stringMatching(/\n[1-9]\d* passed, 0 failed\n$/) });
    const seen = [...tests.output.matchAll(/^(\w+) +(\d{3}) +[1-9]\d*$/gm)].map(([, id, status]) => `${id} ${status}`);
    const many = ['400', '401', '403'];
    const rest = ['421', '429', '500', '503'];
    const statuses = {
      listPlants: ['200', ...many, '412', ...rest],
      createPlant: ['201', ...many, '409', '412', '413', '415', ...rest],
      getPlant: ['200', ...many, '404', '412', ...rest],
      replacePlant: ['200', ...many, '404', '412', '413', '415', '421', '428', '429', '500', '503'],
      deletePlant: ['204', ...many, '404', '409', '412', ...rest],
      updatePlant: ['200', ...many, '404', '412', '413', '415', '421', '428', '429', '500', '503'],
      getPhoto: ['200', '206', ...many, '404', '412', '416', ...rest],
      putPhoto: ['204', ...many, '404', '412', '413', '415', ...rest],
    };
    expect(seen).toEqual(Object.entries(statuses).flatMap(([id, codes]) => codes.map((code) => `${id} ${code}`)));
  },
  TIMEOUT,
);

test('docs/next-operation.md shows parts of these diffs only', async () => {
  const [, ...excerpts] = (await copy.read('docs/next-operation.md')).split('<!-- ');
  expect(excerpts.length).toBeGreaterThan(0);
  for (const excerpt of excerpts) {
    const [path = '', lines = ''] = excerpt.split(/ -->\n```diff\n|\n```\n/);
    expect(await copy.read(path)).toContain(`\n${lines}\n`);
  }
});

test('the other files are unchanged', async () => {
  const patches = (await Promise.all(STEPS.map(patchesOf))).flat();
  const generated = ['docs/api.md', 'generated/openapi.d.ts', 'generated/operations.ts'];
  expect(await copy.changes()).toEqual([...generated, ...patches.map(pathOf)].sort());
});
