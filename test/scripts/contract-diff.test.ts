import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { compareContracts, contractDiff, type ContractDiff } from '../../scripts/contract-diff/contract-diff.ts';
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

const KEY = ['    bearerAuth:\n', '    key: { type: apiKey, in: header, name: X-Key }\n    bearerAuth:\n'] as const;
const SECURITY = 'security:\n  - bearerAuth: []\npaths';
const PUBLIC = edited(ORIGINAL, [SECURITY, 'security: []\npaths']);
const query = (parameter: string): string =>
  edited(ORIGINAL, ["PlantIdInPath'\n      responses", `PlantIdInPath'\n        - ${parameter}\n      responses`]);

describe('a change of the plant store breaks clients', () => {
  test.each<[name: string, to: string, told: string, from?: string]>([
    // What oasdiff calls an error, a warning and, wrongly, harmless.
    ['the id has a minimum', edited(ORIGINAL, ['format: int64', 'format: int64\n      minimum: 1']), '`id`'],
    ['Error.message is optional', edited(ORIGINAL, ['        - message\n', '']), '`message` became optional'],
    ['the path is renamed', edited(ORIGINAL, ['/plants/{id}:', '/flowers/{id}:']), 'removed'],
    ['a query parameter is gone', ORIGINAL, '`q`', query('{ name: q, in: query, schema: { type: string } }')],
    ['the id is a string', edited(ORIGINAL, ['type: integer\n      format: int64', 'type: string']), '`id`'],
    ['the operationId is renamed', edited(ORIGINAL, [': deletePlant', ': removePlant']), '`deletePlant`'],
    ['404 is gone', edited(ORIGINAL, ["        '404':", "        '410':"]), '`404`'],
    [
      'errors have another media type',
      ORIGINAL.replaceAll('application/json', 'application/problem+json'),
      'problem+json',
    ],
    // What oasdiff does not report.
    [
      '204 has content',
      edited(ORIGINAL, ['The plant is deleted.', 'x\n          content: { text/plain: {} }']),
      '204 had no body',
    ],
    ['security is dropped', PUBLIC, 'it needed credentials and needs none now'],
    ['security is added', ORIGINAL, 'it needed no credentials and needs some now', PUBLIC],
    [
      'a second scheme is needed',
      edited(ORIGINAL, KEY, [SECURITY, 'security:\n  - bearerAuth: []\n    key: []\npaths']),
      'the credentials {"bearerAuth":[]} no longer suffice',
    ],
    [
      'the credentials change',
      edited(ORIGINAL, ['scheme: bearer', 'scheme: basic']),
      "'bearerAuth' are of another kind",
    ],
    ['the base path is gone', edited(ORIGINAL, ['127.0.0.1:3000', '127.0.0.1:3000/v1']), "the base path '/' is gone"],
    [
      'Retry-After is text',
      edited(ORIGINAL, ['type: integer\n            format: int32\n            minimum: 0', 'type: string']),
      "the header 'Retry-After' of the response 429 has another schema",
    ],
  ])('%s', async (_name, to, told, from = ORIGINAL) => {
    const { report, passed } = await diff(from, to);
    expect(passed).toBe(false);
    const [, breaking = ''] = /These break clients:\n((?: {2}.*\n)+)/.exec(report) ?? [];
    expect(breaking).toContain(told);
    expect(report).toMatch(/\nRaise info\.version to 2\.0\.0, or take back what breaks clients\.$/);
  });
});

