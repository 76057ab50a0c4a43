import { beforeAll, describe, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';

const DIST = new URL('../dist/', import.meta.url);

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

/** What stands in the import declarations, and the exports from elsewhere, of a file that esbuild has written. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:^|[;}])(?:import|export)(?:[\w$*{},\s]+from)?\s*["']([^"'\n]+)["']/gm)].map(
    ([, name = '']) => name,
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

  test('looks for no package in node_modules when it starts, but the one that has a native part', () => {
    const packages = [...starting.values()]
      .flatMap(importsOf)
      .filter((name) => !name.startsWith('.') && !isBuiltin(name));
    expect([...new Set(packages)]).toEqual(['better-sqlite3']);
  });

  test('loads what not every service needs, or not at once, when it is needed', async () => {
    const sources = await Promise.all(
      [...starting.keys()].map(async (file) => {
        // esbuild wrote it.
        const map = JSON.parse(await readFile(new URL(`${file}.map`), 'utf8')) as { sources: string[] };
        return map.sources;
      }),
    );
    const packages = new Set(
      sources.flat().map((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? 'plant-store'),
    );
    expect([...packages]).toEqual(expect.arrayContaining(['plant-store', 'express', 'express-openapi-validator']));
    const later = ['prom-client', '@opentelemetry/api', 'pg', 'jose', 'yaml', 'pino-pretty'];
    expect(later.filter((name) => packages.has(name))).toEqual([]);
  });
});
