import { dist, port } from './settings.mjs';
import express from 'express';
const { createServer } = await import(new URL('server.js', dist));
const { createLog } = await import(new URL('log.js', dist));
const app = express();
app.disable('x-powered-by');
app.use((q, r) => {
  r.writeHead(204, ['a', 'b']).end();
});
createServer(app, await createLog({ logLevel: 'warn' })).listen(port);
