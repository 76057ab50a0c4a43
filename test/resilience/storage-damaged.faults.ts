import { expect, test } from '@jest/globals';
import { open } from 'node:fs/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
import { healthOf } from '../support/health.ts';
import { NOTHING_DONE, stock } from '../support/stock.ts';

/** A page in the middle of the plants. */
const PAGE = { start: 12 * 4_096, length: 4_096 };

const place = workplaceOfEachTest();

/** Overwrites the page. @returns what it held. */
async function overwrite(file: string, bytes: Buffer): Promise<Buffer> {
  const handle = await open(file, 'r+');
  try {
    const { buffer } = await handle.read(Buffer.alloc(PAGE.length), 0, PAGE.length, PAGE.start);
    await handle.write(bytes, 0, PAGE.length, PAGE.start);
    return buffer;
  } finally {
    await handle.close();
  }
}

test('plants on a page that was overwritten are refused with nothing done, never with "there is no such plant"', async () => {
  const plants = await stock(place, 20_000);
  const page = await overwrite(plants.file, Buffer.alloc(PAGE.length, 0xa5));
  const server = await place.serve();
  await plants.deleteAll(
    server,
    plants.ids.filter((_, index) => index % 20 === 1),
    4,
  );
  const { 204: deleted = 0, [NOTHING_DONE]: refused = 0, ...others } = plants.ledger.statuses();
  expect(others).toEqual({});
  expect({ deleted: deleted > 0, refused: refused > 0 }).toEqual({ deleted: true, refused: true });
  expect(await healthOf(server, '/livez')).toMatchObject({ status: 200 });
  // Damage stays, whatever is deleted elsewhere.
  const [undamaged = 0n] = plants.ids.slice(19_990);
  expect(await plants.delete(server, undamaged)).toBe(204);
  expect(await healthOf(server, '/readyz')).toEqual({
    status: 503,
    body: { status: 'not ready', reason: expect.stringMatching(/malformed/) },
  });
  expect(server.output()).toMatch(/"level":50.*SQLITE_CORRUPT/);
  expect(await server.stop()).toBe(0);
  // With the page as it was, as a backup would bring it back, every plant can be counted.
  await overwrite(plants.file, page);
  await plants.expectUnharmed('a page of the stopped database is overwritten');
});
