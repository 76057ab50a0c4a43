import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { stat } from 'node:fs/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
import { freePort } from '../support/free-port.ts';
import { pollLivez } from '../support/health.ts';
import { everyOther, stock } from '../support/stock.ts';

const place = workplaceOfEachTest();

test('a reader that takes its time holds up no delete, sees the plants as they were, and leaves no long WAL behind', async () => {
  const plants = await stock(place, 10_000);
  const server = await place.serve({ LOG_LEVEL: 'warn' });
  const reader = new Database(plants.file, { readonly: true });
  const count = reader.prepare('SELECT count(*) FROM plants').pluck();
  let wal: number;
  try {
    reader.exec('BEGIN');
    expect(count.get()).toBe(10_000);
    await plants.deleteAll(server, everyOther(plants.ids));
    expect(count.get()).toBe(10_000);
    wal = (await stat(`${plants.file}-wal`)).size;
    reader.exec('COMMIT');
  } finally {
    reader.close();
  }
  expect(plants.ledger.statuses()).toEqual({ 204: 5_000 });
  expect(await server.stop()).toBe(0);
  expect((await stat(`${plants.file}-wal`).catch(() => ({ size: 0 }))).size).toBe(0);
  await plants.expectUnharmed(
    'a reader that takes its time',
    `${plants.answers()}; WAL ${(wal / 2 ** 20).toFixed(1)} MiB, none after the stop`,
  );
}, 60_000);

test('an import of a million plants lets every delete meanwhile through', async () => {
  const plants = await stock(place, 50_000);
  const adminPort = await freePort();
  const server = await place.serve({ LOG_LEVEL: 'warn', ADMIN_PORT: String(adminPort) });
  await place.write('ids', Array.from({ length: 1_000_000 }, (_, index) => `${index}\n`).join(''));
  let importing = true;
  const imported = place.run(['plants', 'import', 'ids']).finally(() => {
    importing = false;
  });
  /** Plants to delete for as long as the import runs. */
  function* meanwhile(): Generator<bigint> {
    for (const id of everyOther(plants.ids)) {
      if (!importing) return;
      yield id;
    }
  }
  const [answers] = await Promise.all([
    pollLivez({ admin: `http://127.0.0.1:${adminPort}` }, () => importing),
    plants.deleteAll(server, meanwhile()),
  ]);
  expect(await imported).toMatchObject({ code: 0, stdout: expect.stringContaining('Imported: 1000000.') });
  expect(await server.stop()).toBe(0);
  const { 204: deleted = 0, ...others } = plants.ledger.statuses();
  expect(others).toEqual({});
  expect(deleted).toBeGreaterThan(200);
  expect((await place.run(['plants', 'count'])).stdout).toBe(`${50_000 - deleted + 1_000_000}\n`);
  expect(answers).toBeGreaterThan(10);
  await plants.expectUnharmed(
    'an import of a million plants meanwhile',
    `${plants.answers()}; ${answers} × /livez meanwhile`,
  );
}, 60_000);
