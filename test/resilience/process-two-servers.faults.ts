import { expect, test } from '@jest/globals';
import { workplaceOfEachTest } from '../support/cli.ts';
import { everyOther, stock } from '../support/stock.ts';

const place = workplaceOfEachTest();

test('two servers on one file both work: of two deletes of one plant, through both at once, exactly one is answered 204', async () => {
  const plants = await stock(place, 4_000);
  const env = { LOG_LEVEL: 'warn' };
  const servers = [await place.serve(env), await place.serve(env)];
  const both = everyOther(plants.ids);
  const oneEach = plants.ids.filter((_, index) => index % 8 === 0);
  await Promise.all([
    ...servers.map((server) => plants.deleteAll(server, both)),
    // Plants of their own meanwhile.
    ...servers.map((server, which) =>
      plants.deleteAll(
        server,
        oneEach.filter((_, index) => index % 2 === which),
      ),
    ),
  ]);
  expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0]);
  // As many winners as losers, and no plant with two winners: one each.
  expect(plants.ledger.statuses()).toEqual({ 204: both.length + oneEach.length, 404: both.length });
  await plants.expectUnharmed('two servers on one SQLite file', plants.answers());
}, 60_000);
