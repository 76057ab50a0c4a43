/**
 * Joins the program and the packages it needs into few files, `dist/cli.js` and those it loads in `dist/chunks/`: a start finds and reads 30 files in
 * place of 700, and takes two thirds of the time (`npm run bench -- --only start`). Maps lead from them to the sources
 * (`node --enable-source-maps`).
 */
import { build } from 'esbuild';
import { chmod, copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Packages that are loaded as they are: one has a native part, the other is optional for pg and not installed. */
const EXTERNAL = ['better-sqlite3', 'pg-native'];

const { metafile } = await build({
  entryPoints: ['src/cli.ts'],
  outdir: 'dist',
  // Beside the folders of the client and the page: what stands in src/*/ finds them, and the contract, from here as from there.
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: EXTERNAL,
  // Packages in CommonJS ask for modules of Node.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
  // Indentation is a quarter of what would have to be read; names stay, for stacks.
  minifyWhitespace: true,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});
await chmod('dist/cli.js', 0o755);
await mkdir('dist/docs', { recursive: true });
await copyFile('src/docs/page.js', 'dist/docs/page.js');
// What an earlier build has left goes last: a service that still runs finds whatever did not change.
for (const name of await readdir('dist/chunks')) {
  if (!(`dist/chunks/${name}` in metafile.outputs)) await rm(join('dist/chunks', name));
}
