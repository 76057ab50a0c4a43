/**
 * Joins the program and the packages it needs into few files, `dist/cli.js` and those it loads in `dist/chunks/`: a start finds and reads 30 files in
 * place of 600, and takes two thirds of the time (`npm run bench -- --only start`). Maps lead from them to the sources
 * (`node --enable-source-maps`); the licences of the packages stand in `dist/licenses.txt`.
 */
import { build } from 'esbuild';
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(PROJECT, 'dist');

/** Packages that are loaded as they are: one has a native part, the others are optional for pg and debug and not to be there. */
const EXTERNAL = ['better-sqlite3', 'pg-native', 'supports-color'];

const { metafile } = await build({
  absWorkingDir: PROJECT,
  entryPoints: ['src/cli.ts'],
  outdir: 'dist',
  // As deep as the folders of src/: what stands in those finds the contract and the page from here as from there.
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
  // Indentation is a quarter of what would have to be read. Lines stay short: Node shows the one in which a program fails. Where names collide
  // one gets a number; `keepNames` would take a twelfth of a start.
  minifyWhitespace: true,
  lineLimit: 160,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});
await chmod(join(DIST, 'cli.js'), 0o755);
await mkdir(join(DIST, 'docs'), { recursive: true });
await copyFile(join(PROJECT, 'src/docs/page.js'), join(DIST, 'docs/page.js'));
await writeFile(join(DIST, 'licenses.txt'), await licenses(Object.keys(metafile.inputs)));
await sweep(new Set([...Object.keys(metafile.outputs), 'dist/docs/page.js', 'dist/licenses.txt']));

/** The name, version and licence of each package that any of these files belongs to. */
async function licenses(files: readonly string[]): Promise<string> {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []);
  const texts = await Promise.all(
    [...new Set(folders)].sort().map(async (folder) => {
      const path = join(PROJECT, folder);
      // npm has checked its form.
      const { name, version, license } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as Manifest;
      const file = (await readdir(path)).find((one) => /^(?:licen[cs]e|copying)/i.test(one));
      const text = file === undefined ? '' : `\n\n${(await readFile(join(path, file), 'utf8')).trim()}`;
      return `${name} ${version}: ${license}${text}\n`;
    }),
  );
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** What is read of a package.json. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** Removes what an earlier build has left. It goes last: a service that still runs finds whatever did not change. */
async function sweep(kept: ReadonlySet<string>): Promise<void> {
  const entries = await readdir(DIST, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(PROJECT.length).replaceAll('\\', '/');
    // The client is made by the compiler.
    if (!kept.has(name) && !name.startsWith('dist/client/')) await rm(path);
  }
}
