import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from './app.ts';

const app = await createApp(await mkdtemp(join(tmpdir(), 'garden-')));
// How long a client may take to send and to read on, and how many connections there may be.
const server = createServer(
  { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 },
  app,
);
server.maxConnections = 1_000;
server.timeout = 120_000;
server.listen(3000, () => {
  console.log('The garden is at http://127.0.0.1:3000, for the bearer token secret-token.');
});
