import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'test-support/temporary-folder.ts';
import { BIN, missing } from './programs.ts';

const POSTGRES = BIN === undefined ? ['postgresql'] : [];

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  // Other users may enter it, for the user of PostgreSQL.
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

async function install(name: string, says: string, mode = 0o755): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\necho '${says}'\n`);
  await chmod(join(folder, name), mode);
}

test('the tests of a cluster say what they need: a program, a newer Patroni, or a place where PostgreSQL may start it', async () => {
  await install('etcd', 'etcd Version: 3.4.23');
  await install('haproxy', 'HAProxy version 2.6', 0o600);
  await install('patroni', 'patroni 3.0.2');
  const path = `${folder}:/bin`;
  expect(missing(['patroni', 'etcd', 'haproxy', 'no-pgbouncer'], path)).toEqual([
    ...POSTGRES,
    'patroni 4 (this is patroni 3.0.2)',
    'haproxy in a folder where the user of PostgreSQL may start it',
    'no-pgbouncer',
  ]);
  await install('patroni', 'patroni 4.0.5');
  expect(missing(['patroni', 'etcd'], path)).toEqual(POSTGRES);
});
