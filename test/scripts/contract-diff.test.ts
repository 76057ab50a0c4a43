import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { compareContracts, contractDiff, type ContractDiff } from '../support/contract-diff.ts';
import { scratchCopy, type ScratchCopy } from '../support/scratch-copy.ts';

const ORIGINAL = await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8');
const MAJOR = ['version: 1.0.0', 'version: 2.0.0'] as const;

// A git hook that runs the tests has set these for its own repository.
for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) Reflect.deleteProperty(process.env, name);

let copy: ScratchCopy;
beforeAll(async () => {
  copy = await scratchCopy();
  await git('init', '--quiet', '--initial-branch', 'main');
  await commit({ 'openapi.yaml': ORIGINAL });
});
afterAll(() => rm(copy.folder, { recursive: true }));

async function git(...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=tests', '-c', 'user.email=tests@localhost', '-c', 'commit.gpgsign=false'];
  const { stdout } = await promisify(execFile)('git', [...identity, ...args], { cwd: copy.folder });
  return stdout.trim();
}

/** The contract of the last commit. */
let committed: string | undefined;

async function commit(files: Record<string, string>): Promise<void> {
  committed = files['openapi.yaml'];
  for (const [path, text] of Object.entries(files)) await copy.write(path, text);
  await git('add', ...Object.keys(files));
  await git('commit', '--quiet', '--allow-empty', '--message', 'contract');
}

/** Commits one contract, puts another in its place and compares. */
async function diff(from: string, to: string): Promise<ContractDiff> {
  if (from !== committed) await commit({ 'openapi.yaml': from });
  await copy.write('openapi.yaml', to);
  return contractDiff(pathToFileURL(`${copy.folder}/`), 'main');
}

function edited(text: string, ...edits: readonly (readonly [from: string, to: string])[]): string {
  return edits.reduce((current, [from, to]) => {
    if (!current.includes(from)) throw new Error(`openapi.yaml does not contain: ${from}`);
    return current.replace(from, to);
  }, text);
}

/** The contract without the text from one place to before another, or to its end. */
function without(from: string, until?: string): string {
  const start = ORIGINAL.indexOf(from);
  const end = until === undefined ? ORIGINAL.length : ORIGINAL.indexOf(until, start);
  if (start < 0 || end < 0) throw new Error(`openapi.yaml does not contain: ${from} … ${until ?? ''}`);
  return ORIGINAL.slice(0, start) + ORIGINAL.slice(end);
}

const KEY = ['    bearerAuth:\n', '    key: { type: apiKey, in: header, name: X-Key }\n    bearerAuth:\n'] as const;
const SECURITY = 'security:\n  - bearerAuth: []\npaths';
const QUERY = "PlantIdInPath'\n      responses";
const query = (parameter: string): readonly [string, string] => [
  QUERY,
  `PlantIdInPath'\n        - ${parameter}\n      responses`,
];
const OPERATION = `  /plants:
    get:
      operationId: listPlants
      responses: { '204': { description: None. } }
`;

