import { transform, transformSync } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** esbuild strips the types of a test file, as tsx does for scripts. Node itself has the target. */
const OPTIONS = { loader: 'ts', format: 'esm', target: 'es2023', sourcemap: 'external' };
const OWN_TEXT = readFileSync(new URL(import.meta.url));

/**
 * Jest's transformer: https://jestjs.io/docs/code-transformation. Its output names no folder, so
 * that copies of the project in which tests run share the cache.
 */
export default {
  process: (text, file) => transformSync(text, { ...OPTIONS, sourcefile: basename(file) }),
  processAsync: (text, file) => transform(text, { ...OPTIONS, sourcefile: basename(file) }),
  getCacheKey: (text, file) =>
    createHash('sha256')
      .update(OWN_TEXT)
      .update(`\0${basename(file)}\0`)
      .update(text)
      .digest('hex'),
};
