import { expect, test } from '@jest/globals';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { deletePlantAt, workplace, workplaceOfEachTest, type ServerProcess } from '../support/cli.ts';
import { healthOf, untilReadyz } from '../support/health.ts';
import { errorCode, NOTHING_DONE, stock, type Stock } from '../support/stock.ts';

const place = workplaceOfEachTest();

async function expectUnavailable(server: ServerProcess, plants: Stock): Promise<void> {
  for (const id of plants.ids.slice(20, 30)) expect(await plants.delete(server, id)).toBe(NOTHING_DONE);
  const refused = await deletePlantAt(server.url, plants.token, plants.ids[20] ?? 0n);
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
  expect(errorCode(refused.text)).toBe(NOTHING_DONE);
  expect(await healthOf(server, '/readyz')).toEqual({
    status: 503,
    body: { status: 'not ready', reason: expect.stringMatching(/removed or replaced/) },
  });
  expect(await healthOf(server, '/livez')).toMatchObject({ status: 200 });
}

test.each<[fault: string, suffix: string, take: (file: string) => Promise<unknown>]>([
  ['the database is unlinked under the server', '', (file) => rm(file)],
  ['the database is replaced under the server', '', (file) => rename(`${file}.other`, file)],
  // What is committed into a log without a name is lost with the process.
  ['the write-ahead log is unlinked under the server', '-wal', (file) => rm(file)],
  ['the index of the write-ahead log is unlinked under the server', '-shm', (file) => rm(file)],
])('%s: it deletes nothing and is not ready, and works again when the file is back', async (fault, suffix, take) => {
  const plants = await stock(place, 100);
  const other = await workplace();
  try {
    const { file } = await stock(other, 50);
    await place.write('data/plants.db.other', await readFile(file));
  } finally {
    await other.remove();
  }
  const replacement = await place.read('data/plants.db.other');
  const server = await place.serve();
  await plants.deleteAll(server, plants.ids.slice(0, 10));
  expect(plants.ledger.statuses()).toEqual({ 204: 10 });
  // A second name, by which the operator brings the file back.
  const victim = `${plants.file}${suffix}`;
  await link(victim, `${victim}.kept`);

  await take(victim);
  await expectUnavailable(server, plants);
  const replaced = fault.includes('replaced');
  if (replaced) expect((await readFile(plants.file)).equals(replacement)).toBe(true);

  await rename(`${victim}.kept`, victim);
  await untilReadyz(server, 200, 5_000);
  await plants.deleteAll(server, plants.ids.slice(50, 60));
  expect(plants.ledger.statuses()).toEqual({ 204: 20, [NOTHING_DONE]: 10 });
  expect(await server.stop()).toBe(0);
  await plants.expectUnharmed(fault, `${plants.answers()}; alive, not ready; goes on when the file is back`);
});
