import { afterAll, expect, test } from '@jest/globals';
import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startProcess, type RunningProcess } from '../support/process.ts';
import { scratchCopy } from '../support/scratch-copy.ts';
import { WITHOUT_UNUSED_SCHEMA } from '../support/unused-schema.ts';

const copy = await scratchCopy();
/** `npm run dev`, as a person at a terminal sees it. */
let dev: RunningProcess | undefined;
let read = 0;
afterAll(async () => {
  signalDev('SIGKILL');
  await dev?.ended;
  await rm(copy.folder, { recursive: true });
});

/** Waits for text after the last that was waited for. */
async function until(pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const hasEnded = dev?.child.exitCode !== null;
    const text = dev?.output().slice(read) ?? '';
    const match = pattern.exec(text);
    if (match !== null) {
      read += match.index + match[0].length;
      return match;
    }
    if (hasEnded) throw new Error(`It ended without saying ${pattern.source}:\n${text}`);
    await pause(20);
  }
}

/** Signals all processes of the group, as a terminal does. */
function signalDev(signal: NodeJS.Signals): void {
  try {
    if (dev?.child.pid !== undefined) process.kill(-dev.child.pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}

const OPERATION = `  /counts:
    get:
      operationId: countPlants
      summary: Count the plants
      tags: [plants]
      responses:
        '204': { description: They were counted. }
        '401': { $ref: '#/components/responses/Unauthorized' }
`;

/** Edits of the contract, each a mistake, and what is said of it. */
const MISTAKES = [
  // Of style.
  ['      summary: Delete a plant\n', '', /^openapi\.yaml:\d+:\d+: .*\(operation-summary\)$/m],
  ['error: 40001', 'error: many', /^openapi\.yaml:\d+:\d+: .*\(no-invalid-media-type-examples\)$/m],
  // With these the service would not start; not-served.test.ts of openapi-exact has more.
  [
    '      type: http\n      scheme: bearer\n',
    '      type: mutualTLS\n',
    /^openapi\.yaml:\d+:7: error: the security scheme 'bearerAuth' is mutualTLS/m,
  ],
  [
    'components:\n',
    '  /weeds:\n    delete:\n      operationId: deletePlant\n      responses: { 204: { description: None. } }\ncomponents:\n',
    /^openapi\.yaml:\d+:7: error: the operationId deletePlant is the name/m,
  ],
] as const;

/** The service starts several times; in milliseconds. */
const TIMEOUT = 300_000;
const SERVED = /^\{.*"url":"([^"]+)"/m;
const GOES_ON =
  /^openapi\.yaml cannot be served: see above\.\nThe last good service goes on until an edit that corrects it\.$/m;
const STARTS_LATER =
  /^openapi\.yaml cannot be served: see above\.\nThe service starts after an edit that corrects it\.$/m;

const WAITS = /^The last good service goes on until an edit that gives each operation a handler\.$/m;
const NO_HANDLER = /^src\/plants\/handlers\.ts:\d+: no handler for countPlants \(GET \/counts, openapi\.yaml:\d+\)$/m;

test(
  'npm run dev names what is wrong with the contract once and which handlers are missing while the last good service goes on, shows type errors, and serves after each good edit of code, packages and contract, after an endless loop, and with a contract that is put back',
  async () => {
    const original = await copy.read('openapi.yaml');
    const misspelt = original.replace('responses/Unauthorized', 'responses/Unauthorised');
    await copy.write('openapi.yaml', misspelt);
    const types = await copy.read('generated/openapi.d.ts');
    // To check all types of the project after each edit takes seconds.
    await copy.edit('tsconfig.json', '"generated", "scripts", "test", "packages"]', '"generated"]');
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, PORT: '0', ADMIN_PORT: '0', NODE_OPTIONS: WITHOUT_UNUSED_SCHEMA };
    const line = `exec '${process.execPath}' --import tsx scripts/dev.ts 2>&1`;
    // A process group of its own, as a terminal gives it.
    dev = startProcess('sh', ['-c', line], { cwd: copy.folder, env, detached: true });
    const statusOf = async (url: string, path: string, method = 'GET'): Promise<number> =>
      (await fetch(`${url}${path}`, { method })).status;

    await until(STARTS_LATER);
    await copy.write('openapi.yaml', original);
    await until(/^generating…$/m);
    // The service that starts now would say what is wrong too.
    await until(/^(?:Wrote|Up to date)/m);
    await copy.write('openapi.yaml', misspelt);
    await until(STARTS_LATER);
    expect(dev.output().match(/^openapi\.yaml:.*Unauthorised leads nowhere/gm)).toHaveLength(2);
    await copy.write('openapi.yaml', original);

    const [, first = ''] = await until(SERVED);
    // In one write: a generation that reads between two edits would miss the later ones.
    const wrong = MISTAKES.reduce((text, [from, to]) => text.replace(from, to), original);
    await copy.write('openapi.yaml', wrong);
    await until(/^generating…$/m);
    await until(/the operationId deletePlant is the name/);
    await until(GOES_ON);
    for (const [, , said] of MISTAKES) expect(dev.output()).toMatch(said);
    expect(await copy.read('generated/openapi.d.ts')).toBe(types);
    expect(await statusOf(first, '/plants/1', 'DELETE')).toBe(401);

    await copy.write('openapi.yaml', original.replace('paths:\n', `paths:\n${OPERATION}`));
    await until(NO_HANDLER);
    expect(await copy.read('generated/openapi.d.ts')).toContain('countPlants');
    await until(WAITS);
    // Another edit does not end it. A comment changes no generated file and needs one generation.
    await copy.write('openapi.yaml', `${await copy.read('openapi.yaml')}# The end.\n`);
    await until(/^Up to date: /m);
    await until(WAITS);
    await copy.edit('src/plants/handlers.ts', 'return {\n', '// A handler is missing.\n  return {\n');
    const [, again] = await until(/^(generating…)|: no handler for countPlants /m);
    expect(again).toBeUndefined();
    await until(WAITS);
    // A handler behind a mistake in the syntax is not missing.
    await copy.edit('src/plants/handlers.ts', '// A handler is missing.\n', 'const = 1;\n');
    await until(/^src\/plants\/handlers\.ts:\d+:\d+: error: Variable declaration expected\.$/m);
    await until(/^The last good service goes on until an edit that corrects it\.$/m);
    expect(await statusOf(first, '/plants/1', 'DELETE')).toBe(401);

    // The second edit comes while the service of the first one starts.
    const before = dev.output().length;
    const handler = "return {\n    countPlants: () => Promise.resolve({ status: '204' }),\n";
    await copy.edit('src/plants/handlers.ts', 'const = 1;\n  return {\n', handler);
    await pause(300);
    await copy.edit('src/plants/handlers.ts', 'countPlants:', '// The second edit.\n    countPlants:');
    // In any order: the compiler runs beside the service.
    const position = read;
    await until(/^src\/plants\/handlers\.ts\(\d+,\d+\): error TS\d+: /m);
    read = position;
    const [, second = ''] = await until(SERVED);
    expect(await statusOf(second, '/counts')).toBe(401);
    expect(await statusOf(second, '/plants/1', 'DELETE')).toBe(401);
    expect(dev.output().slice(before)).not.toMatch(/Force|has ended|"level":50/);

    // The contract shows the table of error codes, and the generator is part of a package.
    await copy.edit('src/errors.ts', 'The URL is malformed', 'The address is malformed');
    const banner = 'packages/openapi-exact/src/generate/banner.ts';
    await copy.edit(banner, 'openapi-exact generate', 'openapi-exact  generate');
    await until(/^openapi\.yaml:\d+:\d+: error: the row is not that of ERRORS/m);
    await until(GOES_ON);
    expect(await statusOf(second, '/counts')).toBe(401);
    await copy.edit('openapi.yaml', 'The URL is malformed', 'The address is malformed');
    await until(SERVED);
    expect(await copy.read('generated/openapi.d.ts')).toContain('openapi-exact  generate');

    await copy.edit(
      'src/plants/handlers.ts',
      "Promise.resolve({ status: '204' })",
      "{ console.log('loops'); for (;;); }",
    );
    const [, third = ''] = await until(SERVED);
    const headers = { authorization: `Bearer ${(await copy.read('data/first-token')).trim()}` };
    const stuck = expect(fetch(`${third}/counts`, { headers })).rejects.toThrow('fetch failed');
    await until(/^loops$/m);
    await copy.edit('src/plants/handlers.ts', 'for (;;);', '');
    await until(/^The service does not stop, as in an endless loop: it is killed\.$/m);
    await stuck;
    const [, fourth = ''] = await until(SERVED);
    expect(await statusOf(fourth, '/counts')).toBe(401);

    // A file that is put back is as old as before.
    const contract = join(copy.folder, 'openapi.yaml');
    const kept = join(copy.folder, 'kept');
    await cp(contract, kept);
    await copy.edit('openapi.yaml', 'operationId: countPlants', 'operationId: countAll');
    await until(WAITS);
    expect(await copy.read('generated/openapi.d.ts')).toContain('countAll');
    await rename(kept, contract);
    const [, fifth = ''] = await until(SERVED);
    expect(await copy.read('generated/openapi.d.ts')).toContain('countPlants');

    signalDev('SIGINT');
    expect(await dev.ended).toMatchObject({ code: 0 });
    await expect(fetch(`${fifth}/counts`)).rejects.toThrow('fetch failed');
  },
  TIMEOUT,
);
