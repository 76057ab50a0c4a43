import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { workplace, type Workplace } from './support/cli.ts';
import { contend, plantsOf } from './support/contention.ts';

const CROWD = { plants: 200, clients: 32, deletes: 5_000, importSize: 100 };

let place: Workplace;
beforeEach(async () => {
  place = await workplace();
});
afterEach(() => place.remove());

test('whatever many clients delete and imports bring back at once, each plant is deleted once for each time it was there', async () => {
  const token = (await place.run(['tokens', 'create', 'crowd'])).stdout.trim();
  const ids = plantsOf(CROWD);
  await place.run(['plants', 'import', '-'], { input: `${ids.join('\n')}\n` });
  const server = await place.serve({ LOG_LEVEL: 'silent' });
  const port = Number(new URL(server.url).port);
  const ended = server.ended.then(() => performance.now());

  const { histories, answers, imports } = await contend(place, { port, token, ended: () => ended }, CROWD);
  expect(await server.stop()).toBe(0);
  const { stdout } = await place.run(['plants', 'export']);
  const impossible = await histories.impossible(stdout.split('\n').slice(0, -1).map(BigInt));
  expect(impossible).toEqual(new Map());
  // Without contention the test would show nothing.
  expect(Object.keys(answers)).toEqual(['204', '404']);
  expect(answers[204]).toBeGreaterThan(CROWD.plants);
  expect(imports).toBeGreaterThan(1);
}, 60_000);
