import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deletePlantAt, TestWorkplace, workplaceOfEachTest, type ServerProcess } from './support/cli.ts';
import { plantsOf, postgresServer, run } from './support/postgres.ts';
import { codeBlock, codeBlocks, documentNames, readProjectFile, type CodeBlock } from 'test-support/readme.ts';

/** The comment above a block that is not run, with the reason. */
const NOT_RUN = /^\s*<!-- Not run by the tests: .+ -->$/;

/**
 * Languages of blocks. `sh` is run here, `sql` too; `ts` and `python` in
 * test/client/package.test.ts.
 */
const LANGUAGES = new Set([
  'diff',
  '',
  'sh',
  'sql',
  'ts',
  'python',
  'yaml',
  'mermaid',
  'ini',
  'haproxy',
  'nginx',
  'caddy',
]);

/** Starts the program as `npx plant-store` does. A server is stopped as soon as it listens. */
const NPX = `#!/bin/sh
test "$1" = plant-store || { echo "npx $* is not run by the tests" >&2; exit 64; }
shift
case "\${1:-serve}" in serve) ;; *) exec node "$CLI" "$@" ;; esac
# Lines of the previous server would tell that this one listens already.
: > server.log
node "$CLI" "$@" >> server.log 2>&1 &
until grep -q -e '"listening"' -e 'The plant store is at' server.log; do
  kill -0 $! || { cat server.log >&2; exit 1; }
  sleep 0.1
done
kill $! && wait $!
`;
/** What the tests were started from is installed and built. */
const NPM = `#!/bin/sh
case "$*" in
  ci | 'run build') ;;
  start) exec npx plant-store ;;
  *) echo "npm $* is not run by the tests" >&2; exit 64 ;;
esac
`;

const documents = new Map<string, readonly CodeBlock[]>();
for (const name of await documentNames()) documents.set(name, await codeBlocks(name));
const server = await postgresServer();
afterAll(() => server.close());
const place = workplaceOfEachTest();

/** Where the service has been started once. */
const started = new TestWorkplace();
let token: string;
beforeAll(async () => {
  await started.open();
  const first = await started.serve();
  token = await first.firstToken();
  await first.stop();
});
afterAll(() => started.remove());

/** Runs a block in a folder where the service has been started before. @returns what it printed. */
async function runBlock(code: string, database: string, url = ''): Promise<string> {
  const filled = code
    .replaceAll('http://127.0.0.1:3000', url)
    // Other programs may have them.
    .replaceAll(/\bPORT=\d+ ADMIN_PORT=\d+/g, '')
    .replaceAll('plant_…', token)
    .replaceAll('/var/lib/plant-store', join(place.folder, 'lib'))
    .replaceAll(/postgres:\/\/[^' ]*db\.example\.com[^' ]*/g, database);
  const prepare = `set -e; export PATH="$PWD/bin:$PATH" BASE_URL='${url}' TOKEN='${token}'`;
  const { code: exitCode, stdout, stderr } = await place.shell(`${prepare}\n${filled}`);
  expect({ code, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ code, exitCode: 0, stderr: '' });
  return stdout;
}

test('documents have blocks of known languages only', () => {
  const languages = [...documents.values()].flat().map(({ language }) => language);
  expect(languages.filter((language) => !LANGUAGES.has(language))).toEqual([]);
});

