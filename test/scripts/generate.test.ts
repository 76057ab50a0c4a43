import { afterAll, expect, test } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { readProjectFile } from '../support/readme.ts';
import { scratchCopy, type ScratchCopy } from '../support/scratch-copy.ts';

const CONTRACT = await readProjectFile('openapi.yaml');
const GENERATED = ['generated/openapi.d.ts', 'generated/operations.ts', 'docs/configuration.md', 'docs/api.md'];

const copy = await scratchCopy();
afterAll(() => rm(copy.folder, { recursive: true }));

const generate = (...args: string[]): ReturnType<ScratchCopy['run']> => copy.run('tsx', 'scripts/generate.ts', ...args);

test('--check fails when files are stale, names each and the command, and changes nothing; without it they are written, and handlers are missed', async () => {
  const edits = [
    ['openapi.yaml', '/plants/{id}:', '/flowers/{id}:'],
    ['openapi.yaml', 'operationId: deletePlant\n', 'operationId: removePlant\n'],
    ['openapi.yaml', '| There is no plant with this id. |', '| The plant is not there. |'],
    ['src/config.ts', "default: '9464'", "default: '9465'"],
  ] as const;
  for (const [path, from, to] of edits) await copy.edit(path, from, to);
  expect(await generate('--check')).toEqual({
    code: 1,
    output: GENERATED.map((name) => `${name} is stale: run \`npm run generate\` and commit what it writes.\n`).join(''),
  });
  expect(await copy.changes()).toEqual(['openapi.yaml', 'src/config.ts']);

  // Nothing else is printed, as the contract has no problem and no warning.
  const lineOf = (text: string, sought: string): number => text.split('\n').indexOf(sought) + 1;
  const handlers = `src/plants/handlers.ts:${lineOf(await copy.read('src/plants/handlers.ts'), '  return {')}`;
  const operation = `DELETE /flowers/{id}, openapi.yaml:${lineOf(CONTRACT, '    delete:')}`;
  const { code, output } = await generate();
  expect({ code, lines: output.trim().split('\n').sort() }).toEqual({
    code: 0,
    lines: [
      ...GENERATED.map((name) => `Wrote ${name}`),
      `${handlers}: no handler for removePlant (${operation})`,
      `${handlers}: no operation deletePlant in the contract`,
    ].sort(),
  });
  for (const name of GENERATED.slice(0, 2)) {
    const before = await readProjectFile(name);
    expect(await copy.read(name)).toBe(
      before.replaceAll('/plants/{id}"', '/flowers/{id}"').replaceAll('deletePlant', 'removePlant'),
    );
  }
  expect(await copy.read('docs/configuration.md')).toContain('| `ADMIN_PORT` | `9465` |');
  expect(await copy.read('docs/api.md')).toMatch(/^\| 40401 \| The plant is not there\. \|$/m);
});

test('a contract that does not parse exits with 1, names file and line, and writes nothing', async () => {
  await copy.write('openapi.yaml', CONTRACT.replace('info:\n', 'info: [}\n'));
  const before = await copy.changes();
  expect(await generate()).toEqual({ code: 1, output: expect.stringMatching(/^openapi\.yaml:2:\d+: error: /m) });
  expect(await copy.changes()).toEqual(before);
});

