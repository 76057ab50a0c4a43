import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deletePlantAt } from '../support/cli.ts';
import { imageOf, missingForContainers, type Image } from '../support/container.ts';
import { buildImage } from '../support/dockerfile.ts';
import { postgresServer } from '../support/postgres.ts';
import { temporaryFolder } from '../support/service.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const PLANTS = ['9007199254740991', '9007199254740992', '9007199254740993'];

/** Both listeners take free ports. */
const PORTS = { PORT: '0', ADMIN_PORT: '0' };

/** npm's own installation compiles better-sqlite3, which takes minutes: `npm run test:image` runs it, here its results are used. */
const INSTALLS = process.env['IMAGE_INSTALL'] === 'npm';
const TIMEOUT = INSTALLS ? 600_000 : 120_000;

const missing = await missingForContainers();
if (missing !== null) process.stderr.write(`skipped: the steps of the Dockerfile, which ${missing}\n`);

(missing === null ? describe : describe.skip)('what the Dockerfile builds, with its read-only root', () => {
  let folder: string;
  let app: string;
  let image: Image;
  beforeAll(async () => {
    folder = await temporaryFolder();
    // Links, where both are on one file system, for nothing is changed; else copies.
    const link = `cp --archive --link --parents ${(await productionModules()).join(' ')} "$to"`;
    const inPlace = (command: string): string =>
      command
        .replace('npm ci --omit=dev', `to=$PWD && cd '${PROJECT}' && ${link} || ${link.replace('--link ', '')}`)
        .replace('npm ci --ignore-scripts', `ln -s '${join(PROJECT, 'node_modules')}' .`);
    app = await buildImage(folder, INSTALLS ? (command) => command : inPlace);
    image = await imageOf(app, folder);
    if (!INSTALLS) return;
    const { stdout } = await promisify(execFile)('du', ['-sm', app]);
    process.stderr.write(`on top of the base image: ${Number.parseInt(stdout)} MB\n`);
  }, TIMEOUT);
  afterAll(() => rm(folder, { recursive: true }));

  test(
    'serves: 204 for the plant that was named while its neighbours live, and SIGTERM ends it in order',
    async () => {
      expect(await image.start(['plants', 'import', '-'], {}, PLANTS.join('\n')).ended).toMatchObject({ code: 0 });
      const created = await image.start(['tokens', 'create', 'webshop']).ended;
      expect(created).toMatchObject({ code: 0, stderr: '' });
      const server = image.start(undefined, PORTS);
      const [, url = ''] = await server.until(/"url":"([^"]+)"/);
      expect(await deletePlantAt(url, created.stdout.trim(), '9007199254740992')).toMatchObject({ status: 204 });
      expect(await deletePlantAt(url, 'plant_nobody', '9007199254740991')).toMatchObject({ status: 401 });
      process.kill(await server.processId(), 'SIGTERM');
      expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
      const { stdout } = await image.start(['plants', 'export']).ended;
      expect(stdout).toBe('9007199254740991\n9007199254740993\n');
    },
    TIMEOUT,
  );

  test(
    'is healthy while it can serve, and no longer when its store is gone',
    async () => {
      const server = image.start(undefined, PORTS);
      const [, port = ''] = await server.until(/"admin":"http:[^"]+:(\d+)"/);
      const database = join(app, 'data', 'plants.db');
      expect(await image.healthcheck({ ADMIN_PORT: port })).toBe(0);
      await rename(database, `${database}.away`);
      expect(await image.healthcheck({ ADMIN_PORT: port })).toBe(1);
      await rename(`${database}.away`, database);
      process.kill(await server.processId(), 'SIGTERM');
      await server.ended;
      expect(await image.healthcheck({ ADMIN_PORT: port })).toBe(1);
    },
    TIMEOUT,
  );

  test(
    'is healthy too where the file .env in its folder puts the listener for operators elsewhere',
    async () => {
      const env = join(app, '.env');
      const server = image.start(undefined, { ...PORTS, ADMIN_HOST: '127.0.0.2' });
      const [, port = ''] = await server.until(/"admin":"http:[^"]+:(\d+)"/);
      try {
        await writeFile(env, `ADMIN_HOST=127.0.0.2\nADMIN_PORT=${port}\n`);
        expect(await image.healthcheck({})).toBe(0);
      } finally {
        await rm(env);
        process.kill(await server.processId(), 'SIGTERM');
        await server.ended;
      }
    },
    TIMEOUT,
  );

  test(
    'serves from PostgreSQL when the file .env in its folder, where compose.yaml puts its secret, says so',
    async () => {
      const postgres = await postgresServer();
      const env = join(app, '.env');
      try {
        await writeFile(env, `DATABASE_URL=${await postgres.createDatabase()}\n`);
        expect(await image.start(['plants', 'import', '-'], {}, PLANTS.join('\n')).ended).toMatchObject({ code: 0 });
        const { stdout: token } = await image.start(['tokens', 'create', 'webshop']).ended;
        const server = image.start(undefined, PORTS);
        const [, url = ''] = await server.until(/"url":"([^"]+)".*"database":"postgres:/);
        expect(await deletePlantAt(url, token.trim(), '9007199254740992')).toMatchObject({ status: 204 });
        process.kill(await server.processId(), 'SIGTERM');
        expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
        const { stdout } = await image.start(['plants', 'export']).ended;
        expect(stdout).toBe('9007199254740991\n9007199254740993\n');
      } finally {
        await rm(env, { force: true });
        await postgres.close();
      }
    },
    TIMEOUT,
  );

  test(
    'is process 1, user 1000 without any capability, and can write its data and /tmp only',
    async () => {
      const server = image.start(undefined, PORTS);
      await server.until(/"listening"/);
      const processId = await server.processId();
      const status = await readFile(`/proc/${processId}/status`, 'utf8');
      expect(status).toMatch(/^NSpid:\s+\d+\s+1$/m);
      expect(status).toMatch(/^Uid:\s+1000\s+1000\s+1000\s+1000$/m);
      expect(status).toMatch(/^CapBnd:\s+0+$/m);
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
      const places = ['/app/dist/x', '/app/node_modules/x', '/app/x', '/etc/x', '/app/data/x', '/tmp/x'];
      const { stdout } = await image.run(['sh', '-c', `for f in ${places.join(' ')}; do touch $f && echo $f; done`]);
      expect(stdout).toBe('/app/data/x\n/tmp/x\n');
      process.kill(processId, 'SIGTERM');
      expect(await server.ended).toMatchObject({ code: 0 });
    },
    TIMEOUT,
  );
});

/** What of the lock file is read; npm has checked its form. */
interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

/** The folders that `npm ci --omit=dev` would install, those within others left out. */
async function productionModules(): Promise<string[]> {
  const { packages } = JSON.parse(await readFile(join(PROJECT, 'package-lock.json'), 'utf8')) as Lock;
  const paths = Object.keys(packages).filter((path) => path.lastIndexOf('node_modules/') === 0);
  return paths.filter((path) => packages[path]?.dev !== true && existsSync(join(PROJECT, path)));
}
