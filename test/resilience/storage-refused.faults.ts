import { expect, test } from '@jest/globals';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workplaceOfEachTest } from '../support/cli.ts';
import { reportFault } from '../support/faults.ts';
import { UNHARMED } from '../support/ledger.ts';
import { stock } from '../support/stock.ts';

const place = workplaceOfEachTest();

/** Root may write everywhere, so the server runs as another user, for ten seconds at most. */
const AS_NOBODY = process.getuid?.() === 0 ? 'setpriv --reuid=65534 --regid=65534 --clear-groups' : '';
const SERVE = `exec timeout 10 ${AS_NOBODY} '${process.execPath}' "$CLI"`;

test.each([
  ['a database file that is read-only', 0o444, 0o777],
  ['a database in a folder that is read-only', 0o666, 0o555],
])('%s is refused at the start with one line and left as it is', async (fault, fileMode, folderMode) => {
  const { file } = await stock(place, 100);
  const before = await readFile(file);
  await chmod(place.folder, 0o755);
  await chmod(file, fileMode);
  await chmod(join(place.folder, 'data'), folderMode);
  if ((await place.shell(`${SERVE} --version`)).code !== 0) {
    await reportFault({
      fault,
      skipped: 'needs a user who is not root, or setpriv and a program that nobody can read',
    });
    return;
  }
  const { code, stdout, stderr } = await place.shell(SERVE);
  // So that it can be removed.
  await place.shell('chmod -R u+rwX .');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^The database [^\n]+ cannot be opened: [^\n]+\n$/);
  expect(stderr).toContain(file);
  expect((await readFile(file)).equals(before)).toBe(true);
  await reportFault({ fault, happened: 'one line, exit 1, the file unchanged', ...UNHARMED });
});
