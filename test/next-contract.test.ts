import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile, rm } from 'node:fs/promises';
import { scratchCopy, type ScratchCopy } from './support/scratch-copy.ts';

/**
 * Renames the operation, gives the servers a base path and adds two resources with tags of their
 * own: gardens, and beds, whose handler is wrong. These tests call the product's operations.
 */
const TOGETHER = [
  ...['auth/bearer', 'auth/jwt/provider', 'client/calls', 'client/options', 'contract/ids'],
  ...['contract/operations', 'contract/requests', 'contract/scopes', 'contract/types', 'docs/contract'],
  ...['docs/docs', 'errors'],
];
/** Tests that end their service after each test. */
const ALONE = ['app', 'contract/limits', 'logging/audit-log', 'logging/request-log'];

/** A compiler and a test run are started here, beside the other tests; in milliseconds. */
const TIMEOUT = 300_000;

let copy: ScratchCopy;
beforeAll(async () => {
  copy = await scratchCopy();
  const gardens = await readFile(new URL('fixtures/next-contract.yaml', import.meta.url), 'utf8');
  const beds = gardens.slice(gardens.indexOf('  /gardens')).replaceAll('garden', 'bed').replaceAll('Garden', 'Bed');
  const tags = ['garden', 'bed'].map((name) => `  - name: ${name}s\n    description: Where plants grow in a ${name}\n`);
  await copy.edit('openapi.yaml', 'operationId: deletePlant', 'operationId: removePlant');
  await copy.edit('openapi.yaml', 'url: http://127.0.0.1:3000\n', 'url: http://127.0.0.1:3000/v1\n');
  await copy.edit('openapi.yaml', '\npaths:\n', `\n${gardens}${beds}`);
  await copy.edit('openapi.yaml', '\ntags:\n', `\ntags:\n${tags.join('')}`);
  await copy.run('tsx', 'scripts/generate.ts');
});
afterAll(() => rm(copy.folder, { recursive: true }));

test(
  'with the operation renamed, a base path and more resources, the tests of a handler that returns another one than it was asked for fail, and all others pass',
  async () => {
    await copy.edit('src/plants/handlers.ts', '    deletePlant: async', '    removePlant: async');
    await copy.edit('src/plants/handlers.ts', '    deletePlant: async', '    removePlant: async');
    const handlers = await copy.read('src/plants/handlers.ts');
    await copy.write('src/plants/handlers.ts', handlers.replace(/(?<=plantHandlers\(\{ [^}]*?) (?=\})/, ', plants '));
    const handler = (name: string, id: string, returned: string): string => `
    ${name}: async ({ params: { ${id} } }) =>
      (await plants.findPlants([${id}])).has(${id}) ? { status: 200, body: { ${id}: ${returned} } } : plantNotFound(${id}),`;
    const more = handler('getGarden', 'gardenId', 'gardenId') + handler('getBed', 'bedId', 'bedId + 1n');
    await copy.edit('src/plants/handlers.ts', 'return {\n', `return {${more}\n`);
    await copy.edit('test/fixtures/operations.ts', '  deletePlant: {', '  removePlant: {');
    expect(await copy.run('tsc')).toEqual({ code: 0, output: '' });
    const { output } = await copy.testContract(TOGETHER, ALONE);
    const failed = [...output.matchAll(/^ +● (.+)$/gm)].map(([, name = '']) => name);
    expect(failed).toContain('getBed › answers 200');
    expect(failed.filter((name) => !name.startsWith('getBed › '))).toEqual([]);
    expect(output).toMatch(new RegExp(`\n[1-9]\\d\\d+ passed, ${new Set(failed).size} failed\n$`));
  },
  TIMEOUT,
);
