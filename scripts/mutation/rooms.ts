import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeEdits } from './code-edits.ts';
import { contractEdits } from './contract-edits.ts';
import { mutantsOf, type Mutant } from './mutant.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** A part of the project whose mutants the same checks must notice. */
interface Room {
  readonly name: string;
  /** Files and folders. */
  readonly paths: readonly string[];
  /** As in `Mutant`, the fastest first. */
  readonly noticedBy: readonly string[];
}

const OPERATIONS = 'test/contract/operations.test.ts';
const SERVICE: readonly Room[] = [
  { name: 'contract', paths: ['openapi.yaml'], noticedBy: ['lint', 'types', 'contract:diff', OPERATIONS] },
  { name: 'plants', paths: ['src/plants', 'src/app.ts'], noticedBy: ['test/contract/', 'test/logging/'] },
  {
    name: 'stores',
    paths: ['src/stores/batches.ts', 'src/stores/group-commit.ts', 'src/stores/sqlite'],
    noticedBy: ['test/stores/(group-commit|sqlite|linearizability)', OPERATIONS, 'test/commands/restore'],
  },
  {
    name: 'postgres',
    paths: ['src/stores/postgres'],
    noticedBy: ['test/stores/(postgres|observed-commits|migrations|statement-faults)'],
  },
  { name: 'auth', paths: ['src/auth'], noticedBy: ['test/auth/', 'test/contract/', 'test/commands/(tokens|identity)'] },
  { name: 'http', paths: ['src/http'], noticedBy: ['test/http/(?!cors)', 'test/contract/limits'] },
  { name: 'logging', paths: ['src/logging'], noticedBy: ['test/logging/', 'test/commands/logs'] },
  { name: 'admin', paths: ['src/admin'], noticedBy: ['test/admin/'] },
  { name: 'import', paths: ['src/import'], noticedBy: ['test/import/', 'test/commands/plants'] },
];

const SOURCES = 'packages/openapi-exact/src';
const TESTS = 'packages/openapi-exact/test';
const LIBRARY: readonly Room[] = [
  library('server', 'lifecycle|mounting|misuse|undefined-options|unhandled|unexpected|context|error-bodies'),
  library('security', 'security|lifecycle|messages'),
  library('parameters', 'parameter|composed-fields|undeclared-query|messages'),
  library('bodies', 'multipart|media-types|related-parts|streams|undeclared-properties|lifecycle|keep-bytes'),
  library('response', 'lifecycle|media-types|error-bodies|early-responses|streams|default-responses|messages'),
  library('validation', 'schemas|messages|stand-ins|faults|exact-json|oracle|two-ways'),
  library('schema', 'schemas|messages|exact-json|oracle|composed-fields|undeclared-properties|two-ways'),
  library('json', 'exact-json|messages|mixed-numbers|faults|two-ways'),
  library('document', 'document|contract-sources|yaml-positions|not-served|version-3.2|messages'),
  library('client', 'client/'),
];

/** A room of the library, and the beginnings of the names of its tests. */
function library(name: string, tests: string): Room {
  return { name, paths: [`${SOURCES}/${name}`], noticedBy: [`${TESTS}/(${tests})`] };
}

const ROOMS: readonly Room[] = [...SERVICE, ...LIBRARY];

/** The names of the rooms, and the one of the mutants that are written by hand. */
export const ROOM_NAMES: readonly string[] = [...ROOMS.map(({ name }) => name), 'by-hand'];

/** All mutants that are made from syntax trees. */
export async function madeMutants(): Promise<Mutant[]> {
  return (await Promise.all(ROOMS.map(mutantsIn))).flat();
}

async function mutantsIn({ name: room, paths, noticedBy }: Room): Promise<Mutant[]> {
  const files = (await Promise.all(paths.map(filesIn))).flat().sort();
  const mutants = files.map(async (file) => {
    const text = await readFile(join(PROJECT, file), 'utf8');
    return mutantsOf({ room, file, noticedBy }, text, file.endsWith('.yaml') ? contractEdits(text) : codeEdits(text));
  });
  return (await Promise.all(mutants)).flat();
}

async function filesIn(path: string): Promise<string[]> {
  if (/\.\w+$/.test(path)) return [path];
  const names = await readdir(join(PROJECT, path), { recursive: true });
  return names.filter((name) => name.endsWith('.ts')).map((name) => `${path}/${name}`);
}
