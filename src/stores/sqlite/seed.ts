import type Database from 'better-sqlite3';

/** What a store that is created holds from its first moment on. */
export interface Sample {
  readonly plants: readonly bigint[];
  readonly tokenName: string;
  readonly tokenHash: string;
}

/** Fills an empty database with a sample. */
export function seedWith({ plants, tokenName, tokenHash }: Sample): (connection: Database.Database) => void {
  return (connection) => {
    const plant = connection.prepare('INSERT INTO plants (id) VALUES (?)');
    for (const id of plants) plant.run(id);
    connection
      .prepare('INSERT INTO tokens (name, hash, created_at) VALUES (?, ?, ?)')
      .run(tokenName, tokenHash, BigInt(Date.now()));
  };
}