describe('a change of the plant store breaks clients', () => {
  const PLACE = 'DELETE /plants/{id}: ';
  test.each<[name: string, to: string, told: string, from?: string]>([
    ['the id is a string', edited(ORIGINAL, ['type: integer\n      format: int64', 'type: string']), '`id`'],
    ['the id is an int32', edited(ORIGINAL, ['format: int64', 'format: int32']), '`int32`'],
    ['the id is any integer', edited(ORIGINAL, ['      format: int64\n', '']), '`id`'],
    ['the id has a minimum', edited(ORIGINAL, ['format: int64', 'format: int64\n      minimum: 1']), '`id`'],
    ['Error.message is optional', edited(ORIGINAL, ['        - message\n', '']), '`message` became optional'],
    ['Error.message is gone', without('        message:\n          description'), 'message'],
    [
      'the error code is a string',
      edited(ORIGINAL, [
        'type: integer\n          format: int32\n          example: 4',
        'type: string\n          example: 4',
      ]),
      '`error`',
    ],
    ['404 is gone', without("        '404':", "        '500':"), '`404`'],
    ['204 is gone', without("        '204':", "        '400':"), '`204`'],
    [
      '204 has content',
      edited(ORIGINAL, ['The plant is deleted.', 'x\n          content: { text/plain: {} }']),
      '204 had no body',
    ],
    [
      'security is dropped',
      edited(ORIGINAL, [SECURITY, 'security: []\npaths']),
      'it needed credentials and needs none now',
    ],
    [
      'security is added',
      ORIGINAL,
      'it needed no credentials and needs some now',
      edited(ORIGINAL, [SECURITY, 'security: []\npaths']),
    ],
    [
      'a second scheme is needed',
      edited(ORIGINAL, KEY, [SECURITY, 'security:\n  - bearerAuth: []\n    key: []\npaths']),
      'the credentials {"bearerAuth":[]} no longer suffice',
    ],
    [
      'another scheme is needed',
      edited(ORIGINAL, KEY, [SECURITY, 'security:\n  - key: []\npaths']),
      'the credentials {"bearerAuth":[]} no longer suffice',
    ],
    ['the path is renamed', edited(ORIGINAL, ['/plants/{id}:', '/flowers/{id}:']), 'removed'],
    [
      'the parameter is renamed',
      edited(ORIGINAL, ['/plants/{id}:', '/plants/{no}:'], ['name: id\n', 'name: no\n']),
      'removed',
    ],
    ['the method is another', edited(ORIGINAL, ['    delete:\n', '    post:\n']), 'removed'],
    [
      'the operationId is renamed',
      edited(ORIGINAL, ['operationId: deletePlant', 'operationId: removePlant']),
      '`deletePlant`',
    ],
    [
      'a query parameter is required',
      edited(ORIGINAL, query('{ name: q, in: query, required: true, schema: {} }')),
      '`q`',
    ],
    [
      'a query parameter is gone',
      ORIGINAL,
      '`q`',
      edited(ORIGINAL, query('{ name: q, in: query, schema: { type: string } }')),
    ],
    ['Retry-After is gone', without('      headers:\n        Retry-After:\n', '      content:'), '`retry-after`'],
    [
      'Retry-After is optional',
      edited(ORIGINAL, [
        'required: true\n          schema:\n            type: integer',
        'schema:\n            type: integer',
      ]),
      '`retry-after`',
    ],
    [
      'Retry-After is text',
      edited(ORIGINAL, ['type: integer\n            format: int32\n            minimum: 0', 'type: string']),
      "the header 'Retry-After' of the response 429 has another schema",
    ],
    [
      'errors are of another media type',
      ORIGINAL.replaceAll('application/json', 'application/problem+json'),
      'problem+json',
    ],
  ])('%s', async (_name, to, told, from = ORIGINAL) => {
    const { report, passed } = await diff(from, to);
    expect(passed).toBe(false);
    const [, breaking = ''] = /These break clients:\n((?: {2}.*\n)+)/.exec(report) ?? [];
    expect(breaking.split('\n').filter((line) => line.startsWith(`  ${PLACE}`) && line.includes(told))).not.toEqual([]);
    expect(report).toMatch(/\nRaise info\.version to 2\.0\.0, or take back what breaks clients\.$/);

    const raised = await diff(from, edited(to, MAJOR));
    expect(raised.passed).toBe(true);
    expect(raised.report).toContain(breaking);
    expect(raised.report).toMatch(/\nThe major version was raised, so clients are warned\.$/);
  });

  test('the base path is gone', async () => {
    const { report, passed } = await diff(ORIGINAL, edited(ORIGINAL, ['127.0.0.1:3000', '127.0.0.1:3000/v1']));
    expect(passed).toBe(false);
    expect(report).toContain("These break clients:\n  servers: the base path '/' is gone\n");
  });
});

test('credentials of another kind break clients', async () => {
  const { report, passed } = await diff(ORIGINAL, edited(ORIGINAL, ['scheme: bearer', 'scheme: basic']));
  expect(passed).toBe(false);
  expect(report).toContain("components/securitySchemes: the credentials 'bearerAuth' are of another kind\n");
});

