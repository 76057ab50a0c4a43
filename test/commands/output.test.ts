import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { SqliteConnection } from '../../src/stores/sqlite/driver.ts';
import { workplaceOfEachTest } from '../support/cli.ts';

const place = workplaceOfEachTest();

async function names(): Promise<string[]> {
  const { stdout } = await place.call(['tokens', 'list', '--json']);
  // The form that --json promises.
  return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
}

const FULL = 'Standard output cannot be written: ENOSPC: no space left on device, write.\n';
const CLOSED = 'Standard output cannot be written: write EPIPE.\n';
const CREATE = 'node "$CLI" tokens create lost';

describe('standard output that cannot be written', () => {
  test.each(['plants export', 'plants import ids', 'tokens list', 'tokens create --help'])(
    '%s says so in one line when the disk is full, and exits with 1',
    async (command) => {
      await place.write('ids', '1\n2\n');
      await place.call(['plants', 'import', 'ids']);
      expect(await place.shell(`node "$CLI" ${command} > /dev/full`)).toEqual({ code: 1, stdout: '', stderr: FULL });
    },
  );

  test.each([
    ['the disk is full', `${CREATE} > /dev/full; echo "code $?" >&2`, FULL],
    // The reading end of the pipe is closed before the command writes.
    ['its reader has gone', `{ sleep 0.5; ${CREATE}; echo "code $?" >&2; } | true`, CLOSED],
  ])('tokens create keeps no token when %s, and its name is free', async (_when, line, stderr) => {
    await place.call(['tokens', 'create', 'shop']);
    expect(await place.shell(line)).toMatchObject({ stderr: `${stderr}code 1\n` });
    expect(await names()).toEqual(['shop']);
    expect(await place.call(['tokens', 'create', 'lost'])).toMatchObject({ code: 0, stderr: '' });
    expect(await names()).toEqual(['lost', 'shop']);
  });
});

test('tokens list clamps times beyond the range of dates', async () => {
  await place.call(['tokens', 'create', 'shop', '--expires-in', '1d']);
  const database = new SqliteConnection(join(place.folder, 'data', 'plants.db'));
  database.prepare('UPDATE tokens SET expires_at = ?, created_at = ?').run(2n ** 63n - 1n, -(2n ** 63n));
  database.close();
  const [created, expires] = ['-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.000Z'];
  const { stdout } = await place.call(['tokens', 'list', '--json']);
  expect(JSON.parse(stdout)).toEqual([{ name: 'shop', created, expires, revoked: null, lastUsed: null }]);
  expect((await place.call(['tokens', 'list'])).stdout).toMatch(
    /\nshop +-271821-04-20T\S+ +\+275760-09-13T\S+ +- +-\n$/,
  );
});
