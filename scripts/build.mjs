/** `npm run build`: compiles the service into dist/ and the client into src/client/dist/. */
import { Command } from 'commander';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc');

const program = new Command('npm run build --')
  .description('Compiles the service into dist/ and the client into src/client/dist/.')
  .option('--service', 'compile the service alone, as the container image does')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .allowExcessArguments(false)
  .parse();

buildService();
if (program.opts().service !== true) buildClient();

function buildService() {
  rmSync(new URL('dist', ROOT), { recursive: true, force: true });
  compile('tsconfig.build.json');
  cpSync(new URL('src/docs/page/', ROOT), new URL('dist/docs/page/', ROOT), { recursive: true });
  chmodSync(new URL('dist/cli.js', ROOT), 0o755);
}

function buildClient() {
  const client = new URL('src/client/', ROOT);
  rmSync(new URL('dist', client), { recursive: true, force: true });
  compile('src/client');
  cpSync(new URL('generated/openapi.d.ts', ROOT), new URL('dist/generated/openapi.d.ts', client));
  cpSync(new URL('LICENSE', ROOT), new URL('dist/LICENSE', client));
}

/** @param {string} project */
function compile(project) {
  execFileSync(process.execPath, [TSC, '-p', project], { cwd: fileURLToPath(ROOT), stdio: 'inherit' });
}
