import { afterAll, expect, test } from '@jest/globals';
import { chmod, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
import { reportFault } from '../support/ledger.ts';
import { freePort } from '../support/listen.ts';
import { healthOf } from '../support/health.ts';
import { isInstalled, PATH } from '../support/installed.ts';
import { nameOf, noteCommits, postgresServer, run, throughPort } from '../support/postgres.ts';
import { startProcess, type RunningProcess } from '../support/process.ts';
import { everyOther, stock } from '../support/stock.ts';

const FAULT = 'PgBouncer in transaction mode, and a database whose default is synchronous_commit=off';
const PLANTS = 4_000;

const server = await postgresServer();
afterAll(() => server.close());
const place = workplaceOfEachTest();

/**
 * Starts PgBouncer in front of a database, with its own defaults but for the mode.
 * @returns the URL through it.
 */
async function pooled(url: string): Promise<{ url: string; pooler: RunningProcess }> {
  const { hostname, port, username, password } = new URL(url);
  const [listenPort, folder] = [await freePort(), place.folder];
  const database = `host=${hostname} port=${port} user=${username} password=${password}`;
  const config = `[databases]\n${nameOf(url)} = ${database}\n[pgbouncer]
listen_addr = 127.0.0.1\nlisten_port = ${listenPort}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n`;
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, config);
  // It refuses to run as root, and reads its file as another user then.
  await chmod(folder, 0o755);
  const args = userInfo().uid === 0 ? ['-u', 'nobody', file] : [file];
  const pooler = startProcess('pgbouncer', args, { env: { PATH }, cwd: tmpdir() });
  return { url: throughPort(url, listenPort), pooler };
}

/** Resolves when a server answers. @throws Error when the process in front of it has ended. */
async function untilAnswered(url: string, { child, errors }: RunningProcess): Promise<void> {
  while (!(await run(url, 'SELECT 1').then(Boolean, () => false))) {
    if (child.exitCode !== null) throw new Error(errors());
    await pause(50);
  }
}

test(`tokens and deletes are durable, and exactly one of two processes deletes each plant, behind ${FAULT}`, async () => {
  if (!isInstalled('pgbouncer')) {
    await reportFault({ fault: FAULT, skipped: 'needs pgbouncer' });
    return;
  }
  const direct = await server.createDatabase();
  await run(direct, `ALTER DATABASE ${nameOf(direct)} SET synchronous_commit = off`);
  const { url: DATABASE_URL, pooler } = await pooled(direct);
  try {
    await untilAnswered(DATABASE_URL, pooler);
    expect(await run(DATABASE_URL, 'SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'off' }]);
    expect(await place.run(['migrate'], { env: { DATABASE_URL } })).toMatchObject({ code: 0, stderr: '' });
    await noteCommits(direct);
    const plants = await stock(place, PLANTS, { DATABASE_URL });
    const services = await Promise.all([place.serve({ DATABASE_URL }), place.serve({ DATABASE_URL })]);
    const wanted = everyOther(plants.ids);
    await Promise.all(services.map((service) => plants.deleteAll(service, wanted)));
    expect(plants.ledger.statuses()).toEqual({ 204: wanted.length, 404: wanted.length });
    for (const service of services) {
      expect(await healthOf(service, '/readyz')).toMatchObject({ status: 200 });
      expect(await service.stop()).toBe(0);
      expect(service.errors()).toBe('');
    }
    const revoked = await place.run(['tokens', 'revoke', 'faults'], { env: { DATABASE_URL } });
    expect(revoked).toMatchObject({ code: 0 });
    const commits = await run(direct, 'SELECT value, count(*)::integer AS rows FROM commits GROUP BY 1');
    // At least the plants, the deletes, and the token made, used and revoked.
    expect(commits).toEqual([{ value: 'on', rows: expect.any(Number) }]);
    expect(commits[0]?.['rows']).toBeGreaterThanOrEqual(PLANTS + wanted.length + 3);
    await plants.expectUnharmed(FAULT);
  } finally {
    pooler.child.kill();
    await pooler.ended;
  }
});
