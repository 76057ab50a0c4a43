import { expect, test } from '@jest/globals';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from 'test-support/process.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test('npm ci installs for this Node.js without a warning', async () => {
  const packages = (await readdir(join(ROOT, 'packages'))).map((name) => `packages/${name}/package.json`);
  await inTemporaryFolder('install', async (folder) => {
    for (const file of ['package.json', 'package-lock.json', ...packages]) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await cp(join(ROOT, file), join(folder, file));
    }
    const options = ['--dry-run', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { code, stderr } = await startProcess('npm', ['ci', ...options], { cwd: folder }).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
