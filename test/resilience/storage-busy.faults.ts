import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { stat } from 'node:fs/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
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