describe('a change of the plant store breaks no client', () => {
  test.each<[name: string, to: string, told: string]>([
    ['an optional query parameter', query('{ name: q, in: query, schema: { type: string } }'), '`q`'],
    ['a description', edited(ORIGINAL, ['Delete a plant', 'Remove a plant']), 'None that a client can notice.'],
    ['a minor version', edited(ORIGINAL, ['version: 1.0.0', 'version: 1.1.0']), '(info.version 1.0.0 → 1.1.0)'],
    ['another server', edited(ORIGINAL, ['servers:\n', 'servers:\n  - url: http://127.0.0.1:3000/v1\n']), 'None that'],
    [
      'other credentials that suffice too',
      edited(ORIGINAL, KEY, [SECURITY, 'security:\n  - bearerAuth: []\n  - key: []\npaths']),
      '`key`',
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

function operation(request: Json, responses: Json = {}, components: Json = {}): string {
  const described = { '200': { description: 'Done.' }, ...responses };
  const paths = { '/things': { post: { operationId: 'things', ...request, responses: described } } };
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Things', version: '1.0.0' }, paths, components });
}
const content = (schema: Json): Json => ({ 'application/json': { schema } });
const parameter = (more: Json): string => operation({ parameters: [{ name: 'q', in: 'query', ...more }] });
const list = (items: Json, more: Json = {}): string => parameter({ schema: { type: 'array', items }, ...more });
const body = (schema: Json): string => operation({ requestBody: { required: true, content: content(schema) } });
const answer = (schema: Json): string =>
  operation({}, { '200': { description: 'Done.', content: content({ type: 'object', properties: { a: schema } }) } });
const response = (name: string): string => operation({}, { [name]: { description: 'Failed.' } });
/** A schema that contains itself. */
const tree = (type: string): string => {
  const T = { type: 'object', properties: { child: { $ref: '#/components/schemas/T' }, leaf: { type } } };
  return operation({ requestBody: { content: content({ $ref: '#/components/schemas/T' }) } }, {}, { schemas: { T } });
};

test.each([
  // What oasdiff takes for harmless.
  ['an enum of a body is shorter', body({ type: 'string', enum: ['a', 'b'] }), body({ type: 'string', enum: ['a'] })],
  [
    'a response has another pattern',
    answer({ type: 'string', pattern: 'a' }),
    answer({ type: 'string', pattern: 'b' }),
  ],
  // What oasdiff does not report.
  ['a list is encoded otherwise', list({ type: 'string' }), list({ type: 'string' }, { explode: false })],
  ['a range of statuses is gone', response('4XX'), operation({})],
  ['a default response is gone', response('default'), operation({})],
  ['the items of a list have a maximum', list({ type: 'integer' }), list({ type: 'integer', maximum: 5 })],
  ['a parameter has a new not', parameter({ schema: {} }), parameter({ schema: { not: { const: 'a' } } })],
  ['a body has a new multipleOf', body({ type: 'integer' }), body({ type: 'integer', multipleOf: 4 })],
  ['a schema that contains itself has another type', tree('integer'), tree('number')],
])('a contract breaks clients when %s', async (_name, from, to) => {
  expect(await compare(from, to)).toMatchObject({ passed: false });
  expect(await compare(from, `${from}\n`)).toMatchObject({ passed: true });
});

describe('the command', () => {
  const run = (...args: string[]): ReturnType<ScratchCopy['run']> =>
    copy.run('tsx', 'scripts/contract-diff.ts', ...args);

  test('prints that nothing changed and exits 0 when the contract equals that of main', async () => {
    await commit({ 'openapi.yaml': ORIGINAL });
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
    for (const ref of ['before', await git('rev-parse', 'HEAD~1')]) {
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

  test('refuses an unknown ref with 1 and a second ref with 2, and lists known gaps in --help', async () => {
    expect(await run('nowhere')).toEqual({
      code: 1,
      output: "There is no git ref 'nowhere' here. Fetch it, or name another branch, tag or commit.\n",
    });
    expect(await run('main', 'main')).toMatchObject({ code: 2, output: expect.stringContaining('too many arguments') });
    expect(await run('--help')).toMatchObject({ code: 0, output: expect.stringContaining('Known gaps:') });
  });

  test('exits 1 when oasdiff cannot read a contract', async () => {
    await commit({ 'openapi.yaml': ORIGINAL });
    await copy.edit('openapi.yaml', 'summary: Delete a plant', 'summary: [Delete a plant]');
    expect(await run('main')).toMatchObject({ code: 1, output: expect.stringMatching(/^oasdiff failed: .*\n$/) });
  });

  test('prints one line and exits 1 for a commit without a contract and for a contract that cannot be read', async () => {
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
