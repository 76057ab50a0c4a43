/** The limit: node:http with our store and batcher, without contract and authentication. */
import { createServer } from 'node:http';
import { dist, file, port, store } from './settings.mjs';

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
  const { plants } = await openStores({ databaseFile: file });
  return batchDeletes((ids) => {
    globalThis.nb = (globalThis.nb ?? 0) + 1;
    globalThis.ni = (globalThis.ni ?? 0) + ids.length;
    return plants.deletePlants(ids);
  });
}

setInterval(() => {
  if (globalThis.nb) console.error(process.argv[1].slice(-20), 'avg batch', (globalThis.ni / globalThis.nb).toFixed(1));
  globalThis.nb = globalThis.ni = 0;
}, 3000).unref();