describe('a change of the plant store breaks no client', () => {
  test.each<[name: string, to: string, told: string]>([
    ['an optional query parameter', edited(ORIGINAL, query('{ name: q, in: query, schema: { type: string } }')), '`q`'],
    ['an operation', edited(ORIGINAL, ['paths:\n', `paths:\n${OPERATION}`]), 'GET /plants: endpoint added'],
    ['a description', edited(ORIGINAL, ['Delete a plant', 'Remove a plant']), 'None that a client can notice.'],
    [
      'an example',
      edited(ORIGINAL, ['example: 12\n  responses', 'example: 13\n  responses']),
      'None that a client can notice.',
    ],
    ['a minor version', edited(ORIGINAL, ['version: 1.0.0', 'version: 1.1.0']), '(info.version 1.0.0 → 1.1.0)'],
    [
      'an error status',
      edited(ORIGINAL, [
        "        '500':",
        "        '410':\n          $ref: '#/components/responses/BadRequest'\n        '500':",
      ]),
      '`410`',
    ],
    [
      'an optional property',
      edited(ORIGINAL, [
        '      properties:\n        error:',
        '      properties:\n        hint: { type: string }\n        error:',
      ]),
      '`hint`',
    ],
    [
      'other credentials that suffice too',
      edited(ORIGINAL, KEY, [SECURITY, 'security:\n  - bearerAuth: []\n  - key: []\npaths']),
      '`key`',
    ],
    ['another server', edited(ORIGINAL, ['servers:\n', 'servers:\n  - url: http://127.0.0.1:3000/v1\n']), 'None that'],
    [
      'a header of a response',
      edited(ORIGINAL, ['The plant is deleted.', 'x\n          headers: { X-A: { schema: { type: string } } }']),
      'None that',
    ],
  ])('%s', async (_name, to, told) => {
    const { report, passed } = await diff(ORIGINAL, to);
    expect(passed).toBe(true);
    expect(report).toContain(told);
    expect(report).not.toContain('These break clients');
  });
});

type Json = Record<string, unknown>;
/** Compares two contracts without a repository. */
async function compare(from: string, to: string): Promise<ContractDiff> {
  const [before, after] = [join(copy.folder, 'before.yaml'), join(copy.folder, 'after.yaml')];
  await writeFile(before, from);
  await writeFile(after, to);
  return compareContracts(pathToFileURL(before), pathToFileURL(after), 'before');
}

/** The places where a schema can stand, each as a contract of its own. */
const PLACES = {
  query: (schema: Json) => operation({ parameters: [{ name: 'q', in: 'query', schema }] }),
  items: (schema: Json) =>
    operation({ parameters: [{ name: 'q', in: 'query', schema: { type: 'array', items: schema } }] }),
  json: (schema: Json) =>
    operation({ parameters: [{ name: 'q', in: 'query', content: { 'application/json': { schema } } }] }),
  body: (schema: Json) => operation({ requestBody: { required: true, content: content(schema) } }),
  header: (schema: Json) => operation({}, { headers: { q: { required: true, schema } } }),
  answer: (schema: Json) => operation({}, { content: content(schema) }),
};
/** A property of a property of a list, by reference: nothing is overlooked in the depth. */
function content(schema: Json): Json {
  const inner = { type: 'object', properties: { q: schema } };
  return { 'application/json': { schema: { type: 'array', items: { type: 'object', properties: { inner } } } } };
}
function operation(request: Json, response: Json = {}): string {
  const responses = { '200': { description: 'Done.', ...response } };
  const paths = { '/things': { post: { operationId: 'things', ...request, responses } } };
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Things', version: '1.0.0' }, paths });
}
const REQUEST = ['query', 'items', 'json', 'body'] as const;
const RESPONSE = ['header', 'answer'] as const;

