import { afterAll, expect, test } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { apiGuide } from '../../scripts/generate/api-guide.ts';
import { missingHandlers } from '../../scripts/generate/missing-handlers.ts';
import { clientShapes } from '../../packages/openapi-exact/src/generate/client-shapes.ts';
import { contractTypes } from '../../packages/openapi-exact/src/generate/types.ts';
import { checkContract } from '../../packages/openapi-exact/src/prepare.ts';
import { withFiles } from '../../packages/openapi-exact/test/support/inline-contract.ts';
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
  const renamed = CONTRACT.replace('/plants/{id}:', '/flowers/{id}:')
    .replace('operationId: deletePlant\n', 'operationId: removePlant\n')
    .replace('| There is no plant with this id. |', '| The plant is not there. |');
  await withFiles({ 'openapi.yaml': renamed }, async (file) => {
    const contract = await checkContract(file);
    const follow = (text: string): string =>
      text.replaceAll('/plants/{id}"', '/flowers/{id}"').replaceAll('deletePlant', 'removePlant');
    expect(await contractTypes(contract)).toBe(follow(await readProjectFile('generated/openapi.d.ts')));
    expect(clientShapes(contract)).toBe(follow(await readProjectFile('generated/shapes.ts')));
    expect(await apiGuide(contract)).toMatch(/^\| 40401 \| The plant is not there\. \|$/m);
    const handlers = `src/plants/handlers.ts:${lineOf(await readProjectFile('src/plants/handlers.ts'), '  return {')}`;
    expect(await missingHandlers(contract)).toEqual([
      expect.stringMatching(
        `${handlers}: no handler for removePlant .DELETE /flowers/{id}, .*:${lineOf(CONTRACT, '    delete:')}.$`,
      ),
      `${handlers}: no operation deletePlant in the contract`,
    ]);
  });
});

const HANDLERS = `import type { Verifiers } from '../packages/openapi-exact/src/security/verifier.ts';
import type { Handlers } from '../packages/openapi-exact/src/types.ts';
import type { operations, securitySchemes, webhooks } from './openapi.d.ts';

export const handlers: Handlers<operations> = {
  getPlantsByIdLeaves: ({ params: { id } }) => {
    if (id === 0n) return { status: 404 };
    if (id === 1n) return { status: 500, body: 1n };
    if (id === 2n) return { status: 200, body: { pot: { owned: true }, plant: { kind: 'Tree', rings: 9 }, filter: ['a', ['b']] } };
    return { status: 200, body: { mother: null, grade: 1n, label: 'a', born: null, parts: 1n, some: 2n, size: 1, free: { any: 'thing' }, named: { $ref: 'a' } } };
  },
  grow: () => ({ status: 204 }),
  direct: ({ query, body }) => {
    const sent: readonly [bigint, number, string, bigint[]] = [query.json, query.text, query.words, query.list];
    const filtered: bigint | undefined = query.filter?.id;
    const user = body.users?.['a'] ?? { secret: 'a', choice: 'b' };
    const choice: string | undefined = user.choice;
    const named: string | undefined = body.named?.name;
    const by: string | undefined = body.bee?.by?.friends?.[0]?.secret;
    const nothing: undefined = body.bee?.by?.id ?? body.named?.id ?? user.id;
    const kinds: string | undefined = body.bee?.kind ?? body.ant?.kind;
    if (body.shape?.shape === 'edgy') void body.shape.size;
    // @ts-expect-error a property of the other alternative
    if (body.shape?.shape === 'Round') void body.shape.size;
    void [sent, filtered, choice, named, by, nothing, kinds];
    const friend = { id: 1n, choice: 2n };
    return {
      status: 200,
      headers: { 'X-Json': 1n },
      body: {
        users: { a: { id: 1n, choice: 'b', friends: [friend] } },
        named: { id: 'a', name: 'b' },
        bee: { kind: 'bee', by: friend },
        ant: { kind: 'Ant', legs: 6 },
        shape: { shape: 'Round', id: 1n },
      },
    };
  },
  state: ({ body: { wrapped, crab, either, both, beside, whole, mixed } }) => {
    const known: readonly [string, string, bigint, number] = [wrapped.kind, crab.kind, both.id, both.size];
    const ids: readonly bigint[] = [either.id, beside.size, whole.size];
    void [known, ids, mixed.name.length];
    return {
      status: 200,
      body: {
        wrapped: { kind: 'bee' },
        crab: { kind: 'Crab', legs: 10 },
        either: { id: 1n, a: 'a' },
        both: { id: 1n, size: 1 },
        beside: { id: 'a', name: 'b', size: 1n },
        whole: { size: 1n },
        mixed: { name: 'a', others: 1n },
      },
    };
  },
};
export const verifiers: Verifiers<securitySchemes> = {
  basic: ({ username }) => Promise.resolve({ name: username }),
  'api-key': (key) => Promise.resolve({ name: key }),
  oauth: (token) => Promise.resolve({ name: token }),
};
// @ts-expect-error a scheme without a verifier
export const missing: Verifiers<securitySchemes> = { basic: verifiers.basic, oauth: verifiers.oauth };
// @ts-expect-error a verifier of tokens for a user name and a password
export const other: Verifiers<securitySchemes> = { ...verifiers, basic: verifiers.oauth };
// @ts-expect-error the status of a range, which has no body, with the body of default
export const ranged: Handlers<operations>['getPlantsByIdLeaves'] = () => ({ status: 404, body: 1n });
export type Watered = webhooks['watered']['post']['responses'][204];
export type Grown = webhooks['grow/grown/{$request.query.url}']['post']['responses'][204];

// @ts-expect-error a property that another part of allOf requires
export const part: Handlers<operations>['state'] = ({ body }) => ({ status: 200, body: { ...body, whole: {} } });

export const wrong: Handlers<operations> = {
  // @ts-expect-error an int64 as a number
  getPlantsByIdLeaves: () => ({ status: 200, body: { mother: 1, born: 1n, parts: 1n } }),
  // @ts-expect-error an undeclared status
  grow: () => ({ status: 200 }),
  // @ts-expect-error a write-only property in a response
  direct: () => ({ status: 200, headers: { 'X-Json': 1n }, body: { users: { a: { id: 1n, choice: 'b', secret: 'c' } } } }),
  // @ts-expect-error a required property that is missing beside anyOf
  state: ({ body }) => ({ status: 200, body: { ...body, either: { a: 'a' } } }),
};
// @ts-expect-error an operation that is called, not served
export type Called = operations['grown'];
`;

test('the types of another contract are written where one wants them, with int64 as bigint everywhere, no read-only property in requests and no write-only one in responses; its style is worth a warning at most', async () => {
  const { code, output } = await copy.run(
    'scripts/generate.ts',
    ...['--contract', 'packages/openapi-exact/test/fixtures/contracts/foreign.yaml', '--out', 'foreign'],
  );
  expect([code, output.split('\n').at(-2)]).toEqual([0, 'Wrote foreign/openapi.d.ts']);
  const lines = output.split('\n').slice(0, -2);
  expect(lines).toContainEqual(expect.stringMatching(/foreign\.yaml:\d+:\d+: warn: .*summary.*\(operation-summary\)$/));
  for (const line of lines) expect(line).toMatch(/: warn: |^and \d+ more warnings$/);

  await copy.write('foreign/handlers.ts', HANDLERS);
  await copy.write('foreign/tsconfig.json', '{ "extends": "../tsconfig.json", "include": ["*.ts"], "exclude": [] }');
  expect(await copy.compile('-p', 'foreign')).toEqual({ code: 0, output: '' });
});
