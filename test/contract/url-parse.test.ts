import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

test("url.parse has given its warning unseen, and others' deprecations are shown as before", async () => {
  const module = new URL('../../src/contract/url-parse.ts', import.meta.url).href;
  const script = `
    import { parse } from 'node:url';
    import { warnOfUrlParse } from ${JSON.stringify(module)};
    await Promise.all([warnOfUrlParse(), warnOfUrlParse()]);
    parse('/x');
    process.emitWarning('old', 'DeprecationWarning', 'OTHER');`;
  // In a process of its own: what was warned of once is not warned of again.
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    // Without the options of the tests, which show no warnings.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^\(node:\d+\) \[OTHER\] DeprecationWarning: old\n/);
  expect(stderr).not.toContain('url.parse');
});
