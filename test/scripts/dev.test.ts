import { afterAll, describe, expect, test } from '@jest/globals';
import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startProcess, type RunningProcess } from 'test-support/process.ts';
import { scratchCopy } from '../support/scratch-copy.ts';
import { WITHOUT_UNUSED_SCHEMA } from '../support/unused-schema.ts';

const copy = await scratchCopy();
const original = await copy.read('openapi.yaml');
const types = await copy.read('generated/openapi.d.ts');
/** A mistake that stands in the contract when it starts. */
const misspelt = original.replace('responses/Unauthorized', 'responses/Unauthorised');
await copy.write('openapi.yaml', misspelt);
// To check all types of the project after each edit takes seconds.
await copy.edit('tsconfig.json', '"generated", "scripts", "test", "packages"]', '"generated"]');

/** `npm run dev`, as a person at a terminal sees it. */
const dev = startDev();
let read = 0;
/** The address of the service that was the last to start. */
let url = '';
afterAll(async () => {
  signalDev('SIGKILL');
  await dev.ended;
  await rm(copy.folder, { recursive: true });
});

function startDev(): RunningProcess {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PORT: '0', ADMIN_PORT: '0', NODE_OPTIONS: WITHOUT_UNUSED_SCHEMA };
  const line = `exec '${process.execPath}' --import tsx scripts/dev.ts 2>&1`;
  // A process group of its own, as a terminal gives it.
  return startProcess('sh', ['-c', line], { cwd: copy.folder, env, detached: true });
}

/** Waits for text after the last that was waited for. */
async function until(pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const hasEnded = dev.child.exitCode !== null;
    const text = dev.output().slice(read);
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
    if (dev.child.pid !== undefined) process.kill(-dev.child.pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}

/** Waits until a service has started. */
async function untilServed(): Promise<void> {
  [, url = ''] = await until(SERVED);
}

async function statusOf(path: string, method = 'GET'): Promise<number> {
  return (await fetch(`${url}${path}`, { method })).status;
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

const SERVED = /^\{.*"url":"([^"]+)"/m;
const GOES_ON =
  /^openapi\.yaml cannot be served: see above\.\nThe last good service goes on until an edit that corrects it\.$/m;
const STARTS_LATER =
  /^openapi\.yaml cannot be served: see above\.\nThe service starts after an edit that corrects it\.$/m;
const ENDED = /^The service has ended\. It starts again after the next edit\.$/m;

// One after another with the same process: each begins where the one before has ended.
describe('npm run dev', () => {
  test('says once what is wrong with the contract that it starts with, and serves after the edit that corrects it', async () => {
    await until(STARTS_LATER);
    await copy.write('openapi.yaml', original);
    await until(/^generating…$/m);
    // The service that starts now would say what is wrong too.
    await until(/^(?:Wrote|Up to date)/m);
    await copy.write('openapi.yaml', misspelt);
    await until(STARTS_LATER);
    expect(dev.output().match(/^openapi\.yaml:.*Unauthorised leads nowhere/gm)).toHaveLength(2);
    await copy.write('openapi.yaml', original);
    await untilServed();
    expect(await statusOf('/plants/1', 'DELETE')).toBe(401);
  });

  test('names all that is wrong with an edit of the contract while the last good service goes on', async () => {
    // In one write: a generation that reads between two edits would miss the later ones.
    const wrong = MISTAKES.reduce((text, [from, to]) => text.replace(from, to), original);
    await copy.write('openapi.yaml', wrong);
    await until(/^generating…$/m);
    await until(/the operationId deletePlant is the name/);
    await until(GOES_ON);
    for (const [, , said] of MISTAKES) expect(dev.output()).toMatch(said);
    expect(await copy.read('generated/openapi.d.ts')).toBe(types);
    expect(await statusOf('/plants/1', 'DELETE')).toBe(401);
  });

  test('says that a handler is missing, and its type error', async () => {
    await copy.write('openapi.yaml', original.replace('paths:\n', `paths:\n${OPERATION}`));
    // In any order: the compiler runs beside the service.
    const position = read;
    await until(/^src\/plants\/handlers\.ts\(\d+,\d+\): error TS2741: Property 'countPlants' is missing /m);
    read = position;
    await until(/^The operation countPlants .*has no handler\./m);
    await until(ENDED);
    expect(await copy.read('generated/openapi.d.ts')).toContain('countPlants');
  });

  test('serves after two edits of which the second comes while the service of the first starts, and shows type errors', async () => {
    const before = dev.output().length;
    const handler = "return {\n    countPlants: () => Promise.resolve({ status: '204' }),\n";
    await copy.edit('src/plants/handlers.ts', 'return {\n', handler);
    await pause(300);
    await copy.edit(
      'src/plants/handlers.ts',
      'return {\n    countPlants',
      "console.log('second');\n  return {\n    countPlants",
    );
    // In any order: the compiler runs beside the service.
    const position = read;
    await until(/^src\/plants\/handlers\.ts\(\d+,\d+\): error TS\d+: /m);
    read = position;
    // On a busy machine the service of the first edit may have started before.
    await until(/^second$/m);
    await untilServed();
    expect(await statusOf('/counts')).toBe(401);
    expect(await statusOf('/plants/1', 'DELETE')).toBe(401);
    expect(dev.output().slice(before)).not.toMatch(/Force|has ended|"level":50/);
  });

  test('serves after edits of the table of error codes and of the generator', async () => {
    await copy.edit('src/errors.ts', 'The URL is malformed', 'The address is malformed');
    const banner = 'packages/openapi-exact-cli/src/generate/banner.ts';
    await copy.edit(banner, 'openapi-exact generate', 'openapi-exact  generate');
    await until(/^openapi\.yaml:\d+:\d+: error: the row is not that of ERRORS/m);
    await until(GOES_ON);
    expect(await statusOf('/counts')).toBe(401);
    await copy.edit('openapi.yaml', 'The URL is malformed', 'The address is malformed');
    await untilServed();
    expect(await copy.read('generated/openapi.d.ts')).toContain('openapi-exact  generate');
  });

  test('kills a service in an endless loop after an edit, and serves', async () => {
    await copy.edit(
      'src/plants/handlers.ts',
      "Promise.resolve({ status: '204' })",
      "{ console.log('loops'); for (;;); }",
    );
    await untilServed();
    const headers = { authorization: `Bearer ${(await copy.read('data/first-token')).trim()}` };
    const stuck = expect(fetch(`${url}/counts`, { headers })).rejects.toThrow('fetch failed');
    await until(/^loops$/m);
    await copy.edit('src/plants/handlers.ts', 'for (;;);', '');
    await until(/^The service does not stop, as in an endless loop: it is killed\.$/m);
    await stuck;
    await untilServed();
    expect(await statusOf('/counts')).toBe(401);
  });

  test('serves a contract that is put back, although it is as old as before', async () => {
    const [contract, kept] = [join(copy.folder, 'openapi.yaml'), join(copy.folder, 'kept')];
    await cp(contract, kept);
    await copy.edit('openapi.yaml', 'operationId: countPlants', 'operationId: countAll');
    await until(ENDED);
    expect(await copy.read('generated/openapi.d.ts')).toContain('countAll');
    await rename(kept, contract);
    await untilServed();
    expect(await copy.read('generated/openapi.d.ts')).toContain('countPlants');
    expect(await statusOf('/counts')).toBe(401);
  });

  test('ends with its service when it is interrupted', async () => {
    signalDev('SIGINT');
    expect(await dev.ended).toMatchObject({ code: 0 });
    await expect(fetch(`${url}/counts`)).rejects.toThrow('fetch failed');
  });
});
