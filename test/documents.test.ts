import { describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAX_KEYS } from '../src/auth/fixed-window.ts';
import { readConfig } from '../src/config.ts';
import { LIMITS } from '../src/http/limits.ts';
import { MAX_WAIT, MAX_WAITING } from '../src/stores/batches.ts';
import { BUSY_TIMEOUT } from '../src/stores/sqlite/database.ts';
import { documentNames, readProjectFile, tableOf } from 'test-support/readme.ts';

const DOCUMENTS = await documentNames();

/**
 * The folders whose files are named in text. What a build or a run makes in them is not checked.
 */
const FOLDERS = ['src', 'test', 'scripts', 'generated', 'docs', 'deploy', '.github', '.ci'];

/** The parts of package.json that are read; npm has checked their form. */
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

const MANIFEST = JSON.parse(await readProjectFile('package.json')) as Manifest;

function exists(path: string): boolean {
  return existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url)));
}

/** A document without its code blocks. */
async function proseOf(name: string): Promise<string> {
  return (await readProjectFile(name)).replaceAll(/^ *```.*?^ *```$/gms, '');
}

/** The anchors of a document's headings, as GitHub makes them. */
async function anchorsOf(name: string): Promise<string[]> {
  const headings = [...(await proseOf(name)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(DOCUMENTS)('%s', (name) => {
  test('has no dead link', async () => {
    const links = [...(await proseOf(name)).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link);
    const dead: string[] = [];
    for (const link of links) {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? name : join(dirname(name), path);
      if (!exists(target) || (anchor !== undefined && !(await anchorsOf(target)).includes(anchor))) dead.push(link);
    }
    expect(dead).toEqual([]);
  });

  test('names no file of the project that does not exist', async () => {
    const text = await proseOf(name);
    const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.@-]+)*\/?)`/g)].map(([, path = '']) => path);
    const own = named.filter((path) => FOLDERS.includes(path.split('/')[0] ?? '') && path.includes('/'));
    expect(own.filter((path) => !exists(path))).toEqual([]);
  });

  test('names no script that package.json does not have', async () => {
    const commands = (await readProjectFile(name)).matchAll(/\bnpm (?:run (?:--silent )?([\w:-]+)|(test|start)\b)/g);
    const named = [...commands].map(([, run, short]) => run ?? short ?? '');
    expect(named.filter((script) => !(script in MANIFEST.scripts))).toEqual([]);
  });
});

test('README.md leads to every other document', async () => {
  const readme = await readProjectFile('README.md');
  expect(DOCUMENTS.filter((name) => name !== 'README.md' && !readme.includes(`](${name})`))).toEqual([]);
});

test('docs/api.md has the limits of the service', async () => {
  const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;
  const count = (number: number): string => number.toLocaleString('en');
  const table = await tableOf('docs/api.md', 'Limits');
  expect(table.map(([, value]) => value)).toEqual([
    `${LIMITS.maxHeaderSize / 1024} KiB`,
    count(LIMITS.maxHeaders),
    // The defaults of openapi-exact.
    '256 KiB; 1 MiB',
    `${seconds(LIMITS.headersTimeout)}; ${seconds(LIMITS.requestTimeout)}`,
    count(LIMITS.maxSmallParts),
    `${LIMITS.maxRest / 1024} KiB`,
    seconds(LIMITS.keepAliveTimeout),
    count(LIMITS.maxPipelinedRequests),
    seconds(LIMITS.maxWait),
    seconds(LIMITS.timeout),
    seconds(LIMITS.handlerTimeout),
    count(LIMITS.maxRequestsPerSocket),
    count(LIMITS.maxConnections),
    count(readConfig({}).connectionsPerClient),
    `${count(MAX_KEYS)} each`,
    `${count(MAX_WAITING)} each, for ${seconds(MAX_WAIT)}`,
    seconds(BUSY_TIMEOUT),
  ]);
  expect(table.flat().join()).toContain(` of less than ${LIMITS.smallPart} bytes on average`);
});

test('docs/architecture.md names every folder of src/, and has a reason for each dependency', async () => {
  const entries = await readdir(new URL('../src', import.meta.url), { withFileTypes: true });
  const text = await readProjectFile('docs/architecture.md');
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `\`src/${name}/\``);
  expect(folders.filter((folder) => !text.includes(folder))).toEqual([]);
  const names = (await tableOf('docs/architecture.md', 'Dependencies')).map(([name]) => name);
  const { dependencies, optionalDependencies } = MANIFEST;
  expect(names).toEqual([...Object.keys(dependencies), ...Object.keys(optionalDependencies)].sort());
});
