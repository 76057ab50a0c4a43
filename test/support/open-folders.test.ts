import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closedFolder } from './open-folders.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plant-store-closed-'));
  await mkdir(join(folder, 'a', 'b'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

test('a parent folder that other users cannot enter is found', async () => {
  // Where the folder for temporary files is closed itself, it is what is found, always.
  const above = closedFolder(tmpdir());
  expect(closedFolder(join(folder, 'a', 'b'))).toBe(above ?? folder);
  await chmod(folder, 0o711);
  await chmod(join(folder, 'a'), 0o755);
  await chmod(join(folder, 'a', 'b'), 0o750);
  expect(closedFolder(join(folder, 'a'))).toBe(above);
  expect(closedFolder(join(folder, 'a', 'b'))).toBe(above ?? join(folder, 'a', 'b'));
});
