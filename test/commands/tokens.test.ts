import { afterAll, describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { deletePlantAt, TestWorkplace, type Outcome } from '../support/cli.ts';

const TOKEN = /^plant_[0-9A-Za-z]{33}$/;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const place = await new TestWorkplace().open();
const server = await place.serve({ NODE_ENV: 'production' });
afterAll(() => place.remove());

const tokens = (...args: string[]): Promise<Outcome> => place.call(['tokens', ...args]);

async function createToken(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await tokens('create', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const token = stdout.slice(0, -1);
  expect(token).toMatch(TOKEN);
  expect(stdout).toBe(`${token}\n`);
  return token;
}

async function listTokens(): Promise<Record<string, unknown>[]> {
  const { code, stdout } = await tokens('list', '--json');
  expect(code).toBe(0);
  // The form that --json promises; the tests look at each field.
  return JSON.parse(stdout) as Record<string, unknown>[];
}

async function statusWith(token: string): Promise<number> {
  return (await deletePlantAt(server.url, token, 404n)).status;
}

describe('tokens create', () => {
  test('prints the token alone, a running server takes it at once, and its name is taken from then on', async () => {
    const token = await createToken('webshop');
    expect(await statusWith(token)).toBe(404);
    expect(await statusWith(token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'))).toBe(401);
    const stderr = expect.stringMatching(/^.* named webshop already.* webshop-2\.\n$/);
    expect(await tokens('create', 'webshop')).toEqual({ code: 1, stdout: '', stderr });
    expect(await statusWith(token)).toBe(404);
  });

  test('--expires-in limits how long the token is valid', async () => {
    const before = Date.now();
    await createToken('quarter', '--expires-in', '90d');
    const token = await createToken('moment', '--expires-in', '1s');
    const [moment, quarter] = (await listTokens()).filter(({ name }) => /moment|quarter/.test(String(name)));
    expect(quarter).toMatchObject({ created: TIME, expires: TIME, revoked: null, lastUsed: null });
    const created = Date.parse(String(quarter?.['created']));
    expect(Date.parse(String(quarter?.['expires'])) - created).toBe(90 * 86_400_000);
    expect(created).toBeGreaterThanOrEqual(before);
    // Longer than the second that it lives, whatever the machine does meanwhile.
    while (Date.now() < Date.parse(String(moment?.['expires']))) await pause(50);
    expect(await statusWith(token)).toBe(401);
  });

  const DURATION = /'--expires-in <duration>' .* It must be a number and one of s, m, h, d or w, [^\n]+\n$/;
  const NAME = /It must be 1 to 64 letters, digits or \._@- and begin with a letter or digit\.\n$/;
  test.each([
    ['duration', ['90', '0d', '-1d', '1.5d', '', '999999999w'], ['never', '--expires-in'], DURATION],
    ['name', ['', 'two words', 'line\nbreak', '-x', 'a'.repeat(65)], ['--'], NAME],
  ])('a bad %s is wrong usage: exit code 2, and no token', async (_what, values, before, stderr) => {
    for (const value of values) {
      const refused = { code: 2, stdout: '', stderr: expect.stringMatching(stderr) };
      expect(await tokens('create', ...before, value)).toEqual(refused);
    }
  });
});

test('tokens list shows a table of all tokens by name, and never a token', async () => {
  const token = await createToken('alpha', '--expires-in', '2w');
  expect(await statusWith(token)).toBe(404);
  // The server notes the use behind the answer.
  const used = async (): Promise<boolean> =>
    (await listTokens()).some((row) => row['name'] === 'alpha' && row['lastUsed'] !== null);
  while (!(await used())) await pause(20);
  const { code, stdout } = await tokens('list');
  expect(code).toBe(0);
  const [header, first] = stdout.split('\n');
  expect(header).toMatch(/^NAME +CREATED +EXPIRES +REVOKED +LAST USED$/);
  // Created, expires, not revoked, last used just now.
  expect(first).toMatch(/^alpha +[\d-]{10}T\S+Z +[\d-]{10}T\S+Z +- +[\d-]{10}T\S+Z$/);
  expect(stdout).not.toContain('plant_');
  const list = await listTokens();
  // That of the wrong usage above.
  expect(list.map(({ name }) => name)).not.toContain('never');
  expect(list).toContainEqual({ name: 'alpha', created: TIME, expires: TIME, revoked: null, lastUsed: TIME });
});

describe('tokens revoke', () => {
  test('a token is replaced without a gap: both are valid until the first is revoked', async () => {
    const token = await createToken('till');
    const replacement = await createToken('till-2');
    expect([await statusWith(token), await statusWith(replacement)]).toEqual([404, 404]);
    expect(await tokens('revoke', 'till')).toMatchObject({ code: 0 });
    expect(await statusWith(replacement)).toBe(404);
  });

  test('makes a running server refuse the token within 5 seconds, and others stay valid', async () => {
    const [token, keptToken] = [await createToken('leaked'), await createToken('kept')];
    // The server has just seen it valid, so that it may remember it for as long as it ever does.
    expect(await statusWith(token)).toBe(404);
    expect(await tokens('revoke', 'leaked')).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^The token leaked is revoked\. .* 5 seconds\.\n$/),
      stderr: '',
    });
    const deadline = Date.now() + 5_000;
    while ((await statusWith(token)) !== 401 && Date.now() < deadline) await pause(100);
    expect(await statusWith(token)).toBe(401);
    expect(await statusWith(keptToken)).toBe(404);
    expect(await listTokens()).toContainEqual(expect.objectContaining({ name: 'leaked', revoked: TIME }));
  });

  test('says that a token was revoked before, and when, or that it is unknown', async () => {
    await createToken('twice');
    await tokens('revoke', 'twice');
    const { revoked } = (await listTokens()).find(({ name }) => name === 'twice') ?? {};
    const stdout = expect.stringContaining(String(revoked));
    expect(await tokens('revoke', 'twice')).toEqual({ code: 0, stdout, stderr: '' });
    const stderr = expect.stringMatching(/^.* nobody: see plant-store tokens list\.\n$/);
    expect(await tokens('revoke', 'nobody')).toEqual({ code: 1, stdout: '', stderr });
  });
});

test('the files of the database hold no token, while the server runs and after it stopped', async () => {
  const token = await createToken('secret');
  const secret = token.slice('plant_'.length, -6);
  expect(await statusWith(token)).toBe(404);
  // A checkpoint moves everything from the write-ahead log into the database and empties the log.
  const running = Buffer.concat([await place.read('data/plants.db'), await place.read('data/plants.db-wal')]);
  expect({ name: running.includes('secret'), token: running.includes(secret) }).toEqual({ name: true, token: false });
  expect(await server.stop()).toBe(0);
  const stopped = await place.read('data/plants.db');
  expect({ name: stopped.includes('secret'), token: stopped.includes(secret) }).toEqual({ name: true, token: false });
});
