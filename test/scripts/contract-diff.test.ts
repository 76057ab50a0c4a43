import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { baseOf } from '../../scripts/contract-diff/committed.ts';
import { compareContracts, contractDiff, type ContractDiff } from '../../scripts/contract-diff/contract-diff.ts';
import { ContractError } from 'openapi-exact';
import { OperatorError } from '../../src/errors.ts';
import { callScript } from 'test-support/call-program.ts';
import { startProcess } from 'test-support/process.ts';
import { scratchCopy } from '../support/scratch-copy.ts';
import { temporaryFolder } from 'test-support/temporary-folder.ts';

const ORIGINAL = await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8');

const copy = await scratchCopy();
afterAll(() => rm(copy.folder, { recursive: true }));

async function compare(from: string, to: string): Promise<ContractDiff> {
  await copy.write('before.yaml', from);
  await copy.write('after.yaml', to);
  const [before, after] = ['before.yaml', 'after.yaml'].map((name) => pathToFileURL(join(copy.folder, name)));
  if (before === undefined || after === undefined) throw new Error('unreachable: both are files');
  return compareContracts(before, after, 'before');
}

type Edit = readonly [from: string, to: string];
function edited(text: string, ...edits: readonly Edit[]): string {
  return edits.reduce((current, [from, to]) => {
    if (!current.includes(from)) throw new Error(`openapi.yaml does not contain: ${from}`);
    return current.replace(from, to);
  }, text);
}

/** The contract with one edit, or several. */
function editedBy(edit: Edit | readonly Edit[]): string {
  // An edit begins with a text, a list of them with an edit.
  return edited(ORIGINAL, ...((typeof edit[0] === 'string' ? [edit] : edit) as readonly Edit[]));
}

const KEY: Edit = ['    bearerAuth:\n', '    key: { type: apiKey, in: header, name: X-Key }\n    bearerAuth:\n'];
const SECURITY = 'security:\n  - bearerAuth: []\npaths';
const PUBLIC = edited(ORIGINAL, [SECURITY, 'security: []\npaths']);
const query = (parameter: string): string =>
  edited(ORIGINAL, ["PlantIdInPath'\n      responses", `PlantIdInPath'\n        - ${parameter}\n      responses`]);

const SECOND: Edit = [SECURITY, 'security:\n  - bearerAuth: []\n    key: []\npaths'];
const EITHER: Edit = [SECURITY, 'security:\n  - bearerAuth: []\n  - key: []\npaths'];
const SERVER = 'servers:\n  - url: http://127.0.0.1:3000/v1\n';
const Q = query('{ name: q, in: query, schema: { type: string } }');

test.each<[name: string, told: string, change: Edit | readonly Edit[] | { from?: string; to?: string }]>([
  // What oasdiff calls an error, a warning and, wrongly, harmless.
  ['the id has a minimum', '`id`', ['integer\n      format: int64', 'integer\n      minimum: 1\n      format: int64']],
  ['Error.message is optional', '`message` became optional', ['        - message\n', '']],
  ['the path is renamed', 'removed', ['/plants/{id}:', '/flowers/{id}:']],
  ['a query parameter is gone', '`q`', { from: Q }],
  ['the id is a string', '`id`', ['type: integer\n      format: int64', 'type: string']],
  ['the operationId is renamed', '`deletePlant`', [': deletePlant', ': removePlant']],
  ['404 is gone', '`404`', ["        '404':", "        '410':"]],
  ['errors have another media type', 'problem+json', { to: ORIGINAL.replaceAll('ion/json', 'ion/problem+json') }],
  // What oasdiff does not report.
  ['204 has content', '204 had no body', ['The plant is deleted.', 'x\n          content: { text/plain: {} }']],
  ['security is dropped', 'it needed credentials and needs none now', { to: PUBLIC }],
  ['security is added', 'it needed no credentials and needs some now', { from: PUBLIC }],
  ['a second scheme is needed', 'the credentials {"bearerAuth":[]} no longer suffice', [KEY, SECOND]],
  ['the credentials change', "'bearerAuth' are of another kind", ['scheme: bearer', 'scheme: basic']],
  ['the base path is gone', "the base path '/' is gone", ['127.0.0.1:3000', '127.0.0.1:3000/v1']],
  [
    'Retry-After is text',
    "the header 'Retry-After' of the response 429 has another schema",
    ['type: integer\n            format: int32\n            minimum: 0', 'type: string'],
  ],
])('a change of the plant store breaks clients: %s', async (_name, told, change) => {
  const { from = ORIGINAL, to = ORIGINAL } = 'length' in change ? { to: editedBy(change) } : change;
  const { report, passed } = await compare(from, to);
  expect(passed).toBe(false);
  const [, breaking = ''] = /These break clients:\n((?: {2}.*\n)+)/.exec(report) ?? [];
  expect(breaking).toContain(told);
  expect(report).toMatch(/\nRaise info\.version to 2\.0\.0, or take back what breaks clients\.$/);
});

