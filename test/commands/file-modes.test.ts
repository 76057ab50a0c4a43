import { describe, expect, test } from '@jest/globals';
import { deletePlantAt, workplaceOfEachTest, type Environment } from '../support/cli.ts';

const place = workplaceOfEachTest();

/** The mode of each file that a shell pattern names. */
async function modes(pattern: string): Promise<Record<string, string>> {
  const { stdout } = await place.shell(`stat -c '%n %a' ${pattern}`);
  return Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line): [string, string] => {
        const [name = '', mode = ''] = line.split(' ');
        return [name, mode];
      }),
  );
}

/** What a server says of files that others can open, once it listens. */
async function warnings(env: Environment = {}): Promise<string[]> {
  const server = await place.serve({ NODE_ENV: 'production', ...env });
  await server.until(/"msg":"listening"/);
  const lines = server.output().trim().split('\n');
  await server.stop();
  return (
    lines
      // Each line of the log is an object; one that names a command has it as a string.
      .map((line) => (JSON.parse(line) as { command?: string }).command)
      .filter((command) => command !== undefined)
  );
}

test.each(['000', '077'])('with umask %s a command and serve make what no other user can open', async (umask) => {
  expect(await place.shell(`umask ${umask} && node "$CLI" migrate`)).toMatchObject({ code: 0 });
  expect(await modes('data data/*')).toEqual({ data: '700', 'data/plants.db': '600' });

  const before = process.umask(Number.parseInt(umask, 8));
  const server = await place.serve({ NODE_ENV: 'production', DATABASE_URL: 'sqlite:a/b/plants.db' }).finally(() => {
    process.umask(before);
  });
  expect(await deletePlantAt(server.url, 'plant_none', 1n)).toMatchObject({ status: 401 });
  // The write-ahead log and its index too.
  expect(await modes('a a/b a/b/*')).toEqual({
    a: '700',
    'a/b': '700',
    'a/b/plants.db': '600',
    'a/b/plants.db-shm': '600',
    'a/b/plants.db-wal': '600',
  });
  expect(await server.stop()).toBe(0);
});

test('a database behind a dangling symbolic link is made so that no other user can open it', async () => {
  expect(await place.shell('umask 000 && ln -s real.db link.db')).toMatchObject({ code: 0 });
  const { code } = await place.shell('umask 000 && DATABASE_URL=sqlite:link.db node "$CLI" tokens create shop');
  expect(code).toBe(0);
  expect(await modes('real.db')).toEqual({ 'real.db': '600' });
});

describe('an existing database that other users can open', () => {
  test('is left as it is and reported at the start, with a command that closes it when pasted', async () => {
    await place.call(['tokens', 'create', 'shop']);
    await place.shell('chmod 755 data && chmod 644 data/plants.db');
    const [command = '', ...others] = await warnings();
    expect(others).toEqual([]);
    expect(command).toBe(
      `chmod 600 ${['', '-wal', '-shm'].map((end) => `${place.folder}/data/plants.db${end}`).join(' ')}`,
    );
    expect(await modes('data data/*')).toEqual({ data: '755', 'data/plants.db': '644' });
    // The two other files are gone with the server.
    await place.shell(command);
    expect(await modes('data/*')).toEqual({ 'data/plants.db': '600' });
    expect(await warnings()).toEqual([]);
  });

  test('is reported too when others can make files in its folder, whatever its name', async () => {
    const env = { DATABASE_URL: "sqlite:it's/plants.db" };
    await place.call(['tokens', 'create', 'shop'], { env });
    await place.shell(`chmod 777 "it's"`);
    const [command = ''] = await warnings(env);
    expect(command).toMatch(/^chmod o-w /);
    expect(await place.shell(command)).toMatchObject({ code: 0 });
    expect(await modes(`"it's"`)).toEqual({ "it's": '775' });
    expect(await warnings(env)).toEqual([]);
  });
});
