import { expect, test } from '@jest/globals';
import { workplaceOfEachTest } from '../support/cli.ts';
import { contend, expectOrder } from '../support/contention.ts';
import { isLinearizable, type Operation, type Outcome } from '../support/linearizability.ts';
import { stock } from '../support/stock.ts';

const PLANTS = 100;
const place = workplaceOfEachTest();

test('under concurrent deletes and imports each plant is deleted once for each time it was inserted', async () => {
  const plants = await stock(place, PLANTS);
  const server = await place.serve({ LOG_LEVEL: 'silent' });
  const ended = server.ended.then(() => performance.now());
  const service = { port: Number(new URL(server.url).port), ended: () => ended };

  const outcomes = await contend(place, plants, service, {
    clients: 32,
    deletes: 1_000,
    importSize: 50,
  });
  expect(await server.stop()).toBe(0);
  await expectOrder('deletes and imports', plants, outcomes);
  // Without contention the test would show nothing.
  expect(Object.keys(outcomes.answers)).toEqual(['204', '404']);
  expect(outcomes.answers[204]).toBeGreaterThan(PLANTS);
  expect(outcomes.imports).toBeGreaterThan(1);
});

test.each<[boolean, string, ...string[]]>([
  [true, 'two deletes at once, of which one wins', 'deleted 1-4', 'missing 2-3'],
  [true, 'two winners with an import that was under way', 'deleted 1-2', 'inserted 1-9', 'deleted 3-4'],
  [true, 'missing after a delete without an answer', 'maybe deleted 1-2', 'missing 3-4'],
  [false, 'two winners, one after the other', 'deleted 1-2', 'deleted 3-4', 'missing 5-6'],
  [false, 'a 404 before the only delete was asked for', 'missing 1-2', 'deleted 3-4'],
  [false, 'a 204 that did not delete', 'deleted 1-2', 'there 3-3'],
  [false, 'a delete without an answer that came back later', 'maybe deleted 1-2', 'inserted 3-4', 'missing 5-6'],
])('the checker returns %s for %s', (verdict, _name, ...lines) => {
  const history = lines.map((line): Operation => {
    const [, outcome = '', from = '', to = ''] = /^([a-z ]+) (\d+)-(\d+)$/.exec(line) ?? [];
    // The lines above name outcomes only.
    return { outcome: outcome as Outcome, from: Number(from), to: Number(to) };
  });
  expect(isLinearizable(history, true)).toBe(verdict);
});
