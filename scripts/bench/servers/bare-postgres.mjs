/** node:http and pg as their READMEs have them: one statement, and so one durable commit, for each request. */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { port } from './settings.mjs';

// That of the project, since the bench has none of its own.
const { Pool } = createRequire(import.meta.url)('../../../node_modules/pg');
// As many connections as our server has.
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 5 });
createServer((request, response) => {
  // Prepared once for each connection, the fastest that pg knows.
  const remove = {
    name: 'delete',
    text: 'DELETE FROM plants WHERE id = $1',
    values: [request.url.slice('/plants/'.length)],
  };
  pool.query(remove).then(
    ({ rowCount }) => {
      response.statusCode = rowCount === 1 ? 204 : 404;
      response.end();
    },
    () => {
      response.statusCode = 503;
      response.end();
    },
  );
}).listen(port, '127.0.0.1');
