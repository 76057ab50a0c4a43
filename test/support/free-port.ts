import { createServer } from 'node:net';
import { listen } from './listen.ts';

/** Finds a port of 127.0.0.1 on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = await listen(createServer());
  await server.close();
  return server.port;
}
