import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../test/support/command-line.ts';

const TSX = fileURLToPath(import.meta.resolve('tsx/cli'));
const program = commandLine(
  'npm run dev --',
  'Regenerates and serves, anew after every edit of src/ and *.yaml. After an error it waits for the next edit.',
).option('--once', 'without waiting for edits');
const { once = false } = program.parse().opts<{ once?: boolean }>();
if (once) await serve();
else watch();

/** Runs this script again after every edit. */
function watch(): void {
  const args = [TSX, 'watch', '--clear-screen=false', '--include', '*.yaml', 'scripts/dev.ts', '--once'];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  // Ctrl-C reaches the child too, which stops the server first.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.on('close', () => process.exit(0));
}

/** Regenerates and starts the server in this process. Types are left to the editor. */
async function serve(): Promise<void> {
  const { status } = spawnSync(process.execPath, [TSX, 'scripts/generate.ts'], { stdio: 'inherit' });
  if (status !== 0) {
    process.exitCode = 1;
    return;
  }
  process.argv.splice(2, Infinity, 'serve');
  await import('../src/cli.ts');
}
