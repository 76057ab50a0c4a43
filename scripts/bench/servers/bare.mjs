/** The limit: node:http with our store and batcher, without contract and authentication. */
import { createServer } from 'node:http';
import { dist, port, store } from './settings.mjs';

const remove = store === 'instant' ? () => Promise.resolve(true) : await batched();
createServer((request, response) => {
  remove(BigInt(request.url.slice('/plants/'.length))).then(
    (deleted) => {
      response.statusCode = deleted ? 204 : 404;
      response.end();
    },
    () => {
      response.statusCode = 503;
      response.end();
    },
  );
}).listen(port, '127.0.0.1');

async function batched() {
  const { batchDeletes } = await import(new URL('stores/batcher.js', dist));
  const { openStores } = await import(new URL('stores/open.js', dist));
  const { readDatabaseUrl } = await import(new URL('stores/database-url.js', dist));
  const { plants, commits } = await openStores(readDatabaseUrl(process.env.DATABASE_URL));
  return batchDeletes((ids) => plants.deletePlants(ids), commits).deletePlant;
}
