import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SqliteConnection } from '../../src/stores/sqlite/driver.ts';
import { ownPostgres, type OwnPostgres } from '../../test/support/own-postgres.ts';
import { run } from '../../test/support/postgres.ts';
import { CLI } from '../../test/support/workplace.ts';

const DATA = fileURLToPath(new URL('../../data/', import.meta.url));

/** A store with one token and the plants 0 … n − 1. */
export interface Database {
  /** For DATABASE_URL. */
  readonly url: string;
  /** The SQLite file; '' on PostgreSQL. */
  readonly file: string;
  readonly token: string;
}

/** Makes databases on the project's disk: a temporary folder may be in memory. */
export class Databases {
  readonly folder: string;
  readonly #templates = new Map<number, Database>();
  #postgres: OwnPostgres | undefined;
  #count = 0;

  constructor() {
    mkdirSync(DATA, { recursive: true });
    this.folder = mkdtempSync(join(DATA, 'bench-'));
    // A server of PostgreSQL, which runs as another user than root, has its files in there.
    chmodSync(this.folder, 0o711);
  }

  /**
   * Makes an SQLite database of its own by copying.
   * @param keepsPlants it puts each deleted plant back itself, in the same commit.
   */
  async onSqlite(plants: number, keepsPlants: boolean): Promise<Database> {
    const file = join(this.folder, `bench_${this.#count++}`);
    const template = this.#templates.get(plants) ?? (await this.#template(plants));
    this.#templates.set(plants, template);
    await copyFile(template.file, file);
    if (keepsPlants) {
      const trigger = 'CREATE TRIGGER keep AFTER DELETE ON plants BEGIN INSERT INTO plants (id) VALUES (old.id); END';
      new SqliteConnection(file).exec(trigger).close();
    }
    return { file, url: `sqlite:${file}`, token: template.token };
  }

  async #template(plants: number): Promise<Database> {
    const file = join(this.folder, `template-${plants}`);
    const url = `sqlite:${file}`;
    const token = await createToken(url);
    const ids = `WITH RECURSIVE ids (id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM ids LIMIT ${plants})`;
    new SqliteConnection(file).exec(`${ids} INSERT INTO plants (id) SELECT id FROM ids`).close();
    return { file, url, token };
  }

  /** Makes a PostgreSQL database of its own. */
  async onPostgres(plants: number): Promise<Database> {
    // With its own defaults, and its files on the project's disk.
    this.#postgres ??= await ownPostgres({ fsync: 'on' }, { folder: join(this.folder, 'postgres'), segment: 16 });
    const url = await this.#postgres.createDatabase();
    const token = await createToken(url);
    const fill = `INSERT INTO plants SELECT generate_series(0, ${plants - 1})`;
    // Writing them to the disk is not to be part of the measurement.
    await run(url, fill, 'VACUUM ANALYZE plants', 'CHECKPOINT');
    return { file: '', url, token };
  }

  /** Removes the files of a database that is not used any more. */
  async discard({ file }: Database): Promise<void> {
    if (file === '') return;
    for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`, { force: true });
  }

  async close(): Promise<void> {
    await this.#postgres?.close();
    await rm(this.folder, { recursive: true });
  }
}

/** Creates the tables of a database with a token. */
async function createToken(url: string): Promise<string> {
  const env = { ...process.env, DATABASE_URL: url };
  return (await promisify(execFile)(process.execPath, [CLI, 'tokens', 'create', 'bench'], { env })).stdout.trim();
}