/** The narrower schema comes second: what a client may send must not become it, what it gets must not come from it. */
const NARROWER: [keyword: string, wide: Json, narrow: Json][] = [
  ['null', { type: ['integer', 'null'] }, { type: 'integer' }],
  ['a new maximum', { type: 'integer' }, { type: 'integer', maximum: 5 }],
  ['a lower maximum', { type: 'integer', maximum: 5 }, { type: 'integer', maximum: 4 }],
  ['a higher minimum', { type: 'integer', minimum: 1 }, { type: 'integer', minimum: 2 }],
  ['a new exclusiveMinimum', { type: 'integer' }, { type: 'integer', exclusiveMinimum: 2 }],
  ['a new maxLength', { type: 'string' }, { type: 'string', maxLength: 5 }],
  ['a higher minLength', { type: 'string', minLength: 1 }, { type: 'string', minLength: 2 }],
  ['a new pattern', { type: 'string' }, { type: 'string', pattern: '^a' }],
  ['a new multipleOf', { type: 'integer' }, { type: 'integer', multipleOf: 4 }],
  ['a shorter enum', { type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['a'] }],
  ['a new enum', { type: 'string' }, { type: 'string', enum: ['a'] }],
  ['a new const', { type: 'string' }, { type: 'string', const: 'a' }],
  ['a new not', { type: 'string' }, { type: 'string', not: { const: 'a' } }],
];
const ARRAYS: typeof NARROWER = [
  ['a new maxItems', { type: 'array', items: {} }, { type: 'array', items: {}, maxItems: 5 }],
  ['a new minItems', { type: 'array', items: {} }, { type: 'array', items: {}, minItems: 5 }],
  ['uniqueItems', { type: 'array', items: {} }, { type: 'array', items: {}, uniqueItems: true }],
];
const OTHER: [keyword: string, one: Json, other: Json][] = [
  ['integer and string', { type: 'integer', format: 'int64' }, { type: 'string' }],
  ['int64 and int32', { type: 'integer', format: 'int64' }, { type: 'integer', format: 'int32' }],
  ['integer and number', { type: 'integer' }, { type: 'number' }],
  ['a date and any string', { type: 'string', format: 'date' }, { type: 'string' }],
  ['two patterns', { type: 'string', pattern: 'a' }, { type: 'string', pattern: 'b' }],
  ['two consts', { type: 'string', const: 'a' }, { type: 'string', const: 'b' }],
];

/** Contracts of one operation as one contract, each operation under a path of its own: one comparison is enough for all. */
function sideBySide(contracts: readonly string[]): string {
  const paths = contracts.map((text, index) => {
    // Made by `operation`.
    const { paths } = JSON.parse(text) as { paths: { '/things': { post: Json } } };
    return [`/things${index}`, { post: { ...paths['/things'].post, operationId: `things${index}` } }] as const;
  });
  return JSON.stringify({ ...(JSON.parse(operation({})) as Json), paths: Object.fromEntries(paths) });
}

/** What breaks clients, by the number of the operation in `sideBySide`. */
function breakingLines({ report }: ContractDiff, index: number): string[] {
  const [, lines = ''] = /These break clients:\n((?: {2}.*\n)+)/.exec(report) ?? [];
  return lines.split('\n').filter((line) => line.startsWith(`  POST /things${index}: `));
}

describe.each([...REQUEST, ...RESPONSE])('in the place %s', (place) => {
  const sends = (REQUEST as readonly string[]).includes(place);
  const structured = place === 'items' || place === 'header' ? [] : ARRAYS;
  // That a response loses its enum is a known gap.
  const narrower = NARROWER.filter(([name]) => !(place === 'answer' && name === 'a new enum'));
  const rows = [...narrower, ...structured, ...OTHER];
  const numbered = (cases: typeof NARROWER): [string, number][] => cases.map((row) => [row[0], rows.indexOf(row)]);

  /** From what is wide to what is narrow, on the side of the requests; the other way round on that of the responses. */
  let narrowing: ContractDiff;
  let widening: ContractDiff;
  beforeAll(async () => {
    const wide = sideBySide(rows.map(([, schema]) => PLACES[place](schema)));
    const narrow = sideBySide(rows.map(([, , schema]) => PLACES[place](schema)));
    const [from, to] = sends ? [wide, narrow] : [narrow, wide];
    narrowing = await compare(from, to);
    widening = await compare(to, from);
  });

  test.each(numbered(rows))('%s breaks clients on the side that it narrows', (_name, index) => {
    expect(breakingLines(narrowing, index)).not.toEqual([]);
  });

  test.each(numbered(OTHER))('%s: changing one into the other breaks clients', (_name, index) => {
    expect(breakingLines(widening, index)).not.toEqual([]);
  });
});

