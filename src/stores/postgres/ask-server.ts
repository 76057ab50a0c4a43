import pg from 'pg';

/** Timeout of the connection and of the response, in milliseconds. */
const TIMEOUT = 2_000;

/** Runs a statement on a connection of its own. @returns its first row, or undefined. */
export async function askServer(server: string, statement: string): Promise<readonly string[] | undefined> {
  const client = new pg.Client({
    connectionString: server,
    connectionTimeoutMillis: TIMEOUT,
    query_timeout: TIMEOUT,
    fallback_application_name: 'plant-store',
  });
  // The pending query rejects with this error too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<string[]>({ text: statement, rowMode: 'array' })).rows[0];
  } finally {
    // Not awaited: a frozen server never closes its side.
    void client.end();
  }
}
