import { SqliteConnection } from '../../src/stores/sqlite/driver.ts';
import { run } from './postgres.ts';
import type { Service } from './service.ts';

type At = Pick<Service, 'database'>;

/** Runs statements on the database of a service, as another program would. */
export async function runElsewhere({ database }: At, ...statements: readonly string[]): Promise<void> {
  if (database.kind === 'postgres') {
    await run(database.url, ...statements);
    return;
  }
  const connection = new SqliteConnection(database.file);
  connection.pragma('foreign_keys = OFF');
  for (const statement of statements) connection.exec(statement);
  connection.close();
}

/** Drops all tables of the database of a service. */
export async function dropTables({ database }: At): Promise<void> {
  if (database.kind === 'postgres') {
    await run(database.url, 'DROP SCHEMA public CASCADE', 'CREATE SCHEMA public');
    return;
  }
  const connection = new SqliteConnection(database.file, { readonly: true });
  const tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
  const names = tables.pluck().all();
  connection.close();
  await runElsewhere({ database }, ...names.map((name) => `DROP TABLE "${String(name)}"`));
}