test.each<[name: string, told: string, to: string]>([
  ['an optional query parameter', '`q`', Q],
  ['a description', 'None that a client can notice.', editedBy(['Delete a plant', 'Remove a plant'])],
  ['a minor version', '(info.version 1.0.0 → 1.1.0)', editedBy(['version: 1.0.0', 'version: 1.1.0'])],
  ['another server', 'None that', editedBy(['servers:\n', SERVER])],
  ['other credentials that suffice too', '`key`', editedBy([KEY, EITHER])],
])('a change of the plant store breaks no client: %s', async (_name, told, to) => {
  const { report, passed } = await compare(ORIGINAL, to);
  expect(passed).toBe(true);
  expect(report).toContain(told);
  expect(report).not.toContain('These break clients');
});

type Json = Record<string, unknown>;
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
  ['a response has another pattern', answer({ pattern: 'a' }), answer({ pattern: 'b' })],
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

describe('in a repository', () => {
  const folder = (): URL => pathToFileURL(`${copy.folder}/`);
  const run = (...args: string[]): ReturnType<typeof callScript> =>
    callScript(copy.folder, 'scripts/contract-diff.ts', ...args);

  // A git hook that runs the tests has set these for its own repository.
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) Reflect.deleteProperty(process.env, name);

  async function git(...args: string[]): Promise<string> {
    const identity = ['-c', 'user.name=tests', '-c', 'user.email=tests@localhost', '-c', 'commit.gpgsign=false'];
    const { stdout } = await promisify(execFile)('git', [...identity, ...args], { cwd: copy.folder });
    return stdout.trim();
  }

  async function commit(files: Record<string, string>): Promise<void> {
    for (const [path, text] of Object.entries(files)) await copy.write(path, text);
    await git('add', ...Object.keys(files));
    await git('commit', '--quiet', '--allow-empty', '--message', 'contract');
  }

  beforeAll(() => git('init', '--quiet', '--initial-branch', 'main'));

  test('the command exits 0 if nothing changed, and 1 with a list of what breaks clients', async () => {
    await commit({ 'openapi.yaml': ORIGINAL });
    await copy.write('openapi.yaml', `# A comment is no change.\n${ORIGINAL}`);
    expect(await run('main')).toEqual({ code: 0, output: "Nothing changed in openapi.yaml since 'main'.\n" });

    await copy.edit('openapi.yaml', 'type: integer\n      format: int64', 'type: string');
    await commit({});
    const status = await git('status', '--porcelain');
    // A process has a folder of its own for what is temporary.
    const temporary = await temporaryFolder();
    const { code, stdout } = await startProcess(process.execPath, ['--import', 'tsx', 'scripts/contract-diff.ts'], {
      cwd: copy.folder,
      env: { ...process.env, TMPDIR: temporary },
    }).ended;
    const left = await readdir(temporary);
    await rm(temporary, { recursive: true });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Comparing with HEAD~1, .*\n\nThese break clients:\n(?: {2}.*\n)* {2}DELETE \/plants\/\{id\}: .*`id`.*\n/s,
    );
    // The repository stays as it is, and nothing is left beside it.
    expect(await git('status', '--porcelain')).toBe(status);
    expect(left.filter((name) => name.startsWith('plant-store-'))).toEqual([]);
    await copy.edit('openapi.yaml', 'version: 1.0.0', 'version: 2.0.0');
    expect(await contractDiff(folder(), await git('rev-parse', 'HEAD~1'))).toMatchObject({ passed: true });
    expect(await run('nowhere')).toEqual({
      code: 1,
      output: "There is no git ref 'nowhere' here. Fetch it, or name another branch, tag or commit.\n",
    });
  });

  test('main is compared with, or that of the remote; on main the last tag, else the commit before', async () => {
    const contract = new URL('openapi.yaml', folder());
    expect(await baseOf(contract)).toMatchObject({ ref: 'HEAD~1' });
    await git('tag', 'v1', 'HEAD~1');
    expect(await baseOf(contract)).toMatchObject({ ref: 'v1', meaning: 'the last tag' });
    await git('switch', '--quiet', '--create', 'topic');
    expect(await baseOf(contract)).toMatchObject({ ref: 'main', meaning: 'the branch main' });

    await git('update-ref', 'refs/remotes/origin/main', 'main');
    await git('branch', '--quiet', '--move', 'main', 'away');
    expect(await baseOf(contract)).toMatchObject({ ref: 'origin/main' });
    await git('branch', '--quiet', '--move', 'away', 'main');
    await git('switch', '--quiet', 'main');
  });

  test('a contract that is split over files is read from the commit too', async () => {
    await mkdir(join(copy.folder, 'parts'), { recursive: true });
    const split = edited(ORIGINAL, [
      "$ref: '#/components/schemas/PlantId'\n      example",
      "$ref: 'parts/id.yaml'\n      example",
    ]);
    await commit({ 'openapi.yaml': split, 'parts/id.yaml': 'type: integer\nformat: int64\n' });
    await copy.write('parts/id.yaml', 'type: integer\nformat: int32\n');
    const { passed, report } = await contractDiff(folder(), 'main');
    expect({ passed, report }).toEqual({ passed: false, report: expect.stringContaining('`int32`') });
  });

  test('a contract that cannot be read or compared is named in one line', async () => {
    const isOneLine = (thrown: unknown): boolean =>
      thrown instanceof OperatorError || (thrown instanceof ContractError && thrown.lines.length === 1);
    const failure = async (): Promise<string> => {
      const thrown: unknown = await contractDiff(folder(), 'main').catch((error: unknown) => error);
      expect(isOneLine(thrown)).toBe(true);
      return String(thrown);
    };
    const unreadable = edited(ORIGINAL, ['info:\n', 'info: [}\n']);
    const described = edited(ORIGINAL, ['summary: Delete a plant', 'summary: [Delete a plant]']);
    const numbered = edited(ORIGINAL, ['version: 1.0.0', 'version: next'], ['Delete a', 'Remove a']);
    for (const [committed, present, problem] of [
      [unreadable, ORIGINAL, /: In 'main': .*openapi\.yaml:2:\d+: error: .*$/],
      [ORIGINAL, unreadable, /: [^']*openapi\.yaml:2:\d+: error: .*$/],
      [ORIGINAL, described, /: oasdiff failed: .*$/],
      [ORIGINAL, numbered, /: info\.version in openapi\.yaml must be like 1\.2\.3, not 'next'\.$/],
    ] as const) {
      await commit({ 'openapi.yaml': committed });
      await copy.write('openapi.yaml', present);
      expect(await failure()).toMatch(problem);
    }

    await git('rm', '--quiet', '--cached', 'openapi.yaml');
    await commit({});
    expect(await failure()).toMatch(/: The git ref 'main' has no openapi\.yaml\.$/);
  });
});
