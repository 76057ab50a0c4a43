import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A server of PostgreSQL, where the tests of a file make databases of their own. */
export class PostgresServer {
  /** The URL of another database there, for what concerns the whole server. */
  readonly adminUrl: string;
  readonly #used = new Set<string>();
  readonly #empty: string[] = [];

  constructor(adminUrl: string) {
    this.adminUrl = adminUrl;
  }

  /** Makes an empty database, or takes one that was emptied. @returns its URL. */
  async createDatabase(): Promise<string> {
    const url = this.#empty.pop() ?? (await createDatabase(this.adminUrl));
    this.#used.add(url);
    return url;
  }

  /** Empties all databases, for the next tests: to make one takes long. */
  async emptyDatabases(): Promise<void> {
    for (const url of this.#used) {
      const name = nameOf(url);
      const disconnect = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`;
      await run(this.adminUrl, `ALTER DATABASE ${name} RESET ALL`, disconnect);
      await run(url, DROP_SCHEMAS, 'CREATE SCHEMA public', 'GRANT USAGE ON SCHEMA public TO public');
      this.#empty.push(url);
    }
    this.#used.clear();
  }

  async close(): Promise<void> {
    for (const url of [...this.#used, ...this.#empty]) {
      await run(this.adminUrl, `DROP DATABASE ${nameOf(url)} WITH (FORCE)`);
    }
  }
}

/**
 * The server that TEST_DATABASE_URL names, whose user must have the right to create databases, or
 * an own one for this test.
 */
export async function postgresServer(): Promise<PostgresServer> {
  const { TEST_DATABASE_URL: adminUrl = '' } = process.env;
  return adminUrl === '' ? (await import('./own-postgres.ts')).ownPostgres() : new PostgresServer(adminUrl);
}

const DROP_SCHEMAS = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$' LOOP
    EXECUTE format('DROP SCHEMA %I CASCADE', name);
  END LOOP; END $$`;

/** Makes an empty database on a server. @returns its URL. */
export async function createDatabase(adminUrl: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(adminUrl, `CREATE DATABASE ${name}`);
  return Object.assign(new URL(adminUrl), { pathname: name }).href;
}

/** The name of the database in a URL. */
export function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** A user of a database, and the URL with it. */
interface DatabaseUser {
  readonly url: string;
  /** Runs statements as the owner, with the user's name in the place of {user}. */
  run(...statements: readonly string[]): Promise<unknown>;
  drop(): Promise<unknown>;
}

/** Makes a user of a database, with the password of its owner. */
export async function createUser(url: string, ...statements: readonly string[]): Promise<DatabaseUser> {
  const own = new URL(url);
  own.username = `user_${nameOf(url)}`;
  const runAll = (...texts: readonly string[]): Promise<unknown> =>
    run(url, ...texts.map((text) => text.replaceAll('{user}', own.username)));
  await runAll(`CREATE ROLE {user} LOGIN PASSWORD '${own.password}'`, ...statements);
  return { url: own.href, run: runAll, drop: () => runAll('DROP OWNED BY {user}', 'DROP ROLE {user}') };
}

/** The same database, reached at another port. */
export function throughPort(url: string, port: number): string {
  return Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href;
}

/** Runs statements on a connection of their own. @returns the rows of the last one. */
export async function run(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  return withConnection(url, async (execute) => {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = await execute(statement);
    return rows;
  });
}

/** The plants of a database, as another program sees them. */
export async function plantsOf(url: string): Promise<bigint[]> {
  return (await run(url, 'SELECT id FROM plants ORDER BY id')).map(({ id }) => BigInt(String(id)));
}

/** Notes in a table `commits` what holds at each commit that adds, changes or removes our rows. */
export async function noteCommits(url: string): Promise<void> {
  await run(
    url,
    'CREATE TABLE commits (event text, value text, lock text, statement text)',
    `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO commits VALUES (TG_OP || ' ' || TG_TABLE_NAME, current_setting('synchronous_commit'),
         current_setting('lock_timeout'), current_setting('statement_timeout'));
       RETURN NULL; END $$`,
    ...['plants', 'plant_store_tokens'].map(
      (table) =>
        // At the commit itself.
        `CREATE CONSTRAINT TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON ${table}
           DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note()`,
    ),
  );
}

/** Runs something as another program would that keeps its connection. */
export async function withConnection<T>(
  url: string,
  work: (execute: (statement: string) => Promise<Record<string, unknown>[]>) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // A server that ends reports it to the waiting query too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(async (statement) => (await client.query<Record<string, unknown>>(statement)).rows);
  } finally {
    await client.end();
  }
}
