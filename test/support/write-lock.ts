import { SqliteConnection } from '../../src/stores/sqlite/driver.ts';

/** Runs something while this process holds the write lock of a SQLite file. */
export async function whileLocked<T>(file: string, work: (release: () => void) => Promise<T>): Promise<T> {
  const connection = new SqliteConnection(file, { timeout: 5_000 });
  const release = (): void => {
    if (connection.inTransaction) connection.exec('ROLLBACK');
  };
  try {
    connection.exec('BEGIN IMMEDIATE');
    return await work(release);
  } finally {
    release();
    connection.close();
  }
}
