import Sqlite from 'better-sqlite3';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ownPostgres, type OwnPostgres } from '../../test/support/own-postgres.ts';
import { run } from '../../test/support/postgres.ts';

const DATA = fileURLToPath(new URL('../../data/', import.meta.url));
/** The built program. */
export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** A store with one token and the plants 0 … n − 1. */
export interface Database {
  /** For DATABASE_URL. */
  readonly url: string;
  /** The SQLite file; where files about another store may be. */
  readonly file: string;
  readonly token: string;
}

/** What a database is to hold. */
export interface Content {
  readonly kind: 'sqlite' | 'postgres';
  readonly plants: number;
  /** The store itself puts each deleted plant back, in the same commit. */
  readonly keepsPlants?: boolean;
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

  /** Makes a database of its own; in SQLite by copying. */
  async fresh({ kind, plants, keepsPlants = false }: Content): Promise<Database> {
    const name = `bench_${this.#count++}`;
    const file = join(this.folder, name);
    if (kind === 'postgres') return { file, ...(await this.#onPostgres(plants)) };
    const template = this.#templates.get(plants) ?? (await this.#template(plants));
    this.#templates.set(plants, template);
    await copyFile(template.file, file);
    if (keepsPlants) {
      const trigger = 'CREATE TRIGGER keep AFTER DELETE ON plants BEGIN INSERT INTO plants (id) VALUES (old.id); END';
      new Sqlite(file).exec(trigger).close();
    }
    return { file, url: `sqlite:${file}`, token: template.token };
  }

  async #template(plants: number): Promise<Database> {
    const file = join(this.folder, `template-${plants}`);
    const url = `sqlite:${file}`;
    const token = await plantStore(url, 'tokens', 'create', 'bench');
    await writeFile(`${file}.txt`, idLines(plants));
    await plantStore(url, 'plants', 'import', `${file}.txt`);
    await rm(`${file}.txt`);
    return { file, url, token };
  }

  async #onPostgres(plants: number): Promise<{ readonly url: string; readonly token: string }> {
    const url = await (await this.#server()).createDatabase();
    const token = await plantStore(url, 'tokens', 'create', 'bench');
    const fill = `INSERT INTO plants SELECT generate_series(0, ${plants - 1})`;
    // Writing them to the disk is not to be part of the measurement.
    await run(url, fill, 'VACUUM ANALYZE plants', 'CHECKPOINT');
    return { url, token };
  }

  /** PostgreSQL with its own defaults, and its files on the project's disk. */
  async #server(): Promise<OwnPostgres> {
    this.#postgres ??= await ownPostgres({ fsync: 'on' }, { folder: join(this.folder, 'postgres'), segment: 16 });
    return this.#postgres;
  }

  /** Removes the files of a database that is not used any more. */
  async discard({ file }: Database): Promise<void> {
    for (const suffix of ['', '-wal', '-shm', '.log']) await rm(`${file}${suffix}`, { force: true });
  }

  async close(): Promise<void> {
    await this.#postgres?.close();
    await rm(this.folder, { recursive: true });
  }
}

/** Runs a command of the plant store on a database. @returns its standard output. */
async function plantStore(url: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: url };
  return (await promisify(execFile)(process.execPath, [CLI, ...args], { env })).stdout.trim();
}

/** The lines of a file with the ids 0 … n − 1, many at a time. */
function* idLines(count: number): Generator<string> {
  const many = 100_000;
  for (let first = 0; first < count; first += many) {
    yield Array.from({ length: Math.min(many, count - first) }, (_, index) => `${first + index}\n`).join('');
  }
}
