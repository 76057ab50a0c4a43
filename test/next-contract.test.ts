import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile, rm } from 'node:fs/promises';
import { scratchCopy, type ScratchCopy } from './support/scratch-copy.ts';

/**
 * Renames the operation, gives the servers a base path and adds a resource with a tag of its own.
 * With the tests of the contract, these call the product's operations; none starts the built program.
 */
const TESTS = [
  'test/app',
  'test/auth/bearer',
  'test/auth/jwt/provider',
  'test/client/calls',
  'test/client/options',
  'test/docs/contract',
  'test/docs/docs',
  'test/errors',
  'test/http/cors',
  'test/logging/audit',
  'test/logging/request',
];
/** Tests with a contract of their own say nothing new about this one. */
const OWN_CONTRACTS =
  'bodies|body-types|document|lifecycle|media-types|multipart|not-served|oracle|param|preconditions|respond|schemas|security|split|start|streams';
const IGNORED = `--testPathIgnorePatterns=contract/(${OWN_CONTRACTS})`;
/** Only the tests that follow from the operations' examples. */
const OPERATIONS = '--testPathIgnorePatterns=contract/(?!operations)';

/** A compiler and a test run are started here, beside the other tests; in milliseconds. */
const TIMEOUT = 300_000;

let copy: ScratchCopy;
beforeAll(async () => {
  copy = await scratchCopy();
  const gardens = await readFile(new URL('fixtures/next-contract.yaml', import.meta.url), 'utf8');
  await copy.edit('openapi.yaml', 'operationId: deletePlant', 'operationId: removePlant');
  await copy.edit('openapi.yaml', 'url: http://127.0.0.1:3000\n', 'url: http://127.0.0.1:3000/v1\n');
  await copy.edit('openapi.yaml', '\npaths:\n', `\n${gardens}`);
  await copy.edit('openapi.yaml', '\ntags:\n', '\ntags:\n  - name: gardens\n    description: Where plants grow\n');
  await copy.run('tsx', 'scripts/generate.ts');
});
afterAll(() => rm(copy.folder, { recursive: true }));

test(
  'with the operation renamed, a base path and a second resource, all tests pass once the handlers follow',
  async () => {
    await copy.edit('src/plants/handlers.ts', '    deletePlant: async', '    removePlant: async');
    await copy.edit('src/plants/handlers.ts', '    deletePlant: async', '    removePlant: async');
    const handlers = await copy.read('src/plants/handlers.ts');
    await copy.write('src/plants/handlers.ts', handlers.replace(/(?<=plantHandlers\(\{ [^}]*?) (?=\})/, ', plants '));
    await copy.edit(
      'src/plants/handlers.ts',
      'return {\n',
      `return {
    getGarden: async ({ params: { gardenId } }) =>
      (await plants.findPlants([gardenId])).has(gardenId) ? { status: 200, body: { gardenId } } : plantNotFound(gardenId),
`,
    );
    await copy.edit('test/fixtures/operations.ts', '  deletePlant: {', '  removePlant: {');
    expect(await copy.run('tsc')).toEqual({ code: 0, output: '' });
    const { output } = await copy.run('tsx', 'scripts/test-contract.ts', ...TESTS, IGNORED, '--maxWorkers=2');
    expect(output).toMatch(/\n[1-9]\d\d+ passed, 0 failed\n$/);
  },
  TIMEOUT,
);

test(
  'a handler that returns another resource than it was asked for fails the tests of its operation',
  async () => {
    await copy.edit('src/plants/handlers.ts', 'body: { gardenId } }', 'body: { gardenId: gardenId + 1n } }');
    const { output } = await copy.run('tsx', 'scripts/test-contract.ts', OPERATIONS, '--testNamePattern=getGarden');
    expect(output).toContain('● getGarden › answers 200');
  },
  TIMEOUT,
);
