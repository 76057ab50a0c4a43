/**
 * Shows what each library makes of int64s, invalid requests and wrong responses, for the README of
 * openapi-exact. Run `npm run build` and `npm ci --prefix scripts/bench`, then
 * `node scripts/bench/compare/compare.mjs`.
 */
import { SERVERS } from './servers.mjs';

const EXACT = '9007199254740993';

/** Requests that the contract does not allow: a path, or a body for POST /things. */
const INVALID = [
  ...['1e3', '0x10', '+5', '1.0', '%2012', '007', '9223372036854775808'].map((id) => ({ path: `/things/${id}` })),
  ...['n=1e3', 'n=9223372036854775808', 'n=1&n=2', 'unknown=1'].map((query) => ({ path: `/things/1?${query}` })),
  ...['{"id":9223372036854775808}', '{"id":1.5}', '{"id":"1"}', '{"id":1,"at":"soon"}', '{"id":1,"id":2}'].map(
    (body) => ({ path: '/things', body }),
  ),
];

/** Sends a request. @returns its status and JSON body. */
async function ask(origin, { path, body }) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(origin + path, body === undefined ? {} : { method: 'POST', headers, body });
  const text = await response.text();
  return { status: response.status, id: /"id":"(.*?)"/.exec(text)?.[1] };
}

async function rowOf(server) {
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const inPath = await ask(origin, { path: `/things/${EXACT}` });
  const inBody = await ask(origin, { path: '/things', body: `{"id":${EXACT}}` });
  const answers = await Promise.all(INVALID.map((request) => ask(origin, request)));
  const accepted = answers.filter(({ status }) => status < 300).length;
  const kinds = ['status', 'body', 'header'];
  const wrong = await Promise.all(kinds.map((kind) => ask(origin, { path: `/wrong/${kind}` })));
  const checked = kinds.filter((_, index) => wrong[index].status === 500);
  server.close();
  server.closeAllConnections();
  const exact = (id) => (id === EXACT ? 'exact' : `became ${id}`);
  return [exact(inPath.id), exact(inBody.id), `${accepted} of ${INVALID.length}`, checked.join(', ') || 'none'];
}

console.log('| library | int64 in a path | int64 in a body | invalid requests accepted | responses checked |');
console.log('|---|---|---|---|---|');
for (const [name, serve] of Object.entries(SERVERS)) {
  console.log(`| ${[name, ...(await rowOf(await serve()))].join(' | ')} |`);
}
process.exit(0);
