/** `npm run build`: compiles each package into its dist/, and the service into dist/. */
import { Command } from 'commander';
import { buildSync } from 'esbuild';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashInputs, isBuilt, noteBuild } from './built-inputs.mjs';

const ROOT = new URL('../', import.meta.url);
// TypeScript 7 compiles ten times faster; openapi-typescript needs the interface of version 5.
const TSC = fileURLToPath(new URL('node_modules/typescript-7/bin/tsc', ROOT));

const program = new Command('npm run build --')
  .description('Compiles each package into its dist/, and the service into dist/.')
  .option('--service', 'the service and what it is installed with, as the container image has them')
  .option('--if-changed', 'build nothing when no source has changed since the last build')
  .option('--no-types', 'do not check the types of the service, as `npm test` does that beside the build')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .allowExcessArguments(false)
  .parse();

const { service, types, ifChanged } = program.opts();
const parts = service === true ? 'service' : 'all';
/** @type {string[]} */
const built = [];
const inputs = hashInputs();
if (ifChanged === true) {
  if (isBuilt(inputs, parts)) process.exit();
  console.error('Building the plant store, which takes up to 20 seconds …');
}

build(['packages/openapi-exact'], new URL('packages/openapi-exact/', ROOT), bundleExports);
build(['packages/openapi-exact-reference'], new URL('packages/openapi-exact-reference/', ROOT), (dist) => {
  cpSync(new URL('packages/openapi-exact-reference/src/page/', ROOT), join(dist, 'page'), { recursive: true });
});
if (service !== true) {
  build(['packages/openapi-exact-cli/tsconfig.build.json'], new URL('packages/openapi-exact-cli/', ROOT), (dist) => {
    chmodSync(join(dist, 'cli.js'), 0o755);
  });
}
build(types ? ['tsconfig.build.json'] : ['tsconfig.build.json', '--noCheck'], ROOT, (dist) => {
  chmodSync(join(dist, 'cli.js'), 0o755);
});
if (service !== true) {
  build(['packages/plant-store-client'], new URL('packages/plant-store-client/', ROOT), (dist) => {
    cpSync(new URL('generated/openapi.d.ts', ROOT), join(dist, 'generated/openapi.d.ts'));
    cpSync(new URL('LICENSE', ROOT), join(dist, 'LICENSE'));
    for (const name of ['generated/shapes', 'packages/plant-store-client/src/index']) bringClient(dist, name);
  });
}
noteBuild({ hash: inputs, parts, folders: built });

/**
 * Makes a module and its types import the client of openapi-exact that was compiled beside them.
 * @param {string} dist
 * @param {string} name of the module, without extension
 */
function bringClient(dist, name) {
  const target = relative(dirname(name), 'packages/openapi-exact/src/client.js');
  for (const file of [`${name}.js`, `${name}.d.ts`].map((path) => join(dist, path))) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll("'openapi-exact/client'", `'${target}'`));
  }
}

/**
 * Bundles the modules that openapi-exact exports, which share what they have in common: a start
 * reads ten files instead of 150. The types stay unchanged, and so do dependencies.
 * @param {string} dist
 */
function bundleExports(dist) {
  const manifest = readFileSync(new URL('packages/openapi-exact/package.json', ROOT), 'utf8');
  /** @type {{ exports: Record<string, string | { default: string }> }} */
  const { exports } = JSON.parse(manifest);
  const entryPoints = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : entry.default));
  const bundled = join(dist, 'bundled');
  buildSync({
    entryPoints: entryPoints.map((path) => join(dist, relative('dist', path))),
    outdir: bundled,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    logLevel: 'warning',
  });
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.js') && !name.startsWith('bundled')) rmSync(join(dist, name));
  }
  for (const name of readdirSync(bundled)) renameSync(join(bundled, name), join(dist, name));
  rmSync(bundled, { recursive: true });
}

/**
 * Compiles into a new folder, then renames it to dist/, for programs that run from there.
 * @param {string[]} project its file, and options of the compiler
 * @param {URL} folder where dist/ is
 * @param {(dist: string) => void} [finish]
 */
function build(project, folder, finish) {
  const temporary = mkdtempSync(fileURLToPath(new URL('dist-', ROOT)));
  const [made, old] = [join(temporary, 'new'), join(temporary, 'old')];
  const dist = fileURLToPath(new URL('dist', folder));
  try {
    const compile = [TSC, '-p', ...project, '--outDir', made];
    const { status } = spawnSync(process.execPath, compile, { cwd: fileURLToPath(ROOT), stdio: 'inherit' });
    if (status !== 0) {
      // The compiler has said why.
      rmSync(temporary, { recursive: true });
      process.exit(1);
    }
    finish?.(made);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(made, dist);
    built.push(relative(fileURLToPath(ROOT), dist));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
