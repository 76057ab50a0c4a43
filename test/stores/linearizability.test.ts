import { expect, test } from '@jest/globals';
import { workplaceOfEachTest } from '../support/cli.ts';
import { contend } from '../support/contention.ts';
import { stock } from '../support/stock.ts';

const CROWD = { plants: 100, clients: 32, deletes: 1_500, importSize: 50 };
const place = workplaceOfEachTest();

test('under concurrent deletes and imports each plant is deleted once for each time it was inserted', async () => {
  const plants = await stock(place, CROWD.plants);
  const server = await place.serve({ LOG_LEVEL: 'silent' });
  const ended = server.ended.then(() => performance.now());
  const service = { port: Number(new URL(server.url).port), ended: () => ended };

  const { histories, answers, imports } = await contend(place, plants, service, CROWD);
  expect(await server.stop()).toBe(0);
  expect(await histories.impossible(await plants.plants())).toEqual(new Map());
  // Without contention the test would show nothing.
  expect(Object.keys(answers)).toEqual(['204', '404']);
  expect(answers[204]).toBeGreaterThan(CROWD.plants);
  expect(imports).toBeGreaterThan(1);
}, 60_000);
