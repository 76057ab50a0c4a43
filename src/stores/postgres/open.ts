import pg from 'pg';
import { DatabaseUnreachableError, messageOf, OperatorError } from '../../errors.ts';
import { DEFAULT_POOL, databaseName, type DatabaseLocation } from '../database-url.ts';
import type { Opening, Stores } from '../stores.ts';
import { adviceOn } from './advice.ts';
import { asNothingDone, failureMessage, isUnreachable, sqlStateOf } from './failures.ts';
import { migrate, requirePlants, SCHEMA_VERSION, schemaVersion } from './migrations.ts';
import { postgresPlants } from './plants.ts';
import { APPLICATION_NAME, findServer, Primary } from './primary.ts';
import { readShards, reachableWorkers } from './shards.ts';
import { queryOf, type Query } from './pool.ts';
import { Pools } from './pools.ts';
import { postgresStatements } from './statements.ts';
import { postgresTokens } from './tokens.ts';

type PostgresLocation = Extract<DatabaseLocation, { kind: 'postgres' }>;

/** Timeout of the first connection, in milliseconds. */
const SETUP_CONNECT_TIMEOUT = 5_000;
/** Timeout of its statements, in milliseconds: another process may be creating the schema. */
const SETUP_ANSWER_TIMEOUT = 30_000;

/** Timeout of reads, whose outcome is never unknown, in milliseconds; longer than lock_timeout. */
const READ_TIMEOUT = 3_000;

/**
 * Deletes no row and asks no worker of a distributed table, but needs what every delete needs: a
 * connection, the table, the privilege and a writable server.
 */
const PROBE = 'DELETE FROM plants WHERE false RETURNING id';

/**
 * Opens a PostgreSQL database and updates its schema if necessary.
 * @throws OperatorError with one line on failure.
 */
export async function openPostgres(
  location: PostgresLocation,
  { sample, migrates = false, onLost = () => undefined, onCommit = () => undefined }: Opening,
): Promise<Stores> {
  const { created, schema, server, shards } = await prepare(location, async (query, found) => {
    const before = await schemaVersion(query);
    const unchanged = { created: false, schema: { before, now: before } };
    const migrated = before < SCHEMA_VERSION || migrates ? await migrate(query, sample) : unchanged;
    await requirePlants(query);
    return { ...migrated, server: found, shards: await readShards(query) };
  });
  const { url, pool: maxConnections = DEFAULT_POOL } = location;
  const pools = new Pools(new Primary(url, server), onLost);
  const pool = pools.open(maxConnections);
  // Separate pools, so that neither waits for deletes of locked rows nor uses their connections.
  const [lookUps, probes] = [pools.open(1, READ_TIMEOUT), pools.open(1, READ_TIMEOUT)];
  const workers = shards && pools.open(1, READ_TIMEOUT);
  // Each worker has a part of the connections, since the commits of a hanging worker fill its pool.
  const commits = Math.ceil(maxConnections / (shards?.workers ?? 1));
  const statements = postgresStatements(pool, onCommit);
  return {
    database: statements,
    plants: postgresPlants(pool, onCommit, shards && ((id) => pools.ofWorker(shards.workerOf(id), commits))),
    tokens: postgresTokens(statements, lookUps),
    created,
    schema,
    commits,
    partOf: shards?.shardOf,
    workerOf: shards?.workerOf,
    workers: workers && (() => reachableWorkers(workers)),
    failed: new Promise(() => undefined),
    // Rolled back, since triggers of the table may act on a statement without rows.
    check: () =>
      probes.trial(PROBE).catch((cause: unknown) => {
        throw asNothingDone(cause);
      }),
    close: () => pools.close(),
  };
}

/** True if a database has the schema. @throws OperatorError when it cannot be opened. */
export function hasSchema(location: PostgresLocation): Promise<boolean> {
  return prepare(location, async (query) => (await schemaVersion(query)) > 0);
}

/**
 * Runs `work` on a separate connection to the server that takes writes, which waits while another
 * process creates the schema.
 */
async function prepare<T>(location: PostgresLocation, work: (query: Query, server: string) => Promise<T>): Promise<T> {
  let client: pg.Client | undefined;
  try {
    const server = await findServer(location.url);
    // Reads the files that the URL names.
    client = new pg.Client({
      connectionString: server,
      connectionTimeoutMillis: SETUP_CONNECT_TIMEOUT,
      query_timeout: SETUP_ANSWER_TIMEOUT,
      keepAlive: true,
      fallback_application_name: APPLICATION_NAME,
    });
    // The pending query rejects with this error too.
    client.on('error', () => undefined);
    await client.connect();
    return await work(queryOf(client), server);
  } catch (cause) {
    if (cause instanceof OperatorError)
      throw new OperatorError(`${databaseName(location)}: ${cause.message}`, { cause });
    const state = sqlStateOf(cause);
    const advice =
      state === undefined ? '. Start the server, or correct DATABASE_URL.' : adviceOn(state, messageOf(cause));
    const message = `The database ${databaseName(location)} cannot be opened: ${failureMessage(cause)}${advice}`;
    throw isUnreachable(cause)
      ? new DatabaseUnreachableError(message, { cause })
      : new OperatorError(message, { cause });
  } finally {
    await client?.end();
  }
}
