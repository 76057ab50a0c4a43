import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { codeBlock, readProjectFile } from '../support/readme.ts';
import { temporaryFolder } from '../support/service.ts';

/** What the linter below has found to be in the form of the Compose specification. */
interface Service {
  readonly secrets: readonly (string | { readonly source: string; readonly target: string })[];
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt: readonly string[];
  readonly networks: readonly string[];
}

describe('compose.yaml', () => {
  let services: Readonly<Record<'plant-store' | 'postgres', Service>>;
  let secrets: Readonly<Record<string, { readonly file: string }>>;
  beforeAll(async () => {
    // The linter has held the file against the specification's schema.
    ({ services, secrets } = parse(await readProjectFile('compose.yaml')) as {
      services: typeof services;
      secrets: typeof secrets;
    });
  });

  test('is in the form of the Compose specification, and the linter objects to nothing but the order of keys', async () => {
    const args = [
      '--no-install',
      'dclint',
      '--disable-rule',
      'service-keys-order',
      '--formatter',
      'json',
      'compose.yaml',
    ];
    const cwd = fileURLToPath(new URL('../..', import.meta.url));
    const { stdout } = await promisify(execFile)('npx', args, { cwd });
    expect(JSON.parse(stdout)).toMatchObject([{ filePath: 'compose.yaml', messages: [] }]);
  });

  test('gives neither service more than it needs', () => {
    for (const service of Object.values(services)) {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
    expect(services['plant-store'].cap_add).toBeUndefined();
    expect(services['plant-store'].ports).toEqual(['127.0.0.1:3000:3000']);
    expect(services.postgres.ports).toBeUndefined();
    expect(services.postgres.networks).toEqual(['back']);
  });

  test('gets its secrets from files that the command in README.md makes, for the users of containers in a folder for their owner alone', async () => {
    const block = await codeBlock('sh', 'docker compose up');
    const commands = block.slice(0, block.indexOf('docker compose'));
    const folder = await temporaryFolder();
    try {
      await promisify(execFile)('sh', ['-euc', `umask 077\n${commands}`], { cwd: folder });
      const read = (name: string): Promise<string> => readFile(join(folder, secrets[name]?.file ?? ''), 'utf8');
      const password = (await read('postgres-password')).trim();
      expect(password).toMatch(/^[0-9a-f]{48}$/);
      const { POSTGRES_USER: user = '', POSTGRES_DB: database = '' } = services.postgres.environment ?? {};
      expect(await read('plant-store-env')).toBe(`DATABASE_URL=postgres://${user}:${password}@postgres/${database}\n`);
      expect((await stat(join(folder, 'secrets'))).mode & 0o777).toBe(0o700);
      // They are mounted as they are, and the service is user 1000.
      for (const { file } of Object.values(secrets)) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o644);
      expect(await readProjectFile('.gitignore')).toContain('\nsecrets/\n');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('writes no password into the environment', () => {
    expect(services['plant-store'].environment).toBeUndefined();
    expect(services['plant-store'].secrets).toEqual([{ source: 'plant-store-env', target: '/app/.env' }]);
    expect(Object.keys(services.postgres.environment ?? {})).toEqual([
      'POSTGRES_USER',
      'POSTGRES_DB',
      'POSTGRES_PASSWORD_FILE',
    ]);
  });
});
