import { afterAll, expect, test } from '@jest/globals';
import { workplaceOfEachTest } from '../support/cli.ts';
import { healthOf, untilReadyz } from '../support/health.ts';
import { nameOf, postgresServer, run } from '../support/postgres.ts';
import { everyOther, NOTHING_DONE, stock } from '../support/stock.ts';

/** Ends the connections of the service, since those that are open notice nothing. */
const END_CONNECTIONS = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = '{user}'";

const server = await postgresServer();
afterAll(() => server.close());
const place = workplaceOfEachTest();

test.each([
  {
    name: 'the right to delete is taken away',
    happens: ['REVOKE DELETE ON plants FROM {user}'],
    mended: ['GRANT DELETE ON plants TO {user}'],
    reason: 'permission denied for table plants (42501)',
  },
  {
    name: 'the table is gone',
    happens: ['ALTER TABLE plants RENAME TO elsewhere'],
    mended: ['ALTER TABLE elsewhere RENAME TO plants'],
    reason: 'relation "plants" does not exist (42P01)',
  },
  {
    name: 'the server lets nobody write',
    happens: ['ALTER ROLE {user} SET default_transaction_read_only = on', END_CONNECTIONS],
    mended: ['ALTER ROLE {user} SET default_transaction_read_only = off'],
    reason: 'cannot execute DELETE in a read-only transaction (25006)',
  },
  {
    name: 'the password is changed',
    happens: ["ALTER ROLE {user} PASSWORD 'other'", END_CONNECTIONS],
    mended: ["ALTER ROLE {user} PASSWORD '{password}'"],
    reason: 'password authentication failed for user "{user}" (28P01)',
  },
  {
    name: 'the server has too many connections',
    happens: ['ALTER ROLE {user} CONNECTION LIMIT 0', END_CONNECTIONS],
    mended: ['ALTER ROLE {user} CONNECTION LIMIT -1'],
    reason: 'too many connections for role "{user}" (53300)',
  },
])('when $name, nothing is done and /readyz says so; once that is mended all goes on by itself', async (fault) => {
  const url = await server.createDatabase();
  const user = `service_${nameOf(url)}`;
  const { password } = new URL(url);
  const execute = (statements: readonly string[]): Promise<unknown> =>
    run(url, ...statements.map((text) => text.replaceAll('{user}', user).replace('{password}', password)));
  const plants = await stock(place, 100, { DATABASE_URL: url });
  await execute([
    "CREATE ROLE {user} LOGIN PASSWORD '{password}'",
    'GRANT SELECT, DELETE ON plants TO {user}',
    'GRANT SELECT, UPDATE ON plant_store_tokens TO {user}',
    'GRANT SELECT ON plant_store_schema TO {user}',
  ]);
  try {
    const DATABASE_URL = url.replace('//postgres:', `//${user}:`);
    const service = await place.serve({ DATABASE_URL });
    const wanted = everyOther(plants.ids);
    await plants.deleteAll(service, wanted.slice(0, 10));
    await execute(fault.happens);
    const { body } = await untilReadyz(service, 503, 5_000);
    await plants.deleteAll(service, wanted.slice(10, 30));
    expect(plants.ledger.statuses()).toEqual({ 204: 10, [NOTHING_DONE]: 20 });
    expect(await healthOf(service, '/readyz')).toMatchObject({ status: 503 });
    expect(await healthOf(service, '/livez')).toMatchObject({ status: 200 });
    expect(body).toMatchObject({ reason: expect.stringContaining(fault.reason.replaceAll('{user}', user)) });
    await execute(fault.mended);
    await untilReadyz(service, 200, 5_000);
    await plants.deleteAll(service, wanted.slice(10));
    expect(plants.ledger.statuses()).toEqual({ 204: wanted.length, [NOTHING_DONE]: 20 });
    expect(await service.stop()).toBe(0);
    await plants.expectUnharmed(`PostgreSQL: ${fault.name}`, plants.answers());
  } finally {
    await execute(['DROP OWNED BY {user}', 'DROP ROLE {user}']);
  }
});
