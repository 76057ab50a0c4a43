import { afterAll, expect, test } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../src/stores/database-url.ts';
import { sql, type Statement } from '../../src/stores/database.ts';
import { openStores } from '../../src/stores/open.ts';
import { postgresServer } from '../support/postgres.ts';
import { temporaryFolder } from 'test-support/temporary-folder.ts';

const server = await postgresServer();
const folder = await temporaryFolder();
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

test.each<[kind: string, commits: number[], locate: () => Promise<DatabaseLocation>]>([
  [
    'SQLite, where concurrent writes share a commit',
    [3, 1, 1, 1],
    () => Promise.resolve({ kind: 'sqlite', file: join(folder, 'plants.db') }),
  ],
  ['PostgreSQL', [1, 1, 1, 1, 1, 1], async () => ({ kind: 'postgres', url: await server.createDatabase() })],
])('each write is reported with its commit, a failed one too: %s', async (_kind, commits, locate) => {
  const seen: number[] = [];
  const times: number[] = [];
  const onCommit = (writes: number, seconds: number): void => {
    seen.push(writes);
    times.push(seconds);
  };
  const { database, plants, tokens, close } = await openStores(await locate(), { onCommit });
  const add = (id: bigint): Statement => sql`INSERT INTO plants (id) VALUES (${id})`;
  await Promise.all([database.write(add(1n)), database.write(add(2n), add(3n)), database.write(add(4n))]);
  await expect(database.write(add(1n))).rejects.toMatchObject({ name: 'ConstraintError' });
  await tokens.createToken({ name: 'shop', hash: 'a'.repeat(64), createdAt: 1, expiresAt: null });
  await plants.insertPlants([5n, 6n]);
  await database.read(sql`SELECT id FROM plants`);
  await close();
  expect(seen).toEqual(commits);
  expect(times.filter((seconds) => !(seconds > 0 && seconds < 60))).toEqual([]);
});
