import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once as finished } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readContract, type Contract } from '../src/contract/document/load.ts';
import { commandLine } from '../test/support/command-line.ts';
import { inTemporaryFolder } from '../test/support/temporary-folder.ts';

const TSX = fileURLToPath(import.meta.resolve('tsx/cli'));
const CONTRACT = new URL('../openapi.yaml', import.meta.url);
const SETTINGS = new URL('../src/config.ts', import.meta.url);
/** Names the file that remembers what was generated from, while edits are watched. */
const { DEV_GENERATED_FROM: memory } = process.env;

const { once } = commandLine(
  'npm run dev --',
  'Regenerates and serves, anew after every edit of src/ and *.yaml. After an error it waits for the next edit.',
)
  .option('--once', 'without waiting for edits', false)
  .parse()
  .opts<{ once: boolean }>();
if (!once) await inTemporaryFolder('dev', watch);
else {
  await serve();
  if (memory !== undefined) console.log('watching, Ctrl-C stops');
}

/** Runs this script again after every edit. @param folder for what is remembered. */
async function watch(folder: string): Promise<void> {
  // It watches only what was imported, which src/ is not while a handler is missing.
  const watched = ['--clear-screen=false', '--include', '*.yaml', '--include', 'src/**/*.ts'];
  const child = spawn(process.execPath, [TSX, 'watch', ...watched, 'scripts/dev.ts', '--once'], {
    stdio: 'inherit',
    env: { ...process.env, DEV_GENERATED_FROM: join(folder, 'generated-from') },
  });
  // Ctrl-C reaches the child too, which stops the server first.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  await finished(child, 'close');
}

/**
 * Shows the missing handlers, regenerates if need be and starts the server in this process. Types
 * are left to the editor.
 */
async function serve(): Promise<void> {
  // The generation tells what is wrong with a contract that cannot be served.
  const read = await readContract(CONTRACT).catch(() => undefined);
  const contract = read?.refusals.length === 0 ? read.contract : undefined;
  const missing = contract === undefined ? [] : await handlersMissedBy(contract);
  for (const line of missing) console.error(line);
  const source = contract && digest(contract);
  const known = memory !== undefined && existsSync(memory) ? readFileSync(memory, 'utf8') : undefined;
  if (source === undefined || source !== known) {
    const generate = ['--import', 'tsx', 'scripts/generate.ts', '--quiet'];
    const { status } = spawnSync(process.execPath, generate, { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
    else if (memory !== undefined && source !== undefined) writeFileSync(memory, source);
  }
  if (missing.length > 0) process.exitCode = 1;
  if (process.exitCode === 1) return;
  process.argv.splice(2, Infinity, 'serve');
  await import('../src/cli.ts');
}

/** Loads the search for missing handlers only where it is needed, since it brings a compiler. */
async function handlersMissedBy(contract: Contract): Promise<readonly string[]> {
  const { missingHandlers } = await import('./generate/missing-handlers.ts');
  return missingHandlers(contract);
}

/** Identifies what files are generated from. */
function digest({ sources }: Contract): string {
  const texts = [...sources.texts.values(), readFileSync(SETTINGS, 'utf8')];
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}
