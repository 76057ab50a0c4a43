import { expect, test } from '@jest/globals';
import { copyFile, link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { workplaceOfEachTest } from '../support/cli.ts';
import { expectRecovery } from './outage.ts';

const place = workplaceOfEachTest();

test.each([
  ['the database is unlinked under the server', ''],
  ['the database is replaced under the server', ''],
  // What is committed into a log without a name is lost with the process.
  ['the write-ahead log is unlinked under the server', '-wal'],
  ['the index of the write-ahead log is unlinked under the server', '-shm'],
])('%s: it deletes nothing and goes on when the file is back', async (fault, suffix) => {
  const file = join(place.folder, 'data', 'plants.db');
  const [victim, kept, other] = [`${file}${suffix}`, `${file}.kept`, `${file}.other`];
  const replaced = fault.includes('replaced');
  await expectRecovery(place, fault, {
    begin: async () => {
      // A second name, by which the operator brings the file back.
      await link(victim, kept);
      if (!replaced) {
        await rm(victim);
        return;
      }
      await copyFile(file, other);
      await copyFile(other, `${other}.copy`);
      await rename(other, file);
    },
    end: async () => {
      if (replaced) expect((await readFile(file)).equals(await readFile(`${other}.copy`))).toBe(true);
      await rename(kept, victim);
    },
    reason: /removed or replaced/,
  });
});
