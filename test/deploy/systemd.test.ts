import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readProjectFile } from '../support/readme.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const missing = await run('systemd-analyze', ['--version']).then(
  () => null,
  () => 'systemd-analyze',
);
if (missing !== null) process.stderr.write(`skipped: the check of the systemd unit, which needs ${missing}\n`);

(missing === null ? describe : describe.skip)('deploy/systemd/plant-store.service', () => {
  let folder: string;
  let unit: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    unit = join(folder, 'plant-store.service');
    const text = await readProjectFile('deploy/systemd/plant-store.service');
    // systemd looks whether the program is there.
    await writeFile(unit, text.replace('/usr/bin/node', process.execPath));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('has no key or value that systemd does not know', async () => {
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', unit]);
    // It speaks of the machine's own units too.
    expect((stdout + stderr).split('\n').filter((line) => line.includes('plant-store.service'))).toEqual([]);
  });

  test('gets a low exposure score', async () => {
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', unit]);
    const [, rating] = /Overall exposure level for plant-store\.service: ([\d.]+)/.exec(stdout) ?? [];
    // From 0 to 10; each version of systemd looks at a little more than the one before.
    expect(Number(rating)).toBeLessThan(2);
  });
});
