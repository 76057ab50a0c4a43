/** The yardstick: node:http and a plain group commit, without contract and authentication. */
import { createServer } from 'node:http';
import pg from 'pg';
import { openDatabase } from './store.mjs';
import { port, store } from './settings.mjs';

const { removeAll, commits } = openStore();
let waiting = [];
let running = 0;
let isScheduled = false;

createServer((request, response) => {
  const id = request.url.slice('/plants/'.length);
  if (store === 'one-by-one') void commit([{ id, response }]);
  else {
    waiting.push({ id, response });
    schedule();
  }
}).listen(port, '127.0.0.1');

/** Commits all requests of one event-loop iteration together. */
function schedule() {
  if (isScheduled || running === commits || waiting.length === 0) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    const requests = waiting;
    waiting = [];
    void commit(requests).then(schedule);
  });
}

async function commit(requests) {
  running += 1;
  const deleted = await removeAll(requests.map(({ id }) => id)).catch(() => undefined);
  running -= 1;
  for (const { id, response } of requests) {
    response.statusCode = deleted === undefined ? 503 : deleted.has(id) ? 204 : 404;
    response.end();
  }
}

/** `removeAll` deletes plants and returns the ids that existed; `commits` is how many may run. */
function openStore() {
  if (store === 'memory') return { commits: 1, removeAll: async (ids) => new Set(ids.filter((id) => Number(id) >= 0)) };
  if (store === 'sqlite') return { commits: 1, removeAll: sqlite() };
  // As many connections as the plant store has by default.
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 5 });
  const text = 'DELETE FROM plants WHERE id = ANY($1::bigint[]) RETURNING id';
  const removeAll = async (ids) => {
    const { rows } = await pool.query({ name: 'delete', text, values: [ids] });
    return new Set(rows.map(({ id }) => id));
  };
  return { commits: 4, removeAll };
}

function sqlite() {
  const db = openDatabase();
  const remove = db.prepare('DELETE FROM plants WHERE id = ?');
  const transaction = db.transaction((ids) => new Set(ids.filter((id) => remove.run(BigInt(id)).changes === 1)));
  return async (ids) => transaction.immediate(ids);
}
