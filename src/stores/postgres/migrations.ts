import { messageOf, OperatorError } from '../../errors.ts';
import {
  checksumsOf,
  failedMigration,
  requireKnownVersion,
  requireUnedited,
  type SchemaVersions,
} from '../migration-checksums.ts';
import { MIGRATIONS } from '../migrations.ts';
import type { Sample } from '../stores.ts';
import { adviceOn } from './advice.ts';
import { failureMessage, isUnreachable, sqlStateOf } from './failures.ts';
import type { Query } from './pool.ts';

/** What each schema version adds to the previous one. */
const VERSIONS: readonly string[] = [
  `CREATE TABLE plant_store_tokens (
     name text PRIMARY KEY,
     hash text NOT NULL UNIQUE,
     created_at bigint NOT NULL,
     expires_at bigint,
     revoked_at bigint,
     last_used_at bigint
   )`,
  ...MIGRATIONS.map((migration) => migration({ int64: 'bigint', bytes: 'bytea' })),
];

/** The schema version that this program uses. */
export const SCHEMA_VERSION = VERSIONS.length;

/**
 * The key of the advisory lock: "plan" in ASCII
 * (https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS).
 */
const LOCK = 0x706c616e;

/**
 * The schema version of a database; 0 without a schema.
 * @throws OperatorError when it is newer than this program supports, or a migration was edited
 * after it was applied.
 */
export async function schemaVersion(query: Query): Promise<number> {
  if (!(await exists(query, 'plant_store_schema'))) return 0;
  const { rows } = await query('SELECT version FROM plant_store_schema');
  const version = Number(rows[0]?.[0] ?? 0);
  requireKnownVersion(version, VERSIONS, 'The database');
  requireUnedited(await appliedChecksums(query), VERSIONS, 'the database');
  return version;
}

/** The checksums of the applied migrations; none in a database of an earlier program. */
async function appliedChecksums(query: Query): Promise<readonly string[]> {
  if (!(await keepsChecksums(query))) return [];
  const { rows } = await query('SELECT checksums FROM plant_store_schema');
  return rows[0]?.[0]?.split(' ') ?? [];
}

async function keepsChecksums(query: Query): Promise<boolean> {
  const text = `SELECT 1 FROM pg_attribute
    WHERE attrelid = to_regclass('plant_store_schema') AND attname = 'checksums' AND NOT attisdropped`;
  return (await query(text)).rows.length > 0;
}

/**
 * Updates the schema in one transaction. Other processes wait. Keeps an existing table `plants`.
 * @param sample the content of a new table of plants.
 * @returns whether the table was created, and the versions.
 * @throws OperatorError for a newer schema, an unusable table of plants or a failed migration.
 */
export async function migrate(query: Query, sample?: Sample): Promise<{ created: boolean; schema: SchemaVersions }> {
  // Reads what other processes created while this one waited, whatever the default isolation is.
  await query('BEGIN ISOLATION LEVEL READ COMMITTED');
  await query(`SELECT pg_advisory_xact_lock(${LOCK})`);
  const version = await schemaVersion(query);
  if (version === 0) {
    await query('CREATE TABLE plant_store_schema (version integer NOT NULL, checksums text)');
    await query('INSERT INTO plant_store_schema VALUES (0)');
  }
  if (!(await keepsChecksums(query))) await query('ALTER TABLE plant_store_schema ADD COLUMN checksums text');
  // A table that is gone is not replaced by an empty one.
  const isNew = version === 0 && !(await exists(query, 'plants'));
  if (isNew) await query('CREATE TABLE plants (id bigint PRIMARY KEY)');
  const missing = VERSIONS.slice(version);
  // A migration of the table would fail with less to say.
  if (!isNew && missing.length > 0) await requirePlants(query);
  for (const [index, migration] of missing.entries()) await apply(query, version + index + 1, migration);
  const checksums = checksumsOf(VERSIONS).join(' ');
  await query(`UPDATE plant_store_schema SET version = ${SCHEMA_VERSION}, checksums = '${checksums}'`);
  if (isNew && sample !== undefined) await fill(query, sample);
  await query('COMMIT');
  return { created: isNew, schema: { before: version, now: SCHEMA_VERSION } };
}

async function apply(query: Query, version: number, migration: string): Promise<void> {
  try {
    await query(migration);
  } catch (cause) {
    const state = sqlStateOf(cause);
    // The first one fails without rights only, which the error says already.
    if (version === 1 || state === undefined || isUnreachable(cause)) throw cause;
    throw failedMigration(version, `${failureMessage(cause)}${adviceOn(state, messageOf(cause)) || '.'}`, cause);
  }
}

async function fill(query: Query, { plants, tokenName, tokenHash }: Sample): Promise<void> {
  for (const id of plants) await query('INSERT INTO plants (id) VALUES ($1)', [String(id)]);
  const text = 'INSERT INTO plant_store_tokens (name, hash, created_at) VALUES ($1, $2, $3)';
  await query(text, [tokenName, tokenHash, String(Date.now())]);
}

/**
 * Requires a table `plants` with int64 ids, all rows of which this user sees. With another type of
 * column, the database would search for other ids or none.
 * @throws OperatorError that names the problem.
 */
export async function requirePlants(query: Query): Promise<void> {
  if (!(await exists(query, 'plants'))) {
    throw new OperatorError(
      'The table plants is gone. Restore it, or create an empty one: CREATE TABLE plants (id bigint PRIMARY KEY)',
    );
  }
  // A view with triggers does not lock rows: two requests could delete the same plant.
  if (!(await exists(query, 'plants', ['r', 'p', 'f']))) {
    throw new OperatorError(
      'There is a view named plants where the service needs a table: rename the view, or name another schema in the search_path of this user.',
    );
  }
  const text = `SELECT format_type(atttypid, atttypmod) FROM pg_attribute
    WHERE attrelid = to_regclass('plants') AND attname = 'id' AND NOT attisdropped`;
  const type = (await query(text)).rows[0]?.[0];
  if (type !== 'bigint') {
    throw new OperatorError(
      `The table plants needs a column id of type bigint${typeof type === 'string' ? `, not ${type}` : ''}.`,
    );
  }
  // A plant that a policy hides would get 404.
  if ((await query("SELECT row_security_active('plants')")).rows[0]?.[0] === 't') {
    throw new OperatorError(
      'Row-level security may hide plants from this user: let it see all rows, with ALTER ROLE … BYPASSRLS or as the owner of the table.',
    );
  }
}

/**
 * @param kinds relkinds of https://www.postgresql.org/docs/current/catalog-pg-class.html; any by
 * default.
 */
async function exists(query: Query, table: string, kinds?: readonly string[]): Promise<boolean> {
  // Reading pg_class makes the server see tables of other sessions; to_regclass alone may not.
  const { rows } = await query('SELECT relkind FROM pg_class WHERE oid = to_regclass($1)', [table]);
  return rows.some(([kind]) => kinds?.includes(kind ?? '') ?? true);
}
