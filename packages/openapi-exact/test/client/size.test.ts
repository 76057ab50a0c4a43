import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

test('the client has at most 18.5 kB for a page, minified and with gzip, and nothing of Node.js', async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../src/client.ts', import.meta.url))],
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser', target: 'es2022' },
  });
  const [bundle] = outputFiles;
  expect(gzipSync(bundle?.contents ?? '').length).toBeLessThanOrEqual(18_500);
  expect(bundle?.text.length).toBeGreaterThan(10_000);
  expect(bundle?.text).not.toMatch(/node:/);
});
