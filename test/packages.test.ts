import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const execute = promisify(execFile);

/** What is read of a package.json; npm has checked its form. */
interface Manifest {
  readonly license?: string;
  readonly licenses?: readonly { readonly type: string }[];
  readonly private?: boolean;
  readonly repository?: { readonly url: string; readonly directory?: string };
  readonly homepage?: string;
  readonly bugs?: { readonly url: string };
}

/** What `npm pack --json` says of a package. */
interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(PROJECT, folder, 'package.json'), 'utf8')) as Manifest;
}

async function pack(folder: string): Promise<Packed> {
  const { stdout } = await execute('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', `./${folder}`], {
    cwd: PROJECT,
  });
  const [packed] = JSON.parse(stdout) as readonly Packed[];
  if (packed === undefined) throw new Error(`npm packs nothing of ${folder}.`);
  return packed;
}

/** Kilobytes that each package may have, packed and unpacked. */
const BUDGETS: readonly [folder: string, packed: number, unpacked: number][] = [
  ['', 180, 560],
  ['packages/openapi-exact', 360, 1_250],
  ['packages/openapi-exact-cli', 100, 350],
  ['packages/openapi-exact-reference', 60, 170],
  ['packages/plant-store-client', 95, 300],
];

test('each package is named, and has a budget', async () => {
  const folders = (await readdir(join(PROJECT, 'packages'))).map((name) => `packages/${name}`);
  const built = folders.filter((folder) => folder !== 'packages/test-support');
  expect(BUDGETS.map(([folder]) => folder).sort()).toEqual(['', ...built].sort());
});

test.each(BUDGETS)(
  'the package in "%s" fits its budget of %d and %d kB, and has its licence',
  async (folder, ...limits) => {
    const { size, unpackedSize, files } = await pack(folder);
    expect(size / 1_000).toBeLessThan(limits[0]);
    expect(unpackedSize / 1_000).toBeLessThan(limits[1]);
    const paths = files.map(({ path }) => path);
    expect(paths.filter((path) => /(^|\/)LICENSE$/.test(path))).toHaveLength(1);
    const { private: isPrivate = false } = await manifestOf(folder);
    if (!isPrivate) expect(paths).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md']));
  },
);

test.each(BUDGETS)(
  'the package in "%s" names the one repository, its page and where to report faults',
  async (folder) => {
    const { repository } = await manifestOf('');
    const url = repository?.url.replace(/^git\+|\.git$/g, '');
    const expected = {
      repository: { type: 'git', url: `git+${url}.git`, ...(folder === '' ? {} : { directory: folder }) },
      homepage: folder === '' ? `${url}#readme` : `${url}/tree/main/${folder}#readme`,
      bugs: { url: `${url}/issues` },
    };
    expect(await manifestOf(folder)).toMatchObject(expected);
  },
);

/** Licences that let a service or a library be used and passed on without further duties. */
const LICENCES =
  /^(?:MIT|ISC|Apache-2\.0|0BSD|BSD-[23]-Clause|BlueOak-1\.0\.0|Python-2\.0|CC0-1\.0|\(?MIT OR .+\)|\(BSD-2-Clause OR MIT OR Apache-2\.0\))$/;

test('everything that is installed in production has a permissive licence', async () => {
  const lock = JSON.parse(await readFile(join(PROJECT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<
      Record<string, { license?: string; dev?: boolean; link?: boolean; devOptional?: boolean }>
    >;
  };
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
  );
  expect(installed.length).toBeGreaterThan(50);
  const others: string[] = [];
  for (const [path, { license }] of installed) {
    // Packages of before 2014 have a list instead, or only a file.
    const { licenses } = license === undefined ? await manifestOf(path) : {};
    const name = license ?? licenses?.map(({ type }) => type).join(' OR ') ?? (await licenceInText(path));
    if (!LICENCES.test(name)) others.push(`${path}: ${name}`);
  }
  expect(others).toEqual([]);
});

/** The licence that a package shows in its files alone. */
async function licenceInText(path: string): Promise<string> {
  const names = (await readdir(join(PROJECT, path))).filter((name) => /^(licen[cs]e|readme)/i.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(PROJECT, path, name), 'utf8')));
  const hasMit = texts.some((text) => text.includes('Permission is hereby granted, free of charge, to any person'));
  return hasMit || texts.some((text) => /\bMIT\b/.test(text)) ? 'MIT' : `none in ${names.join(', ')}`;
}
