import type Database from 'better-sqlite3';
import type { Sample } from '../sample.ts';

/** Fills an empty database with the sample. */
export function seedWith({ plants, tokenName, tokenHash }: Sample): (connection: Database.Database) => void {
  return (connection) => {
    const plant = connection.prepare('INSERT INTO plants (id) VALUES (?)');
    for (const id of plants) plant.run(id);
    connection
      .prepare('INSERT INTO tokens (name, hash, created_at) VALUES (?, ?, ?)')
      .run(tokenName, tokenHash, BigInt(Date.now()));
  };
}
