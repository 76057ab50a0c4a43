import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** The minified client for a page: gzipped bytes of its first files, and the text of all. */
async function bundle(splitting: boolean): Promise<{ first: number; text: string }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../../src/client.ts', import.meta.url))],
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser', target: 'es2022' },
    ...{ splitting, outdir: 'page', metafile: true },
  });
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const loaded = new Set(['client.js']);
  // A set takes new members while it is iterated.
  for (const name of loaded) {
    for (const { kind, path } of outputs.get(name)?.imports ?? []) {
      if (kind === 'import-statement') loaded.add(basename(path));
    }
  }
  const files = outputFiles.filter(({ path }) => loaded.has(basename(path)));
  return {
    first: files.reduce((bytes, { contents }) => bytes + gzipSync(contents).length, 0),
    text: outputFiles.map(({ text }) => text).join(''),
  };
}

test('a page loads at most 15 kB of the client for its first calls, minified and with gzip', async () => {
  const { first } = await bundle(true);
  expect(first).toBeLessThanOrEqual(15_000);
  expect(first).toBeGreaterThan(5_000);
});

test('the whole client in one file has at most 21.8 kB, and nothing of Node.js', async () => {
  const { first, text } = await bundle(false);
  expect(first).toBeLessThanOrEqual(21_800);
  expect(text).not.toMatch(/node:/);
});
