import { spawn, spawnSync } from 'node:child_process';
import { once as finished } from 'node:events';
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../test/support/command-line.ts';

const ROOT = new URL('../', import.meta.url);
const TSX = fileURLToPath(import.meta.resolve('tsx/cli'));

const { once } = commandLine(
  'npm run dev --',
  'Regenerates and serves, anew after every edit of src/ and *.yaml. After an error it waits for the next edit.',
)
  .option('--once', 'without waiting for edits', false)
  .parse()
  .opts<{ once: boolean }>();
await (once ? serve() : watch());

/** Runs this script again after every edit. */
async function watch(): Promise<void> {
  // It watches only what was imported, which src/ is not while the contract is broken.
  const watched = ['--clear-screen=false', '--include', '*.yaml', '--include', 'src/**/*.ts'];
  const child = spawn(process.execPath, [TSX, 'watch', ...watched, 'scripts/dev.ts', '--once'], { stdio: 'inherit' });
  // Ctrl-C reaches the child too, which stops the server first.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  await finished(child, 'close');
}

/** Generates if need be, then serves in this process. Types are left to the editor. */
async function serve(): Promise<void> {
  const sources = ['src/config.ts', ...readdirSync(ROOT).filter((name) => name.endsWith('.yaml'))];
  const generated = readdirSync(new URL('generated/', ROOT)).map((name) => `generated/${name}`);
  if (lastEdit(sources) > lastEdit(generated)) {
    const now = new Date();
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/generate.ts'], { stdio: 'inherit' });
    if (status !== 0) process.exit(1);
    // A file that stays as it is was generated now too: the next edit of src/ needs no generation.
    utimesSync(new URL('generated/openapi.d.ts', ROOT), now, now);
  }
  process.argv.splice(2, Infinity, 'serve');
  await import('../src/cli.ts');
}

/** When one of these files was written last, in milliseconds. */
function lastEdit(files: readonly string[]): number {
  return Math.max(...files.map((name) => statSync(new URL(name, ROOT)).mtimeMs));
}
