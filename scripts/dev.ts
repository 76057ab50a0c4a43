import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../src/errors.ts';
import { commandLine } from 'test-support/command-line.ts';
import { Edits } from './dev/edits.ts';
import { Generator } from './dev/generator.ts';
import { Server } from './dev/server.ts';
import { TypeErrors } from './dev/type-errors.ts';

const ROOT = new URL('../', import.meta.url);
/** The generated file whose time is that of all. */
const TYPES = new URL('generated/openapi.d.ts', ROOT);
/** The sources of the packages. */
const PACKAGES = ['openapi-exact', 'openapi-exact-cli', 'openapi-exact-reference', 'plant-store-client'].map(
  (name) => `packages/${name}/src`,
);
/** The tables of error codes, which info.description shows, among other code. */
const ERROR_TABLES = ['src/errors.ts', 'src/plants/handlers.ts'];

commandLine(
  'npm run dev --',
  'Regenerates, serves and shows type errors, anew after every edit of src/, packages/ and *.yaml.',
).parse();
process.chdir(fileURLToPath(ROOT));
const edits = new Edits(fileURLToPath(ROOT), ['src', ...PACKAGES]);
let errorTables = errorCodes();
const generator = new Generator(generatorVersion());
const server = new Server();
const typeErrors = new TypeErrors();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
for (;;) {
  // A service that is starting would read what is edited now, and repeat what is wrong with it.
  if (!server.isReady) await server.stop();
  await follow().catch((error: unknown) => {
    // An editor may have removed a file and written it again since, which is followed next.
    if (edits.hasNext) return;
    console.error(messageOf(error));
    announceWait();
  });
  await edits.next();
}

/** Serves the current sources, unless the contract is wrong. */
async function follow(): Promise<void> {
  if (isContractEdited() && !(await generate())) return;
  typeErrors.show();
  await server.restart();
}

/** @returns whether the contract can be served. */
async function generate(): Promise<boolean> {
  console.log('generating…');
  const [now, codes] = [new Date(), errorCodes()];
  if (await generator.generate(generatorVersion())) {
    // A file that stays unchanged was generated now too: the next edit of src/ needs no generation.
    utimesSync(TYPES, now, now);
    errorTables = codes;
    return true;
  }
  console.error('openapi.yaml cannot be served: see above.');
  announceWait();
  return false;
}

/** Says what is served until an edit that corrects the project. */
function announceWait(): void {
  const state = server.isReady ? 'The last good service goes on until' : 'The service starts after';
  console.error(`${state} an edit that corrects it.`);
}

/** Whether anything that the generated files and the contract follow was edited after them. */
function isContractEdited(): boolean {
  const sources = ['src/config.ts', ...filesIn('').filter((name) => name.endsWith('.yaml')), ...packageFiles()];
  return lastEdit(sources) > lastGeneration() || errorCodes() !== errorTables;
}

/** Differs when code that the generator keeps loaded was edited. */
function generatorVersion(): string {
  return `${lastEdit(['src/config.ts', ...packageFiles()])} ${errorCodes()}`;
}

function packageFiles(): readonly string[] {
  return PACKAGES.flatMap((folder) => filesIn(folder).filter((name) => name.endsWith('.ts')));
}

/** The paths of the files in a folder; '' means the project, without its folders. */
function filesIn(folder: string): readonly string[] {
  const names = readdirSync(new URL(folder, ROOT), { recursive: folder !== '', encoding: 'utf8' });
  return names.map((name) => (folder === '' ? name : `${folder}/${name}`));
}

/** The rows of the error tables in the code. */
function errorCodes(): string {
  const text = ERROR_TABLES.map((name) => readFileSync(new URL(name, ROOT), 'utf8')).join('\n');
  return (text.match(/\bcode: [^}]*/g) ?? []).join('\n');
}

/** When one of these files was last written or moved (which changes ctime), in milliseconds. */
function lastEdit(files: readonly string[]): number {
  return Math.max(...files.map((name) => statSync(new URL(name, ROOT)).ctimeMs));
}

/** When the generated files were made last, in milliseconds; 0 without them. */
function lastGeneration(): number {
  return statSync(TYPES, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function stop(): Promise<void> {
  typeErrors.stop();
  await server.stop();
  process.exit();
}
