import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile, rm } from 'node:fs/promises';
import { scratchCopy, type ScratchCopy } from '../support/scratch-copy.ts';

/**
 * Adds plants with name, price and category to the service, step by step: each test goes on where
 * the previous one ended. All handwritten files are in test/fixtures/next-operation.
 */
const WRITTEN = [
  'src/plants/handlers.ts',
  'src/stores/migrations.ts',
  'src/stores/plants.ts',
  'test/fixtures/operations.ts',
];
/** Calls the new operations with the client, on both databases; becomes a test once they exist. */
const CLIENT_TEST = { from: 'test/plants/plants.ts', to: 'test/next-operation/plants.test.ts' };
/** Tests with a contract of their own, or of ids alone, say nothing new about this one. */
const OWN_CONTRACTS =
  'bodies|body-types|document|ids|lifecycle|media-types|multipart|not-served|oracle|param|preconditions|respond|schemas|security|split|streams|types';
const OTHERS = `--testPathIgnorePatterns=contract/(${OWN_CONTRACTS})`;
const STALE = 'generated/openapi.d.ts is stale: run `npm run generate` and commit what it writes.';
const FINE = { code: 0, output: '' };

/** Compilers and test runs are started here, beside the other tests; in milliseconds. */
const TIMEOUT = 300_000;

let copy: ScratchCopy;
beforeAll(async () => {
  copy = await scratchCopy();
});
afterAll(() => rm(copy.folder, { recursive: true }));

/** A file of the user's. */
function written(path: string): Promise<string> {
  return readFile(new URL(`../fixtures/next-operation/${path}`, import.meta.url), 'utf8');
}

/** `npm run generate`. */
const generate = (...args: string[]): ReturnType<ScratchCopy['run']> => copy.run('tsx', 'scripts/generate.ts', ...args);

/** `npm run types`; each goes on from the one before. */
const compile = (): ReturnType<ScratchCopy['run']> =>
  copy.run('../typescript/bin/tsc', '--noEmit', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', 'types');

test('a contract with five more operations fails the check, which names the command to run', async () => {
  const [, ...parts] = (await written('openapi.yaml.additions')).split('# behind: ');
  for (const part of parts) {
    const end = part.indexOf('\n');
    const line = `\n${part.slice(0, end)}\n`;
    await copy.edit('openapi.yaml', line, `${line}${part.slice(end + 1).trimEnd()}\n`);
  }
  expect(await generate('--check')).toEqual({ code: 1, output: expect.stringContaining(STALE) });
});

test(
  'after `npm run generate` the compiler names the five missing handlers, and nothing else',
  async () => {
    expect(await generate()).toEqual({ code: 0, output: expect.stringContaining('Wrote generated/openapi.d.ts\n') });
    const { code, output } = await compile();
    expect(code).not.toBe(0);
    const missing = 'is missing the following properties from type';
    const names = 'listPlants, createPlant, getPlant, replacePlant, updatePlant';
    expect(output.trim().split('\n')).toEqual([
      expect.stringMatching(
        new RegExp(
          `^src/plants/handlers\\.ts\\(\\d+,\\d+\\): error TS2739: .* ${missing} 'Handlers<operations>': ${names}$`,
        ),
      ),
    ]);
  },
  TIMEOUT,
);

test(
  'with handlers all tests pass, and the new operations are tested by their examples',
  async () => {
    for (const path of WRITTEN) await copy.write(path, await written(path));
    await copy.write(CLIENT_TEST.to, await written(CLIENT_TEST.from));
    const [types, fresh] = await Promise.all([compile(), generate('--check')]);
    expect({ types, fresh }).toEqual({
      types: FINE,
      fresh: { code: 0, output: expect.stringMatching(/^Up to date: /) },
    });
    const more = ['test/errors.test.ts', CLIENT_TEST.to];
    const tests = await copy.run('tsx', 'scripts/test-contract.ts', ...more, OTHERS, '--maxWorkers=2');
    // A declared status that was never seen would be a failure.
    expect(tests).toEqual({ code: 0, output: expect.stringMatching(/\n[1-9]\d* passed, 0 failed\n$/) });
    const seen = [...tests.output.matchAll(/^(\w+) +(\d{3}) +[1-9]\d*$/gm)].map(([, id, status]) => `${id} ${status}`);
    const many = ['400', '401'];
    const rest = ['421', '429', '500', '503'];
    const statuses = {
      listPlants: ['200', ...many, '412', ...rest],
      createPlant: ['201', ...many, '409', '412', '413', '415', ...rest],
      getPlant: ['200', ...many, '404', '412', ...rest],
      replacePlant: ['200', ...many, '404', '412', '413', '415', '421', '428', '429', '500', '503'],
      deletePlant: ['204', ...many, '403', '404', '409', '412', ...rest],
      updatePlant: ['200', ...many, '404', '412', '413', '415', '421', '428', '429', '500', '503'],
    };
    expect(seen).toEqual(Object.entries(statuses).flatMap(([id, codes]) => codes.map((code) => `${id} ${code}`)));
  },
  TIMEOUT,
);

test('docs/next-operation.md shows excerpts of these files only', async () => {
  const [, ...excerpts] = (await copy.read('docs/next-operation.md')).split('<!-- ');
  expect(excerpts.length).toBeGreaterThan(0);
  for (const excerpt of excerpts) {
    const [path = '', code = ''] = excerpt.split(/ -->\n```\w+\n|\n```\n/);
    expect(await copy.read(path)).toContain(code);
  }
});

test('the other files are unchanged', async () => {
  expect(await copy.changes()).toEqual(
    [
      'docs/api.md',
      'generated/openapi.d.ts',
      'generated/operations.ts',
      'openapi.yaml',
      ...WRITTEN,
      CLIENT_TEST.to,
    ].sort(),
  );
});
