import { expect, test } from '@jest/globals';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { openStores } from '../../src/stores/open.ts';
import { SqliteConnection } from '../../src/stores/sqlite/driver.ts';
import { deletePlantAt, workplaceOfEachTest } from '../support/cli.ts';
import { healthOf, untilReadyz } from '../support/health.ts';

const place = workplaceOfEachTest();

/** Fills a database, then overwrites a page in the middle of its plants. */
async function damagedDatabase(): Promise<string> {
  const ids = Array.from({ length: 20_000 }, (_, index) => index).join('\n');
  expect(await place.call(['plants', 'import', '-'], { input: ids })).toMatchObject({ code: 0 });
  const token = (await place.call(['tokens', 'create', 'shop'])).stdout.trim();
  const file = await open(join(place.folder, 'data', 'plants.db'), 'r+');
  await file.write(Buffer.alloc(4_096, 0xa5), 0, 4_096, 12 * 4_096);
  await file.close();
  return token;
}

const ADVICE = 'Stop the service and restore a backup: plant-store restore <file>.';

test('damage of the database is found after the start, before a request meets it; the service is not ready and says what to do', async () => {
  const token = await damagedDatabase();
  const server = await place.serve({ NODE_ENV: 'production' });
  await untilReadyz(server, 503, 60_000);
  const { body } = await healthOf(server, '/readyz');
  expect(body).toEqual({
    status: 'not ready',
    reason: expect.stringMatching(/^The database \S+ is damaged: .+\. Stop/),
  });
  expect(JSON.stringify(body)).toContain(ADVICE);
  const [line = ''] = await server.until(/^.*database damaged.*$/m);
  expect(JSON.parse(line)).toMatchObject({ level: 50, reason: expect.stringContaining(ADVICE) });
  // Plants of other pages are served.
  expect(await deletePlantAt(server.url, token, 19_999n)).toMatchObject({ status: 204 });
  expect(await server.stop()).toBe(0);
});

test('a command that meets damage says to restore a backup', async () => {
  await damagedDatabase();
  expect(await place.call(['plants', 'count'])).toEqual({
    code: 1,
    stdout: '',
    stderr: `SQLite: database disk image is malformed (SQLITE_CORRUPT). The database is damaged. ${ADVICE}\n`,
  });
});

test.each([
  ['plants', 'plants count'],
  ['plants', 'serve'],
  ['tokens', 'tokens list'],
])(
  'a database whose table %s is gone stops a command, %s, in one line that says to restore a backup',
  async (table, command) => {
    await place.call(['plants', 'add', '1']);
    new SqliteConnection(join(place.folder, 'data', 'plants.db')).exec(`DROP TABLE ${table}`).close();
    expect(await place.run(command.split(' '))).toEqual({
      code: 1,
      stdout: '',
      stderr: `SQLite: no such table: ${table} (SQLITE_ERROR). A table of the plant store is gone: restore a backup, as docs/operations.md says.\n`,
    });
  },
);

/** The stores as the build makes them, since the program of the search is compiled. */
async function buildOfStores(): Promise<{ readonly openStores: typeof openStores }> {
  // Safe: the build makes both from the same file.
  return (await import(new URL('../../dist/stores/open.js', import.meta.url).href)) as {
    openStores: typeof openStores;
  };
}

test('a store that is closed is not searched for damage, since the search would leave files', async () => {
  const built = await buildOfStores();
  const file = join(place.folder, 'data', 'plants.db');
  const stores = await built.openStores({ kind: 'sqlite', file, makesFolder: true });
  await stores.close();
  await stores.inspect?.();
  expect(await readdir(join(place.folder, 'data'))).toEqual(['plants.db']);
});

test('a store that closes while its file is searched for damage leaves one file', async () => {
  const built = await buildOfStores();
  const location = { kind: 'sqlite', file: join(place.folder, 'data', 'plants.db'), makesFolder: true } as const;
  const first = await built.openStores(location);
  await first.plants.insertPlants(Array.from({ length: 200_000 }, (_, index) => BigInt(index)));
  await first.close();
  // At some of these times the search has opened the file.
  for (let milliseconds = 0; milliseconds <= 500; milliseconds += 50) {
    const stores = await built.openStores(location);
    const inspected = stores.inspect?.();
    await pause(milliseconds);
    await stores.close();
    expect(await readdir(join(place.folder, 'data'))).toEqual(['plants.db']);
    await inspected;
  }
});
