import { afterAll, beforeAll, expect, test as always } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { callScript } from 'test-support/call-program.ts';
import { contract } from './support/contract.ts';
import { scratchCopy, type ScratchCopy } from './support/scratch-copy.ts';

/**
 * Adds an operation to a copy of the project, which returns a plant with its name: everything that
 * a new operation needs is here. Each test goes on where the previous one ended.
 */
const OPERATION = `
    get:
      operationId: getPlant
      summary: Get a plant
      description: Returns the plant identified by \`id\`.
      tags:
        - plants
      parameters:
        - $ref: '#/components/parameters/PlantIdInPath'
      responses:
        '200':
          description: The plant.
          content:
            application/json:
              schema:
                type: object
                required:
                  - id
                properties:
                  id:
                    $ref: '#/components/schemas/PlantId'
                  name:
                    description: Its name; absent for a plant of which only the id is known.
                    type: string
                    example: Rose
${['BadRequest', 'Unauthorized', 'Forbidden', 'PlantNotFound', 'PreconditionFailed', 'MisdirectedRequest']
  .concat('TooManyRequests', 'InternalServerError', 'ServiceUnavailable')
  .map((name, index) => [[400, 401, 403, 404, 412, 421, 429, 500, 503][index], name] as const)
  .map(([status, name]) => `        '${status}':\n          $ref: '#/components/responses/${name}'\n`)
  .join('')}`;

const MIGRATION = `[() => 'ALTER TABLE plants ADD COLUMN name text']`;

const STORE_FUNCTION = `import { sql, type Database } from './database.ts';

/** Finds a plant. @returns undefined if it does not exist. */
export async function findPlant({ read }: Database, id: bigint): Promise<{ name: string | null } | undefined> {
  const [plant] = await read<{ name: string | null }>(sql\`SELECT name FROM plants WHERE id = \${id}\`);
  return plant;
}
`;

const HANDLER = `
    getPlant: async ({ params: { id } }) => {
      const plant = await findPlant(database, id);
      if (plant === undefined) return plantNotFound(id);
      return { status: 200, body: { id, ...(plant.name !== null && { name: plant.name }) } };
    },`;

/** Tests that a new operation, its error codes, its page or its scope could break. */
const TESTS = ['contract/limits', 'contract/operations', 'contract/scopes', 'docs', 'errors'];

const HANDLERS = 'src/plants/handlers.ts';
/** Compilers and test runs are started here, beside the other tests; in milliseconds. */
const TIMEOUT = 600_000;

/** Its anchors are those of the contract as it was delivered. */
const isDelivered = contract.operations.map(({ id }) => id).join() === 'deletePlant';
const test = isDelivered ? always : always.skip;
if (!isDelivered) process.stderr.write('skipped: the example of the next operation, for the contract is another one\n');

let copy: ScratchCopy;
beforeAll(async () => {
  copy = await scratchCopy();
});
afterAll(() => rm(copy.folder, { recursive: true }));

test(
  'the compiler names the missing handler, and asks for nothing else',
  async () => {
    await copy.edit('openapi.yaml', '\n    delete:\n', `${OPERATION}    delete:\n`);
    const { code, output } = await callScript(copy.folder, 'scripts/generate.ts');
    expect([code, output]).toEqual([0, expect.stringContaining('Wrote generated/openapi.d.ts\n')]);
    const compiled = await copy.compile();
    expect(compiled.output.trim().split('\n')).toEqual([
      expect.stringMatching(/^src\/plants\/handlers\.ts\(\d+,\d+\): error TS2741: Property 'getPlant' is missing /),
    ]);
  },
  TIMEOUT,
);

test(
  'with a migration, a store function and a handler it compiles',
  async () => {
    await copy.edit('src/stores/migrations.ts', '=> string)[] = []', `=> string)[] = ${MIGRATION}`);
    await copy.write('src/stores/find-plant.ts', STORE_FUNCTION);
    await copy.edit(HANDLERS, 'plantHandlers({ deletePlant }', 'plantHandlers({ deletePlant, database }');
    await copy.edit(HANDLERS, '  return {\n', `  return {${HANDLER}\n`);
    const imported = "import { findPlant } from '../stores/find-plant.ts';";
    await copy.edit(HANDLERS, 'import { PlantInUseError', `${imported}\nimport { PlantInUseError`);
    expect(await copy.compile()).toEqual({ code: 0, output: '' });
  },
  TIMEOUT,
);

test(
  'it serves both plants and refusals, and no test fails',
  async () => {
    const { output } = await copy.testContract(TESTS);
    expect([...output.matchAll(/^ +● (.+)$/gm)].map(([, name]) => name)).toEqual([]);
    expect(output).toMatch(/\n[1-9]\d\d+ passed, 0 failed\n$/);
    const seen = [...output.matchAll(/^getPlant +(\d{3}) +[1-9]\d*$/gm)].map(([, status]) => Number(status));
    expect(seen).toEqual([200, 400, 401, 403, 404, 412, 421, 429, 500, 503]);
  },
  TIMEOUT,
);

test('nothing else was changed', async () => {
  const generated = ['generated/openapi.d.ts', 'generated/shapes.ts'];
  const sources = ['openapi.yaml', HANDLERS, 'src/stores/find-plant.ts', 'src/stores/migrations.ts'];
  expect(await copy.changes()).toEqual([...generated, ...sources].sort());
});
