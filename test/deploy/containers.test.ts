import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { postgresServer, run, type PostgresServer } from '../support/postgres.ts';
import { readProjectFile } from '../support/readme.ts';

const execute = promisify(execFile);

/** What of compose.yaml is read. */
interface Compose {
  readonly services: {
    readonly postgres: {
      readonly environment: Readonly<Record<string, string>>;
      readonly healthcheck: { readonly test: readonly [form: 'CMD', command: string, ...args: string[]] };
    };
  };
}

test('the image says where it comes from, and a release fills that in', async () => {
  const dockerfile = await readProjectFile('Dockerfile');
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  const labels = [...last.matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  // npm has checked its form.
  const { license } = JSON.parse(await readProjectFile('package.json')) as { license: string };
  expect(Object.fromEntries(labels)).toEqual({
    title: 'plant-store',
    licenses: license,
    source: '$SOURCE',
    revision: '$REVISION',
    version: '$VERSION',
  });
  const [, ...names] = /^ARG (\w+)="" (\w+)="" (\w+)=""$/m.exec(last) ?? [];
  expect(names).toEqual(['SOURCE', 'REVISION', 'VERSION']);
  const release = await readProjectFile('.github/workflows/release.yml');
  for (const name of names) expect(release).toMatch(new RegExp(`^ +${name}=\\$`, 'm'));
});

const missing = await execute('psql', ['--version']).then(
  () => null,
  () => 'psql',
);
if (missing !== null) process.stderr.write(`skipped: the health check of compose.yaml, which needs ${missing}\n`);

(missing === null ? describe : describe.skip)("the health check of compose.yaml's database", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await postgresServer({ max_connections: '20' });
  }, 60_000);
  afterAll(() => server.close());

  test('fails until the database of the service is there', async () => {
    const { postgres } = (parse(await readProjectFile('compose.yaml')) as Compose).services;
    const { POSTGRES_USER: user, POSTGRES_DB: database } = postgres.environment;
    const [, command, ...args] = postgres.healthcheck.test;
    const { port, password } = new URL(server.adminUrl);
    const check = (): Promise<boolean> =>
      execute(command, args, { env: { ...process.env, PGPORT: port, PGPASSWORD: password } }).then(
        () => true,
        () => false,
      );
    expect(await check()).toBe(false);
    await run(server.adminUrl, `CREATE ROLE ${user ?? ''} LOGIN PASSWORD '${password}'`);
    expect(await check()).toBe(false);
    await run(server.adminUrl, `CREATE DATABASE ${database ?? ''} OWNER ${user ?? ''}`);
    expect(await check()).toBe(true);
  });
});
