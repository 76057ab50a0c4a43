import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
import { everyOther, stock } from '../support/stock.ts';

const ROUNDS = 50;
/** The kill comes within this many milliseconds after the first answer of a round. */
const LONGEST = 150;

const place = workplaceOfEachTest();

test('kill -9 under load, fifty times: what was answered 204 stays deleted, every other plant lives, the next start works', async () => {
  const plants = await stock(place, 200_000);
  // Goes on where the round before was killed, so that no plant is asked for twice.
  const wanted = everyOther(plants.ids)[Symbol.iterator]();
  const rest: Iterable<bigint> = { [Symbol.iterator]: () => ({ next: () => wanted.next() }) };
  for (let round = 0; round < ROUNDS; round++) {
    const server = await place.serve({ LOG_LEVEL: 'warn' });
    const before = plants.ledger.statuses()[204] ?? 0;
    const load = plants.deleteAll(server, rest, 8);
    while ((plants.ledger.statuses()[204] ?? 0) === before) await pause(5);
    await pause(Math.random() * LONGEST);
    server.kill('SIGKILL');
    await Promise.all([load, server.ended]);
    expect(server.errors()).toBe('');
  }
  const last = await place.serve();
  expect(await plants.delete(last, plants.ids[0] ?? 0n)).toBe(204);
  expect(await last.stop()).toBe(0);
  expect(Object.keys(plants.ledger.statuses())).toEqual(['0', '204']);
  await plants.expectUnharmed(`kill -9 under load, ${ROUNDS} times`, `${plants.answers()}; each start recovered`, [0]);
}, 120_000);