const commands = Array.from(documents, ([name, blocks]) => ({
  name,
  blocks: blocks.filter(({ language, lead }) => language === 'sh' && !NOT_RUN.test(lead)),
}));
test.each(commands.filter(({ blocks }) => blocks.length > 0))(
  '$name has commands that work, one block after the other',
  async ({ blocks }) => {
    await mkdir(join(place.folder, 'bin'));
    for (const [name, text] of Object.entries({ npx: NPX, npm: NPM })) {
      await place.write(`bin/${name}`, text);
      await chmod(join(place.folder, 'bin', name), 0o755);
    }
    await place.write('ids.txt', '12\n9007199254740992\n');
    await cp(join(started.folder, 'data'), join(place.folder, 'data'), { recursive: true });
    const needsPostgres = blocks.some(({ code }) => code.includes('postgres://'));
    const database = needsPostgres ? await server.createDatabase() : '';
    let served: ServerProcess | undefined;
    for (const { code } of blocks) {
      if (code.includes('curl')) served ??= await place.serve();
      else served = void (await served?.stop());
      const printed = await runBlock(code, database, served?.url);
      if (code.includes('curl')) expect(printed).toMatch(/^HTTP\/1\.1 (204|404) /);
    }
  },
);

test('the roles and grants in docs/postgresql.md let the service delete a plant and create a token, and do nothing more', async () => {
  // Under names of their own: the server may be shared.
  const [owner, user, database] = ['owner', 'user', 'plants'].map(
    (name) => `${name}_${randomBytes(6).toString('hex')}`,
  );
  const statements = async (text: string): Promise<string> =>
    (await codeBlock('docs/postgresql.md', 'sql', text))
      .replaceAll(/\bplant_store_owner\b/g, `${owner}`)
      .replaceAll(/\bplant_store\b/g, `${user}`)
      .replaceAll(/\bDATABASE plants\b/g, `DATABASE ${database}`);
  const roles = await statements('CREATE ROLE');
  for (const statement of roles.split(';\n').filter((text) => text !== '')) await run(server.adminUrl, statement);
  const urlOf = (username = '', pathname = ''): string => {
    const [, password = ''] = new RegExp(`CREATE ROLE ${username} LOGIN PASSWORD '(.+)'`).exec(roles) ?? [];
    return Object.assign(new URL(server.adminUrl), { username, password, pathname }).href;
  };
  const [ownerUrl, DATABASE_URL] = [urlOf(owner, database), urlOf(user, database)];
  const env = { DATABASE_URL, NODE_ENV: 'production' };
  try {
    expect(await place.call(['migrate'], { env: { DATABASE_URL: ownerUrl } })).toMatchObject({ code: 0 });
    await run(ownerUrl, await statements('GRANT'));
    expect(await place.call(['plants', 'add', '7', '8'], { env })).toMatchObject({ code: 0 });
    const { stdout: created } = await place.call(['tokens', 'create', 'shop'], { env });
    const service = await place.serve(env);
    expect(await deletePlantAt(service.url, created.trim(), 8n)).toMatchObject({ status: 204 });
    expect(await plantsOf(ownerUrl)).toEqual([7n]);
    expect(await service.stop()).toBe(0);
    for (const statement of ['DROP TABLE plants', 'UPDATE plants SET id = 9', 'CREATE TABLE other (id int)']) {
      await expect(run(DATABASE_URL, statement)).rejects.toThrow(/permission denied|must be owner/);
    }
  } finally {
    await run(server.adminUrl, `DROP DATABASE ${database} WITH (FORCE)`, `DROP ROLE ${owner}, ${user}`);
  }
});

test('every command of plant-store that a document names exists', async () => {
  const texts = await Promise.all([...documents.keys()].map(readProjectFile));
  const named = texts.flatMap((text) => [...text.matchAll(/(?:npx |`)plant-store ((?:tokens|plants) )?([a-z]+)\b/g)]);
  const commands = new Set(named.map(([, group = '', command = '']) => `${group}${command}`));
  expect(commands).toContain('tokens create');
  const known = new Set<string>();
  for (const group of ['', 'tokens ', 'plants ']) {
    const { stdout } = await place.call([...group.split(' '), '--help'].filter(Boolean));
    const [, list = ''] = /^Commands:\n((?: {2}.*\n)+)/m.exec(stdout) ?? [];
    for (const [, command = ''] of list.matchAll(/^ {2}([a-z]+)/gm)) known.add(`${group}${command}`);
  }
  expect([...commands].filter((command) => !known.has(command))).toEqual([]);
});
