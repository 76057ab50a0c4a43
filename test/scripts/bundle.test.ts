import { beforeAll, describe, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';

const DIST = new URL('../../dist/', import.meta.url);

/** The built files that a file loads with it, at once; itself among them. */
async function loadedWith(file: URL, found = new Map<string, string>()): Promise<ReadonlyMap<string, string>> {
  if (found.has(file.href)) return found;
  const text = await readFile(file, 'utf8');
  found.set(file.href, text);
  for (const name of importsOf(text)) {
    if (name.startsWith('.')) await loadedWith(new URL(name, file), found);
  }
  return found;
}

/** What stands in the import declarations, the exports from elsewhere and the calls of `require` of a file that esbuild has written. */
function importsOf(text: string): string[] {
  const required = [...text.matchAll(/\b__require\d*\(["']([^"'\n]+)["']\)/g)];
  const declared = [...text.matchAll(/(?:^|[;}])(?:import|export)(?:[\w$*{},\s]+from)?\s*["']([^"'\n]+)["']/gm)];
  return [...required, ...declared].map(([, name = '']) => name);
}

/** The packages whose files a built file is made of, by their place in the lock file; `''` for our own. */
async function packagesIn(file: string): Promise<string[]> {
  // esbuild wrote it.
  const { sources } = JSON.parse(await readFile(new URL(`${file}.map`), 'utf8')) as { sources: string[] };
  return sources.map(
    (source) => /(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? '',
  );
}

describe('the built program', () => {
  let starting: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const chunks = (await readdir(new URL('chunks/', DIST))).filter((name) => name.endsWith('.js'));
    const open = await Promise.all(
      chunks
        .filter((name) => name.startsWith('open-'))
        .map(async (name) => ({ name, text: await readFile(new URL(`chunks/${name}`, DIST), 'utf8') })),
    );
    const entries = [
      'cli.js',
      ...chunks.filter((name) => name.startsWith('start-server-')).map((name) => `chunks/${name}`),
      ...open.filter(({ text }) => text.includes('"better-sqlite3"')).map(({ name }) => `chunks/${name}`),
    ];
    // The program, the command that serves, and the store that it opens.
    expect(entries).toHaveLength(3);
    const found = new Map<string, string>();
    for (const entry of entries) await loadedWith(new URL(entry, DIST), found);
    starting = found;
  });

  test('looks for no package in node_modules when it starts, but one that has a native part and one that need not be there', () => {
    const packages = [...starting.values()]
      .flatMap(importsOf)
      .filter((name) => !name.startsWith('.') && !isBuiltin(name));
    expect([...new Set(packages)].sort()).toEqual(['better-sqlite3', 'supports-color']);
  });

  test('loads what not every service needs, or not at once, when it is needed', async () => {
    const packages = new Set((await Promise.all([...starting.keys()].map(packagesIn))).flat());
    const now = ['', 'node_modules/express', 'node_modules/express-openapi-validator'];
    expect([...packages]).toEqual(expect.arrayContaining(now));
    const later = ['prom-client', '@opentelemetry/api', 'pg', 'jose', 'yaml', 'pino-pretty'];
    expect(later.filter((name) => packages.has(`node_modules/${name}`))).toEqual([]);
  });

  test('names the licence of each package in it, none of which only developers install', async () => {
    const text = await readFile(new URL('licenses.txt', DIST), 'utf8');
    const parts = text.split(`\n${'-'.repeat(80)}\n\n`).map((part) => part.slice(0, part.indexOf('\n')));
    // npm wrote it.
    const { packages } = JSON.parse(await readFile(new URL('../package-lock.json', DIST), 'utf8')) as Lock;
    const installed = Object.entries(packages)
      .filter(([, { dev }]) => dev === undefined)
      .map(([path, { version, license }]) => `${path.replace(/^.*node_modules\//, '')} ${version}: ${license}`);
    expect(parts.filter((part) => !installed.includes(part))).toEqual([]);
    expect(parts).toEqual(expect.arrayContaining([expect.stringMatching(/^express \S+: MIT$/)]));
    expect(parts.length).toBeGreaterThan(100);
  });

  test('has no line that would fill a screen: Node shows the one in which a program fails', () => {
    const lengths = [...starting.values()].flatMap((text) => text.split('\n').map(({ length }) => length));
    expect(Math.max(...lengths)).toBeLessThan(4_000);
  });
});

/** What is read of package-lock.json. */
interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version: string; readonly license: string; readonly dev?: true }>
  >;
}