describe('what belongs to one place', () => {
  const parameter = (more: Json): string =>
    operation({
      parameters: [{ name: 'q', in: 'query', schema: { type: 'array', items: { type: 'string' } }, ...more }],
    });
  const body = (schema: Json, required = true): string =>
    operation({ requestBody: { required, content: { 'application/json': { schema } } } });
  const object = (more: Json = {}): Json => ({ type: 'object', properties: { a: { type: 'string' } }, ...more });
  const status = (name: string): string => operation({}).replace('"responses":{', `$&"${name}":{"description":"."},`);

  test.each([
    ['a required property', body(object()), body(object({ required: ['a'] }))],
    ['a required body', body(object(), false), body(object())],
    ['a property that is gone', body(object()), body({ type: 'object' })],
    ['a range of statuses that is gone', status('4XX'), operation({})],
    ['a default response that is gone', status('default'), operation({})],
  ])('%s breaks clients, taking it back does not', async (_name, from, to) => {
    expect(await compare(from, to)).toMatchObject({ passed: false });
    expect(await compare(to, from)).toMatchObject({ passed: true });
  });

  test('a closed body breaks clients', async () => {
    expect(await compare(body(object()), body(object({ additionalProperties: false })))).toMatchObject({
      passed: false,
    });
  });

  test.each([
    ['explode', parameter({}), parameter({ explode: false })],
    ['style', parameter({ explode: false }), parameter({ explode: false, style: 'pipeDelimited' })],
  ])('another %s breaks clients', async (_name, from, to) => {
    expect(await compare(from, to)).toMatchObject({ passed: false });
    expect(await compare(to, from)).toMatchObject({ passed: false });
  });

  test('schemas that contain themselves are compared to their end', async () => {
    const tree = (type: string): string =>
      JSON.stringify({
        ...(JSON.parse(
          operation({}, { content: { 'application/json': { schema: { $ref: '#/components/schemas/T' } } } }),
        ) as Json),
        components: {
          schemas: {
            T: {
              type: 'object',
              properties: { child: { $ref: '#/components/schemas/T' }, leaf: { type, maximum: 5 } },
            },
          },
        },
      });
    expect(await compare(tree('integer'), tree('number'))).toMatchObject({ passed: false });
    expect(await compare(tree('integer'), `${tree('integer')}\n`)).toMatchObject({ passed: true });
  });
});

