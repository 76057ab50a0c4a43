import { expect, test } from '@jest/globals';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectRefused, workplaceOfEachTest } from '../support/cli.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const RANGE = '^20.20.2 || ^22.22.2 || ^24.14.1 || >=26.0.0';

const place = workplaceOfEachTest();

/** An option of Node.js that gives it another version. */
function asNode(version: string): string {
  const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  return `--import=data:text/javascript,${encodeURIComponent(code).replaceAll("'", '%27')}`;
}

const versionOn = (node: string): ReturnType<typeof place.call> => place.call(['--version'], { node });

test.each(['18.20.8', '20.19.0', '20.20.1', '21.7.3', '22.22.1', '24.9.0', '24.14.0', '25.9.0'])(
  'the program does not start on Node.js %s, which has known faults, and says in one line which it runs on',
  async (version) => {
    expectRefused(await versionOn(version), 1, RANGE, version);
  },
);

test.each(['20.20.2', '22.22.2', '22.23.0', '24.14.1', '24.21.0', '26.0.0', '28.1.0'])(
  'the program starts on Node.js %s',
  async (version) => {
    expect(await versionOn(version)).toEqual({ code: 0, stdout: '1.0.0\n', stderr: '' });
  },
);

test('the built program asks for the version before it does anything', async () => {
  const env = { NODE_OPTIONS: asNode('20.20.1') };
  expectRefused(await place.run(['serve'], { env }), 1, RANGE, '20.20.1');
  expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
});

// A real pair would end the process with a signal.
test.each([
  ['20.20.2', 'better-sqlite3-12', '13.2.0', ['better-sqlite3 12', '13.2.0']],
  ['24.21.0', 'better-sqlite3', '12.11.1', ['better-sqlite3 13', '12.11.1']],
  ['26.0.0', 'better-sqlite3-12', '12.11.1', ['better-sqlite3 13', 'npm ci']],
])('Node.js %s with %s %s does not open a SQLite file, and says what it needs', async (node, name, version, needs) => {
  for (const file of ['errors.js', 'stores/sqlite/driver.js']) {
    const copy = join(place.folder, 'dist', file);
    await mkdir(dirname(copy), { recursive: true });
    await cp(join(PROJECT, 'dist', file), copy);
  }
  await mkdir(join(place.folder, 'node_modules', name), { recursive: true });
  await symlink(join(PROJECT, 'packages', 'openapi-exact'), join(place.folder, 'node_modules', 'openapi-exact'));
  await place.write('package.json', '{"type":"module"}');
  await writeFile(join(place.folder, 'node_modules', name, 'package.json'), JSON.stringify({ version }));
  const script = `import('./dist/stores/sqlite/driver.js').catch(({ name, message }) => console.log(name, message))`;
  const { stdout } = await place.shell(`NODE_OPTIONS='${asNode(node)}' node --eval "${script}"`);
  expect(stdout).toMatch(/^OperatorError [^\n]+\n$/);
  for (const part of [node, ...needs]) expect(stdout).toContain(part);
});
