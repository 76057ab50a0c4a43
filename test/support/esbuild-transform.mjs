import { transform, transformSync } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** esbuild strips the types of a test file, as tsx does for scripts. Node itself has the target. */
const OPTIONS = { loader: 'ts', format: 'esm', target: 'es2023', sourcemap: 'external' };
const OWN_TEXT = readFileSync(new URL(import.meta.url));

/** Jest's transformer: https://jestjs.io/docs/code-transformation */
export default {
  process: (text, file) => transformSync(text, { ...OPTIONS, sourcefile: file }),
  processAsync: (text, file) => transform(text, { ...OPTIONS, sourcefile: file }),
  getCacheKey: (text, file) => createHash('sha256').update(OWN_TEXT).update(`\0${file}\0`).update(text).digest('hex'),
};
