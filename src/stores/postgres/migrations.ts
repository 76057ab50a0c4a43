import { OperatorError } from '../../errors.ts';
import type { Sample } from '../sample.ts';
import type { Query } from './pool.ts';

/** What each version of the schema adds to the one before, beside the table of plants; never edited, only added to. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE plant_store_tokens (
     name text PRIMARY KEY,
     hash text NOT NULL UNIQUE,
     created_at bigint NOT NULL,
     expires_at bigint,
     revoked_at bigint,
     last_used_at bigint
   )`,
];

/** The version of the schema that this program works with. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** A number of our own for https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS: "plan" in ASCII. */
const LOCK = 0x706c616e;

/**
 * The version of the schema in a database; 0: there is none.
 * @throws OperatorError when it is newer than this program knows.
 */
export async function schemaVersion(query: Query): Promise<number> {
  if (!(await exists(query, 'plant_store_schema'))) return 0;
  const { rows } = await query('SELECT version FROM plant_store_schema');
  const version = Number(rows[0]?.[0] ?? 0);
  if (version <= SCHEMA_VERSION) return version;
  throw new OperatorError(
    `The database has schema version ${version}, but this program knows up to ${SCHEMA_VERSION}: run a newer plant-store.`,
  );
}

/**
 * Brings the schema up to date in one transaction; of several processes that start at once, one does so and the others wait for it. A
 * table `plants` that is there is taken as it is.
 * @param sample what the table of plants holds when it has to be made.
 * @returns true when it was made.
 * @throws OperatorError when the schema is newer than this program knows.
 */
export async function migrate(query: Query, sample?: Sample): Promise<boolean> {
  // What others have made while the lock was waited for must be seen, whatever the database has as its default.
  await query('BEGIN ISOLATION LEVEL READ COMMITTED');
  await query(`SELECT pg_advisory_xact_lock(${LOCK})`);
  const version = await schemaVersion(query);
  if (version === 0) {
    await query('CREATE TABLE plant_store_schema (version integer NOT NULL)');
    await query('INSERT INTO plant_store_schema VALUES (0)');
  }
  for (const migration of MIGRATIONS.slice(version)) await query(migration);
  await query(`UPDATE plant_store_schema SET version = ${SCHEMA_VERSION}`);
  const isNew = !(await exists(query, 'plants'));
  if (isNew) {
    await query('CREATE TABLE plants (id bigint PRIMARY KEY)');
    if (sample !== undefined) await fill(query, sample);
  }
  await query('COMMIT');
  return isNew;
}

async function fill(query: Query, { plants, tokenName, tokenHash }: Sample): Promise<void> {
  for (const id of plants) await query('INSERT INTO plants (id) VALUES ($1)', [String(id)]);
  const text = 'INSERT INTO plant_store_tokens (name, hash, created_at) VALUES ($1, $2, $3)';
  await query(text, [tokenName, tokenHash, String(Date.now())]);
}

/**
 * Requires a table `plants`, of which this user sees all rows, with ids that are int64: in a narrower column the
 * database would look for others, in one of another type not at all.
 * @throws OperatorError naming what is wrong.
 */
export async function requirePlants(query: Query): Promise<void> {
  if (!(await exists(query, 'plants'))) {
    throw new OperatorError(
      'The table plants is gone. Restore it, or make an empty one: CREATE TABLE plants (id bigint PRIMARY KEY)',
    );
  }
  // A view whose triggers do the work locks nothing: two could delete the same plant.
  if (!(await exists(query, 'plants', ['r', 'p', 'f']))) {
    throw new OperatorError('There is a view named plants where the service needs a table.');
  }
  const text = `SELECT format_type(atttypid, atttypmod) FROM pg_attribute
    WHERE attrelid = to_regclass('plants') AND attname = 'id' AND NOT attisdropped`;
  const type = (await query(text)).rows[0]?.[0];
  if (type !== 'bigint') {
    throw new OperatorError(
      `The table plants needs a column id of type bigint${typeof type === 'string' ? `, not ${type}` : ''}.`,
    );
  }
  // A plant that a policy hides would be answered 404.
  if ((await query("SELECT row_security_active('plants')")).rows[0]?.[0] === 't') {
    throw new OperatorError(
      'Row-level security may hide plants from this user: let it see all rows, with ALTER ROLE … BYPASSRLS or as the owner of the table.',
    );
  }
}

/** @param kinds those of https://www.postgresql.org/docs/current/catalog-pg-class.html; any by default. */
async function exists(query: Query, table: string, kinds?: readonly string[]): Promise<boolean> {
  // From pg_class, because reading a table makes the server learn of what others have made since; to_regclass alone may not know.
  const { rows } = await query('SELECT relkind FROM pg_class WHERE oid = to_regclass($1)', [table]);
  return rows.some(([kind]) => kinds?.includes(kind ?? '') ?? true);
}
