import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workplaceOfEachTest } from '../support/cli.ts';
import { reportFault } from '../support/ledger.ts';
import { OUTCOME_UNKNOWN, stock } from '../support/stock.ts';

const SOURCE = fileURLToPath(new URL('fixtures/failing-io.c', import.meta.url));

const place = workplaceOfEachTest();

/** What SQLite finds wrong with a file; 'ok' when there is nothing. */
function integrityOf(file: string): unknown {
  const connection = new Database(file, { readonly: true });
  try {
    return connection.pragma('integrity_check', { simple: true });
  } finally {
    connection.close();
  }
}

test.each(['write', 'fsync'])(
  'a %s that fails is answered with "outcome unknown", the server ends with 1, and the next one finds its files in order',
  async (call) => {
    const fault = `I/O error at ${call}`;
    const { code: compiled } = await place.shell(`cc -shared -fPIC -o failing-io.so '${SOURCE}' -ldl`);
    if (process.platform !== 'linux' || compiled !== 0) {
      await reportFault({ fault, skipped: 'needs Linux and a C compiler' });
      return;
    }
    const plants = await stock(place, 100);
    const env = { LD_PRELOAD: join(place.folder, 'failing-io.so'), FAILING_IO: place.folder };
    const server = await place.serve(env);
    await plants.deleteAll(server, plants.ids.slice(10, 20));
    expect(plants.ledger.statuses()).toEqual({ 204: 10 });

    await place.write(call, '');
    const [id = 0n] = plants.ids.slice(30);
    expect(await plants.delete(server, id)).toBe(OUTCOME_UNKNOWN);
    const { code, stdout } = await server.ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\{"level":60.*SQLITE_IOERR/m);
    // The audit log says that this plant may be gone.
    expect(stdout).toMatch(
      new RegExp(`^.*"name":"audit","id":"${id}","operation":"deletePlant".*"msg":"unknown"\\}$`, 'm'),
    );
    await rm(join(place.folder, call));

    const next = await place.serve();
    expect([204, 404]).toContain(await plants.delete(next, id));
    await plants.deleteAll(next, plants.ids.slice(40, 50));
    expect(await next.stop()).toBe(0);
    expect(integrityOf(plants.file)).toBe('ok');
    await plants.expectUnharmed(fault, [OUTCOME_UNKNOWN]);
  },
);
