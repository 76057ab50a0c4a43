import { readdirSync, statSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../test/support/command-line.ts';
import { Edits } from './dev/edits.ts';
import { Generator } from './dev/generator.ts';
import { Server } from './dev/server.ts';
import { TypeErrors } from './dev/type-errors.ts';

const ROOT = new URL('../', import.meta.url);

commandLine(
  'npm run dev --',
  'Regenerates, serves and shows type errors, anew after every edit of src/ and *.yaml.',
).parse();
process.chdir(fileURLToPath(ROOT));
const edits = new Edits(fileURLToPath(ROOT));
const generator = new Generator();
const server = new Server();
const typeErrors = new TypeErrors();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
for (;;) {
  await follow();
  await edits.next();
}

/** Serves the sources as they are, unless the contract is wrong. */
async function follow(): Promise<void> {
  if (isContractEdited() && !(await generate())) return;
  typeErrors.show();
  await server.restart();
}

/** @returns whether the contract can be served. */
async function generate(): Promise<boolean> {
  console.log('generating…');
  const now = new Date();
  if (await generator.generate()) {
    // A file that stays as it is was generated now too: the next edit of src/ needs no generation.
    utimesSync(new URL('generated/openapi.d.ts', ROOT), now, now);
    return true;
  }
  const state = server.isRunning ? 'The last good service goes on until' : 'The service starts after';
  console.error(`openapi.yaml cannot be served: see above. ${state} an edit that corrects it.`);
  return false;
}

/** Whether anything that the generated files follow was written after them. */
function isContractEdited(): boolean {
  const sources = ['src/config.ts', ...readdirSync(ROOT).filter((name) => name.endsWith('.yaml'))];
  const generated = readdirSync(new URL('generated/', ROOT)).map((name) => `generated/${name}`);
  return lastEdit(sources) > lastEdit(generated);
}

/** When one of these files was written last, in milliseconds. */
function lastEdit(files: readonly string[]): number {
  return Math.max(...files.map((name) => statSync(new URL(name, ROOT)).mtimeMs));
}

async function stop(): Promise<void> {
  typeErrors.stop();
  await server.stop();
  process.exit();
}