// test/contract/start.test.ts shows what the start refuses too.
test('the problems of a contract have line and column, those of style and those that the service would not start with; with them it exits with 1 and writes nothing', async () => {
  const summary = ['      summary: Delete a plant\n', '', /:\d+:\d+: .*\(operation-summary\)$/m] as const;
  const example = ['error: 40001', 'error: many', /:\d+:\d+: .*\(no-invalid-media-type-examples\)$/m] as const;
  const certificate = [
    '      type: http\n      scheme: bearer\n',
    '      type: mutualTLS\n',
    /:\d+:7: error: the security scheme 'bearerAuth' is mutualTLS/,
  ] as const;
  const twice = [
    'components:\n',
    '  /weeds:\n    delete:\n      operationId: deletePlant\n      responses: { 204: { description: None. } }\ncomponents:\n',
    /:\d+:7: error: the operationId deletePlant is the name/,
  ] as const;
  const edits = [summary, example, certificate, twice];
  for (const [from] of edits) expect(CONTRACT).toContain(from);
  await copy.write(
    'openapi.yaml',
    edits.reduce((text, [from, to]) => text.replace(from, to), CONTRACT),
  );
  const before = await copy.changes();
  const { code, output } = await generate();
  expect(code).toBe(1);
  for (const [, , problem] of edits) expect(output).toMatch(problem);
  expect(await copy.changes()).toEqual(before);
});

const HANDLERS = `import type { Verifiers } from '../src/contract/security/verifier.ts';
import type { Handlers } from '../src/contract/types.ts';
import type { operations, securitySchemes, webhooks } from './openapi.d.ts';

export const handlers: Handlers<operations> = {
  getPlantsByIdLeaves: ({ params: { id } }) => {
    if (id === 0n) return { status: 404 };
    if (id === 1n) return { status: 500, body: 1n };
    if (id === 2n) return { status: 200, body: { pot: { owned: true }, plant: { kind: 'Tree', rings: 9 }, filter: ['a', ['b']] } };
    return { status: 200, body: { mother: null, grade: 1n, label: 'a', born: null, parts: 1n, size: 1, free: { any: 'thing' }, named: { $ref: 'a' } } };
  },
  grow: () => ({ status: 204 }),
  direct: ({ query, body }) => {
    const sent: readonly [bigint, number, string] = [query.json, query.text, query.words];
    const filtered: bigint | undefined = query.filter?.id;
    const user = body.users?.['a'] ?? { secret: 'a', choice: 'b' };
    const choice: string | undefined = user.choice;
    const named: string | undefined = body.named?.name;
    const by: string | undefined = body.bee?.by?.friends?.[0]?.secret;
    const nothing: undefined = body.bee?.by?.id ?? body.named?.id ?? user.id;
    const kinds: 'bee' | 'Ant' | undefined = body.bee?.kind ?? body.ant?.kind;
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

export const wrong: Handlers<operations> = {
  // @ts-expect-error an int64 as a number
  getPlantsByIdLeaves: () => ({ status: 200, body: { mother: 1, born: 1n, parts: 1n } }),
  // @ts-expect-error an undeclared status
  grow: () => ({ status: 200 }),
  // @ts-expect-error a write-only property in a response
  direct: () => ({ status: 200, headers: { 'X-Json': 1n }, body: { users: { a: { id: 1n, choice: 'b', secret: 'c' } } } }),
};
// @ts-expect-error an operation that is called, not served
export type Called = operations['grown'];
`;

test('the types of another contract are written where one wants them, with int64 as bigint everywhere, no read-only property in requests and no write-only one in responses; its style is worth a warning at most', async () => {
  const { code, output } = await generate('--contract', 'test/fixtures/contracts/foreign.yaml', '--out', 'foreign');
  expect([code, output.split('\n').at(-2)]).toEqual([0, 'Wrote foreign/openapi.d.ts']);
  const lines = output.split('\n').slice(0, -2);
  expect(lines).toContainEqual(expect.stringMatching(/foreign\.yaml:\d+:\d+: warn: .*summary.*\(operation-summary\)$/));
  for (const line of lines) expect(line).toMatch(/: warn: |^and \d+ more warnings$/);

  await copy.write('foreign/handlers.ts', HANDLERS);
  await copy.write('foreign/tsconfig.json', '{ "extends": "../tsconfig.json", "include": ["*.ts"], "exclude": [] }');
  expect(await copy.run('tsc', '-p', 'foreign')).toEqual({ code: 0, output: '' });
});
