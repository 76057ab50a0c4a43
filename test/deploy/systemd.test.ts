import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isInstalled } from '../support/installed.ts';
import { readProjectFile } from 'test-support/readme.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

const analyze = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)('systemd-analyze', args);

(isInstalled('systemd-analyze') ? test : test.skip)(
  'systemd knows all that the unit says, and scores its exposure low',
  () =>
    inTemporaryFolder('systemd', async (folder) => {
      const unit = join(folder, 'plant-store.service');
      const text = await readProjectFile('deploy/systemd/plant-store.service');
      // systemd looks whether the program is there.
      await writeFile(unit, text.replace('/usr/bin/node', process.execPath));
      const { stdout, stderr } = await analyze('verify', '--man=no', unit);
      // It speaks of the machine's own units too.
      expect((stdout + stderr).split('\n').filter((line) => line.includes('plant-store.service'))).toEqual([]);
      const score = await analyze('security', '--offline=true', '--no-pager', unit);
      const [, rating] = /Overall exposure level for plant-store\.service: ([\d.]+)/.exec(score.stdout) ?? [];
      // From 0 to 10; each version of systemd looks at a little more than the one before.
      expect(Number(rating)).toBeLessThan(2);
    }),
);
