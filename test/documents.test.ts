import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { MAX_KEYS } from '../src/auth/fixed-window.ts';
import { readConfig } from '../src/config.ts';
import { MAX_BODY } from '../src/contract/validation/json-body.ts';
import { LIMITS } from '../src/http/limits.ts';
import { MAX_WAITING } from '../src/stores/group-commit.ts';
import { BUSY_TIMEOUT } from '../src/stores/sqlite/database.ts';
import { MAX_HEADERS } from '../src/http/unambiguous.ts';
import { workplace, type Workplace } from './support/cli.ts';
import { readProjectFile, tableOf } from './support/readme.ts';

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs/configuration.md'];

/** The folders whose files are named in text; what is in them only after a build or a run is not looked for. */
const FOLDERS = ['src', 'test', 'scripts', 'generated', '.github', '.ci'];

/** The parts of package.json and package-lock.json that are read; npm has checked their form. */
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly license?: string }>>;
}

function exists(path: string): boolean {
  return existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url)));
}

describe.each(DOCUMENTS)('%s', (name) => {
  let text: string;
  beforeAll(async () => {
    text = await readProjectFile(name);
  });

  test('has no link to a file that is not there', () => {
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !exists(target))).toEqual([]);
  });

  test('names no file of the project that is not there', () => {
    const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.@-]+)*\/?)`/g)].map(([, path = '']) => path);
    const own = named.filter((path) => FOLDERS.includes(path.split('/')[0] ?? '') && path.includes('/'));
    expect(own.filter((path) => !exists(path))).toEqual([]);
  });

  test('names no script that package.json does not have', async () => {
    // npm has checked its form.
    const { scripts } = JSON.parse(await readProjectFile('package.json')) as Manifest;
    const named = [...text.matchAll(/\bnpm (?:run (?:--silent )?([\w:]+)|(test|start)\b)/g)].map(
      ([, run, short]) => run ?? short ?? '',
    );
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
    const files = [...text.matchAll(/\btsx (scripts\/[\w./-]+)/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !exists(file))).toEqual([]);
  });
});

test.each(['README.md', 'CONTRIBUTING.md'])('%s names every folder of src/', async (name) => {
  const entries = await readdir(new URL('../src', import.meta.url), { withFileTypes: true });
  const text = await readProjectFile(name);
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => `src/${entry.name}/`);
  expect(folders.filter((folder) => !text.includes(`\`${folder}`) && !text.includes(`[${folder}`))).toEqual([]);
});

test('README.md leads to every other document', async () => {
  const readme = await readProjectFile('README.md');
  expect(DOCUMENTS.filter((name) => name !== 'README.md' && !readme.includes(`](${name})`))).toEqual([]);
});

describe('README.md', () => {
  test('has the limits of the service', async () => {
    const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;
    const count = (number: number): string => number.toLocaleString('en');
    expect((await tableOf('Run it in production')).map(([what, value]) => [what, value])).toEqual([
      ['request line and headers', `${LIMITS.maxHeaderSize / 1024} KiB`],
      ['headers', count(MAX_HEADERS)],
      ['request body (operations that have one)', `${MAX_BODY / 2 ** 20} MiB`],
      [
        'time for the headers; for the whole request',
        `${seconds(LIMITS.headersTimeout)}; ${seconds(LIMITS.requestTimeout)}`,
      ],
      [
        `bodies in parts (chunks, segments) of less than ${LIMITS.smallPart} bytes on average`,
        count(LIMITS.maxSmallParts),
      ],
      ['the rest of a request that was answered already', `${LIMITS.maxRest / 1024} KiB`],
      ['idle connection', seconds(LIMITS.keepAliveTimeout)],
      ['requests that wait on one connection (pipelining)', count(LIMITS.maxPipelinedRequests)],
      ['the time that they wait', seconds(LIMITS.maxWait)],
      [
        'a client that takes nothing of its answers, or, with requests waiting or refused, none of them to its end',
        seconds(LIMITS.timeout),
      ],
      ['requests on one connection', count(LIMITS.maxRequestsPerSocket)],
      ['connections', `${count(LIMITS.maxConnections)} (328 MB of memory then)`],
      ['addresses with failed authentications, and tokens, counted at a time', `${count(MAX_KEYS)} each`],
      ['deletes that wait for a commit', `${count(MAX_WAITING)}, each 5 s`],
      ["another process holds the database's lock", seconds(BUSY_TIMEOUT)],
    ]);
  });

  test('has a row for each dependency, with the version and licence of the lock file', async () => {
    // npm has checked their form.
    const { dependencies } = JSON.parse(await readProjectFile('package.json')) as Manifest;
    const { packages } = JSON.parse(await readProjectFile('package-lock.json')) as Lock;
    const locked = Object.keys(dependencies).map((name) => {
      // passport-http-bearer is older than this field.
      const { version, license = 'MIT' } = packages[`node_modules/${name}`] ?? {};
      return [name, version, license];
    });
    expect((await tableOf('Dependencies')).map((row) => row.slice(0, 3))).toEqual(locked);
  });
});

describe('docs/configuration.md', () => {
  let place: Workplace;
  beforeAll(async () => {
    place = await workplace();
  });
  afterAll(() => place.remove());

  async function settings(): Promise<[variable: string, shownDefault: string][]> {
    const text = await readProjectFile('docs/configuration.md');
    return [...text.matchAll(/^\| `(\w+)` \| ([^|]*) \|/gm)].map(([, variable = '', shown = '']) => [variable, shown]);
  }

  test('has a row for each setting that plant-store --help lists, and for no other', async () => {
    const { stdout } = await place.run(['--help']);
    const listed = [...stdout.matchAll(/^ {2}([A-Z][A-Z_]+) {2,}/gm)].map(([, variable = '']) => variable);
    expect(listed).toContain('DATABASE_URL');
    expect((await settings()).map(([variable]) => variable)).toEqual(listed);
  });

  test('has the default of each setting', async () => {
    const defaults = (await settings()).flatMap(([variable, shown]) => {
      const [, text] = /^`(.+)`$/.exec(shown) ?? [];
      // Without an identity provider its algorithms are nothing to set.
      return text === undefined || variable === 'AUTH_ALGORITHMS' ? [] : [[variable, text] as const];
    });
    expect(defaults.length).toBeGreaterThan(9);
    const environment = Object.fromEntries(defaults);
    expect(readConfig(environment)).toEqual(readConfig({}));
    // Each counts: another value would be another configuration.
    expect(readConfig({ ...environment, ADMIN_PORT: '9465' })).not.toEqual(readConfig({}));
  });
});
