import { dist, port } from './settings.mjs';
import express from 'express';
const { createServer } = await import(new URL('server.js', dist));
const { createLog } = await import(new URL('log.js', dist));
const { respond } = await import(new URL('contract/respond.js', dist));
const { logRequests } = await import(new URL('request-log.js', dist));
const log = await createLog({ logLevel: 'warn' });
const app = express();
app.disable('x-powered-by');
const begin = logRequests(log);
app.use((q, r) => {
  begin(q, r);
  respond(r, { status: 204 });
});
createServer(app, log).listen(port);
