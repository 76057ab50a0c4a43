import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
import { healthOf, untilReadyz } from '../support/health.ts';
import { nameOf, postgresServer, run, throughPort } from '../support/postgres.ts';
import { everyOther, NOTHING_DONE, OUTCOME_UNKNOWN, OVERLOADED, stock } from '../support/stock.ts';
import { tcpProxy, type Fate } from '../support/tcp-proxy.ts';
import { deleteThroughout } from './delete-during.ts';

const server = await postgresServer();
afterAll(() => server.close());
const place = workplaceOfEachTest();

/** What a client sends to delete a plant; the probe of /readyz names none. */
const DELETE = /DELETE FROM plants WHERE id = ANY\('\{-?\d/;

test.each<[string, Fate, number]>([
  ['after the statement was sent, before its answer', 'lose answer', 404],
  ['before the statement arrives', 'lose', 204],
  ['in that no answer ever comes', 'hang', 404],
])('a connection that fails %s: the outcome is unknown, never "not there"', async (name, fate, repeated) => {
  const url = await server.createDatabase();
  const plants = await stock(place, 400, { DATABASE_URL: url });
  const proxy = await tcpProxy(Number(new URL(url).port));
  try {
    const service = await place.serve({ DATABASE_URL: throughPort(url, proxy.port) });
    const wanted = everyOther(plants.ids);
    const [first = 0n, ...others] = wanted.slice(0, 20);
    expect(await plants.delete(service, first)).toBe(204);
    proxy.fate = (text) => (DELETE.test(text) ? fate : 'pass');
    // One that was deleted before among them.
    const answers = await Promise.all([first, ...others].map((id) => plants.delete(service, id)));
    // Those that waited for a commit behind these for too long were not begun.
    expect(answers).toContain(OUTCOME_UNKNOWN);
    for (const answer of answers) expect([OUTCOME_UNKNOWN, OVERLOADED]).toContain(answer);
    expect(await healthOf(service, '/livez')).toMatchObject({ status: 200 });
    proxy.fate = () => 'pass';
    await untilReadyz(service, 200, 5_000);
    for (const [index, id] of others.entries()) {
      const isUnknown = answers[index + 1] === OUTCOME_UNKNOWN;
      expect(await plants.delete(service, id)).toBe(isUnknown ? repeated : 204);
    }
    expect(await plants.delete(service, first)).toBe(404);
    await plants.deleteAll(service, wanted.slice(20));
    expect(await service.stop()).toBe(0);
    expect(service.errors()).toBe('');
    await plants.expectUnharmed(`a connection to PostgreSQL fails ${name}`, plants.answers(), [OUTCOME_UNKNOWN]);
  } finally {
    await proxy.close();
  }
});

/** Ends all connections of a service. @returns how many there were. */
async function terminate(url: string): Promise<number> {
  const text = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'plant-store' AND datname = '${nameOf(url)}'`;
  return (await run(url, text)).length;
}

test('connections that the server ends under load cost no plant', async () => {
  const DATABASE_URL = await server.createDatabase();
  const plants = await stock(place, 20_000, { DATABASE_URL });
  const service = await place.serve({ DATABASE_URL });
  let ended = 0;
  const fault = async (): Promise<void> => {
    for (let round = 0; round < 50; round++) {
      await pause(50);
      ended += await terminate(DATABASE_URL);
    }
  };
  const wanted = everyOther(plants.ids)[Symbol.iterator]();
  await deleteThroughout(fault(), plants, service, wanted, 32);
  // Nothing is done on a connection that is ended before it can be used.
  const { 204: deleted = 0, [OUTCOME_UNKNOWN]: unknown = 0, [NOTHING_DONE]: _, ...others } = plants.ledger.statuses();
  expect(others).toEqual({});
  expect(deleted).toBeGreaterThan(unknown);
  expect(await service.stop()).toBe(0);
  expect(service.errors()).toBe('');
  await plants.expectUnharmed('connections to PostgreSQL are ended under load', `${plants.answers()}; ${ended} ended`, [
    OUTCOME_UNKNOWN,
  ]);
});
