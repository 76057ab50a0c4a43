import Sqlite from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contestant } from './contestants.ts';
import { nodeArgs, thisNode, type NodeRuntime } from './install.ts';
import { startPostgres, type PostgresDatabases } from './postgres.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const CLI = join(ROOT, 'dist', 'cli.js');

/** A store with the plants 0 … n − 1 and one token. */
export interface Database {
  /** For DATABASE_URL. */
  readonly url: string;
  /** The SQLite file, or where files about another store may be. */
  readonly file: string;
  readonly token: string;
}

/** Makes databases for servers, on the disk of the project: a temporary folder may be in memory, where a commit costs nothing. */
export interface Databases {
  readonly folder: string;
  /** A store of its own with the plants 0 … n − 1. */
  fresh(plants: number, store?: Contestant['store']): Promise<Database>;
  /** A file with ids, one per line. */
  idFile(name: string, ids: Iterable<bigint | number>): Promise<string>;
  remove(): Promise<void>;
}

export async function openDatabases(): Promise<Databases> {
  await mkdir(join(ROOT, 'data'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, 'data', 'bench-'));
  const templates = new Map<number, Promise<Database>>();
  let count = 0;
  let postgres: Promise<PostgresDatabases> | undefined;

  async function template(plants: number): Promise<Database> {
    const file = join(folder, `template-${plants}.db`);
    const url = `sqlite:${file}`;
    const token = (await cli(url, ['tokens', 'create', 'bench'])).trim();
    if (plants > 0) {
      const ids = await idFile(`template-${plants}.txt`, range(0, plants - 1));
      await cli(url, ['plants', 'import', ids]);
      await rm(ids);
    }
    return { url, file, token };
  }

  async function idFile(name: string, ids: Iterable<bigint | number>): Promise<string> {
    const file = join(folder, name);
    const out = createWriteStream(file);
    let text = '';
    for (const id of ids) {
      text += `${id}\n`;
      if (text.length < 1_000_000) continue;
      if (!out.write(text)) await once(out, 'drain');
      text = '';
    }
    out.end(text);
    await once(out, 'close');
    return file;
  }

  return {
    folder,
    fresh: async (plants, store = 'sqlite') => {
      const file = join(folder, `${(count++).toString()}.db`);
      if (store === 'postgres') return { file, ...(await (await (postgres ??= startPostgres())).fresh(plants)) };
      const made = templates.get(plants) ?? template(plants);
      templates.set(plants, made);
      const { file: from, token } = await made;
      await copyFile(from, file);
      return { url: `sqlite:${file}`, file, token };
    },
    idFile,
    remove: async () => {
      await (await postgres)?.remove();
      await rm(folder, { recursive: true });
    },
  };
}

/** Makes a SQLite store put each deleted plant back, within the same commit: a delete writes the page that it writes anyway. */
export function keepPlants({ file }: Database): void {
  const connection = new Sqlite(file);
  connection.exec('CREATE TRIGGER keep AFTER DELETE ON plants BEGIN INSERT INTO plants (id) VALUES (old.id); END');
  connection.close();
}

function* range(first: number, last: number): Generator<number> {
  for (let id = first; id <= last; id++) yield id;
}

/** Runs one of our commands on a database. @returns its standard output. */
export async function cli(url: string, args: readonly string[], node: NodeRuntime = thisNode()): Promise<string> {
  const child = spawn(node.binary, [...nodeArgs(node), CLI, ...args], {
    env: { ...process.env, DATABASE_URL: url, BENCH_NATIVE: node.native },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  // The event's arguments: https://nodejs.org/api/child_process.html#event-close
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`plant-store ${args.join(' ')} failed.`);
  return text;
}
