import { afterAll, expect, test } from '@jest/globals';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SqliteConnection } from '../src/stores/sqlite/driver.ts';
import { deletePlantAt } from './support/cli.ts';
import { installService } from 'test-support/installed-package.ts';
import { startProcess } from 'test-support/process.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

const installed = await installService();
afterAll(() => installed.remove());

test('`npx plant-store serve` works in an empty folder after an install, and deletes the right plant', async () => {
  const empty = join(installed.folder, 'empty');
  await mkdir(empty);
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PORT: '0', ADMIN_PORT: '0' };
  // A group of its own, to be stopped as a terminal stops it: npx does not pass a signal on.
  const options = { cwd: empty, env, detached: true };
  const { child, ended, until } = startProcess('npx', ['--no-install', 'plant-store', 'serve'], options);
  const [, file = '', url = ''] = await until(/Bearer \$\(cat (\S+)\)" (\S+)\/plants\/9007199254740993/);
  const token = (await readFile(join(empty, file), 'utf8')).trim();
  for (const status of [204, 404]) {
    expect(await deletePlantAt(url, token, 9007199254740993n)).toMatchObject({ status });
  }
  process.kill(-Number(child.pid), 'SIGTERM');
  await ended;
  expect(await readdir(join(empty, 'data'))).toEqual(['first-token', 'plants.db']);
  const database = new SqliteConnection(join(empty, 'data', 'plants.db'));
  // A dozen sample plants, and one was deleted.
  expect(database.prepare('SELECT count(*) FROM plants').pluck().get()).toBe(11);
  database.close();
});

test('the package has the program and the contract, and nothing else', async () => {
  const files = await readdir(join(installed.folder, 'node_modules', 'plant-store'), { recursive: true });
  const others = files.map((file) => file.replaceAll('\\', '/')).filter((file) => !/^dist(?:\/|$)/.test(file));
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'openapi.yaml', 'package.json']);
  const programs = files.filter((file) => /\.\w+$/.test(file) && !others.includes(file));
  const known = /^dist.(?!client)(?:[\w-]+.)*[\w-]+\.js$/;
  expect(programs.filter((file) => !known.test(file))).toEqual([]);
  // Nor can more be imported than the package exports.
  const script = "import('plant-store/dist/cli.js').catch((error) => console.log(error.code))";
  expect(await installed.run(process.execPath, ['-e', script])).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n');
});

test('`npx plant-store` runs what was built, in a checkout whose sources do not compile', async () => {
  await inTemporaryFolder('npx', async (folder) => {
    const file = new URL('../package.json', import.meta.url);
    const { name, version, bin, scripts } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    for (const path of ['dist', 'scripts', 'node_modules/typescript-7', 'cache']) {
      await mkdir(join(folder, path), { recursive: true });
    }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version, bin, scripts }));
    await writeFile(join(folder, 'scripts/build.mjs'), 'process.exit(1);\n');
    await writeFile(join(folder, 'dist/cli.js'), "#!/usr/bin/env node\nconsole.log('built');\n", { mode: 0o755 });
    const { PATH = '' } = process.env;
    const env = { PATH, HOME: folder, npm_config_cache: join(folder, 'cache') };
    const { ended } = startProcess('npx', ['--offline', 'plant-store'], { cwd: folder, env });
    expect(await ended).toMatchObject({ code: 0, stdout: 'built\n' });
  });
});
