/** `npm run build`: compiles the service into dist/ and the client into src/client/dist/. */
import { Command } from 'commander';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
const TSC = fileURLToPath(new URL('node_modules/typescript/bin/tsc', ROOT));

const program = new Command('npm run build --')
  .description('Compiles the service into dist/ and the client into src/client/dist/.')
  .option('--service', 'compile the service alone, as the container image does')
  .option('--no-types', 'do not check the types of the service, as `npm test` does that beside the build')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .allowExcessArguments(false)
  .parse();

const { service, types } = program.opts();
build(types ? ['tsconfig.build.json'] : ['tsconfig.build.json', '--noCheck'], ROOT, (dist) => {
  cpSync(new URL('src/docs/page/', ROOT), join(dist, 'docs/page'), { recursive: true });
  chmodSync(join(dist, 'cli.js'), 0o755);
});
if (service !== true) {
  build(['src/client'], new URL('src/client/', ROOT), (dist) => {
    cpSync(new URL('generated/openapi.d.ts', ROOT), join(dist, 'generated/openapi.d.ts'));
    cpSync(new URL('LICENSE', ROOT), join(dist, 'LICENSE'));
  });
}

/**
 * Compiles into a new folder, then renames it to dist/, for programs that run from there.
 * @param {string[]} project its file, and options of the compiler
 * @param {URL} folder where dist/ is
 * @param {(dist: string) => void} finish
 */
function build(project, folder, finish) {
  const temporary = mkdtempSync(fileURLToPath(new URL('dist-', ROOT)));
  const [made, old] = [join(temporary, 'new'), join(temporary, 'old')];
  const dist = fileURLToPath(new URL('dist', folder));
  try {
    execFileSync(process.execPath, [TSC, '-p', ...project, '--outDir', made], {
      cwd: fileURLToPath(ROOT),
      stdio: 'inherit',
    });
    finish(made);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(made, dist);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
