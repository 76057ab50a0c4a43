import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closedFolder } from '../../scripts/closed-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plant-store-closed-'));
  await mkdir(join(folder, 'a', 'b'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

const isOpen = closedFolder(tmpdir()) === undefined;

// Where the folder for temporary files is closed itself, there is no open one to try it with.
(isOpen ? test : test.skip)(
  'a folder that others cannot enter is found above another one, until they can',
  async () => {
    expect(closedFolder(join(folder, 'a', 'b'))).toBe(folder);
    await chmod(folder, 0o711);
    await chmod(join(folder, 'a'), 0o755);
    await chmod(join(folder, 'a', 'b'), 0o750);
    expect(closedFolder(join(folder, 'a'))).toBeUndefined();
    expect(closedFolder(join(folder, 'a', 'b'))).toBe(join(folder, 'a', 'b'));
  },
);