describe('the command', () => {
  const run = (...args: string[]): ReturnType<ScratchCopy['run']> =>
    copy.run('tsx', 'scripts/contract-diff.ts', ...args);

  test('says that nothing changed when the contract is that of main, and exits 0', async () => {
    await commit({ 'openapi.yaml': ORIGINAL });
    expect(await run('main')).toEqual({ code: 0, output: "Nothing changed in openapi.yaml since 'main'.\n" });
    await copy.write('openapi.yaml', `# A comment is no change.\n${ORIGINAL}`);
    expect(await run('main')).toEqual({ code: 0, output: "Nothing changed in openapi.yaml since 'main'.\n" });
  });

  test('exits 1 on a breaking change, lists it once, and exits 0 with the next major version', async () => {
    await commit({ 'openapi.yaml': ORIGINAL });
    await copy.edit('openapi.yaml', 'type: integer\n      format: int64', 'type: string');
    expect(await run('main')).toEqual({
      code: 1,
      output: [
        "Changes of openapi.yaml since 'main' (info.version 1.0.0 → 1.0.0):",
        '',
        'These break clients:',
        '  DELETE /plants/{id}: for the `path` request parameter `id`, the type/format was generalized from `integer`/`int64` to `string`/``',
        '',
        'Raise info.version to 2.0.0, or take back what breaks clients.',
        '',
      ].join('\n'),
    });
    await copy.edit('openapi.yaml', ...MAJOR);
    expect(await run('main')).toMatchObject({ code: 0 });
  });

  test('compares with any commit, branch or tag, and leaves the repository as it is', async () => {
    await commit({ 'openapi.yaml': edited(ORIGINAL, ['operationId: deletePlant', 'operationId: removePlant']) });
    await git('tag', '--force', 'before');
    await commit({ 'openapi.yaml': ORIGINAL });
    const before = await git('status', '--porcelain');
    const temporary = (await readdir(tmpdir())).filter((name) => name.startsWith('plant-store-contract-'));
    for (const ref of ['before', 'HEAD~1', await git('rev-parse', 'HEAD~1')]) {
      expect(await run(ref)).toMatchObject({ code: 1, output: expect.stringContaining('`removePlant`') });
    }
    expect(await git('status', '--porcelain')).toBe(before);
    const left = (await readdir(tmpdir())).filter((name) => name.startsWith('plant-store-contract-'));
    expect(left.filter((name) => !temporary.includes(name))).toEqual([]);
  });

  test('compares with main; on main with the last tag, else with the commit before; and says with what', async () => {
    const before = edited(ORIGINAL, ['operationId: deletePlant', 'operationId: removePlant']);
    await git('tag', '--delete', ...(await git('tag')).split('\n').filter((tag) => tag !== ''));
    await commit({ 'openapi.yaml': before });
    await commit({ 'openapi.yaml': ORIGINAL });
    const changed = (ref: string, meaning: string): object => ({
      code: 1,
      output: expect.stringMatching(
        new RegExp(`^Comparing with ${ref}, ${meaning}\\.\nChanges of openapi\\.yaml since '${ref}' [^]*removePlant`),
      ),
    });
    expect(await run()).toEqual(changed('HEAD~1', 'the commit before the last, since there is no tag'));
    await git('tag', 'v1', 'HEAD~1');
    await commit({ 'openapi.yaml': `# A comment.\n${ORIGINAL}` });
    expect(await run()).toEqual(changed('v1', 'the last tag'));
    await git('switch', '--quiet', '--create', 'topic', 'HEAD~2');
    try {
      await copy.write('openapi.yaml', ORIGINAL);
      await git('branch', '--force', 'main', 'topic');
      expect(await run()).toEqual(changed('main', 'the branch main'));
    } finally {
      await git('switch', '--quiet', '--force', 'main');
    }
  });

  test('reads a contract that is split over files from the commit too', async () => {
    await mkdir(join(copy.folder, 'parts'), { recursive: true });
    const split = edited(ORIGINAL, [
      "$ref: '#/components/schemas/PlantId'\n      example",
      "$ref: 'parts/id.yaml'\n      example",
    ]);
    await commit({ 'openapi.yaml': split, 'parts/id.yaml': 'type: integer\nformat: int64\n' });
    await writeFile(join(copy.folder, 'parts/id.yaml'), 'type: integer\nformat: int32\n');
    expect(await run('main')).toMatchObject({ code: 1, output: expect.stringContaining('`int32`') });
  });

  test.each([
    [
      'a ref that does not exist',
      ['nowhere'],
      "There is no git ref 'nowhere' here. Fetch it, or name another branch, tag or commit.\n",
    ],
  ])('answers %s with one line and exits 1', async (_name, args, output) => {
    expect(await run(...args)).toEqual({ code: 1, output });
  });

  test('refuses an unknown option and a second ref with 2, and lists known gaps in --help', async () => {
    expect(await run('--all')).toMatchObject({ code: 2, output: expect.stringContaining("'--all'") });
    expect(await run('main', 'main')).toMatchObject({ code: 2, output: expect.stringContaining('too many arguments') });
    expect(await run('--help')).toMatchObject({ code: 0, output: expect.stringContaining('Known gaps:') });
  });

  test('does not take a contract that oasdiff cannot read for an unchanged one', async () => {
    await commit({ 'openapi.yaml': ORIGINAL });
    await copy.edit('openapi.yaml', 'summary: Delete a plant', 'summary: [Delete a plant]');
    expect(await run('main')).toMatchObject({ code: 1, output: expect.stringMatching(/^oasdiff failed: .*\n$/) });
  });

  test('answers a commit without a contract, and contracts it cannot read, with one line and exits 1', async () => {
    await commit({ 'openapi.yaml': ORIGINAL });
    await git('rm', '--quiet', '--cached', 'openapi.yaml');
    await git('commit', '--quiet', '--allow-empty', '--message', 'no contract');
    expect(await run('HEAD')).toEqual({ code: 1, output: "The git ref 'HEAD' has no openapi.yaml.\n" });

    await commit({ 'openapi.yaml': ORIGINAL });
    await copy.edit('openapi.yaml', 'info:\n', 'info: [}\n');
    expect(await run('main')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^openapi\.yaml:2:\d+: error: .*\n$/),
    });

    await commit({ 'openapi.yaml': await copy.read('openapi.yaml') });
    await copy.write('openapi.yaml', ORIGINAL);
    expect(await run('main')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^In 'main': .*openapi\.yaml:2:\d+: error: .*\n$/),
    });

    await commit({ 'openapi.yaml': ORIGINAL });
    await copy.write('openapi.yaml', edited(ORIGINAL, ['version: 1.0.0', 'version: next'], ['Delete a', 'Remove a']));
    expect(await run('main')).toEqual({
      code: 1,
      output: "info.version in openapi.yaml must be like 1.2.3, not 'next'.\n",
    });
  });
});
