import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile, rm } from 'node:fs/promises';
import { scratchCopy, type ScratchCopy } from '../support/scratch-copy.ts';

/**
 * Adds GET /plants, POST /plants and GET /plants/{id} to the service, step by step: each test goes
 * on where the previous one ended. All handwritten files are in test/fixtures/next-operation.
 */
const WRITTEN = ['src/plants/handlers.ts'];
/** Calls the new operations; becomes a test once they exist. */
const CLIENT_TEST = { from: 'test/client/next-operation.ts', to: 'test/client/next-operation.test.ts' };
/** Tests with a contract of their own, or of ids alone, say nothing new about this one. */
const OWN_CONTRACTS =
  'bodies|body-types|document|ids|lifecycle|media-types|multipart|not-served|oracle|param|preconditions|respond|schemas|security|split|streams|types';
const OTHERS = `--testPathIgnorePatterns=contract/(${OWN_CONTRACTS})`;
const STALE = 'generated/openapi.d.ts is stale: run `npm run generate` and commit what it writes.';
const FINE = { code: 0, output: '' };

/** Compilers and test runs are started here, beside the other tests; in milliseconds. */
const TIMEOUT = 180_000;

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

test('a contract with three more operations fails the check, which names the command to run', async () => {
  const [, ...parts] = (await written('openapi.yaml.additions')).split('# behind: ');
  for (const part of parts) {
    const end = part.indexOf('\n');
    const line = `\n${part.slice(0, end)}\n`;
    await copy.edit('openapi.yaml', line, `${line}${part.slice(end + 1).trimEnd()}\n`);
  }
  expect(await generate('--check')).toEqual({ code: 1, output: expect.stringContaining(STALE) });
});

test(
  'after `npm run generate` the compiler names the three missing handlers, and nothing else',
  async () => {
    expect(await generate()).toEqual({ code: 0, output: expect.stringContaining('Wrote generated/openapi.d.ts\n') });
    const { code, output } = await compile();
    expect(code).not.toBe(0);
    const missing = 'is missing the following properties from type';
    const names = 'listPlants, createPlant, getPlant';
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
    expect(seen).toEqual([
      ...['200', '400', '401', '412', '421', '500', '503'].map((status) => `listPlants ${status}`),
      ...['201', '400', '401', '409', '412', '413', '415', '421', '500', '503'].map(
        (status) => `createPlant ${status}`,
      ),
      ...['200', '400', '401', '404', '412', '421', '500', '503'].map((status) => `getPlant ${status}`),
      ...['204', '400', '401', '403', '404', '409', '412', '421', '429', '500', '503'].map(
        (status) => `deletePlant ${status}`,
      ),
    ]);
  },
  TIMEOUT,
);

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
