/**
 * The load of requests.lua and its line of JSON, by autocannon. Arguments: port, connections,
 * seconds, then those of requests.lua. Without the latter it sends the request that comes from
 * standard input as JSON: method, path, headers and body.
 */
import autocannon from 'autocannon';
import { text } from 'node:stream/consumers';

const [port, connections, seconds, ...deletes] = process.argv.slice(2);
const durations = [];
const start = performance.now();
const run = autocannon({
  url: `http://127.0.0.1:${port}`,
  connections: Number(connections),
  duration: Number(seconds),
  requests: [deletes.length > 0 ? numberedDelete(...deletes) : JSON.parse(await text(process.stdin))],
});
run.on('response', (_client, _status, _bytes, duration) => durations.push(duration));
const { errors, timeouts, non2xx: refused } = await run;
const elapsed = (performance.now() - start) / 1000;
durations.sort((a, b) => a - b);
const [p50, p99] = [0.5, 0.99].map((share) => durations[Math.floor(durations.length * share)] ?? 0);
const result = { requests: durations.length, seconds: elapsed, refused, broken: errors + timeouts, p50, p99 };
console.log(JSON.stringify(result));

/** A DELETE request whose path carries a number that goes on from request to request. */
function numberedDelete(path, token, first, step, modulus) {
  let number = Number(first);
  return {
    method: 'DELETE',
    path,
    headers: token === '-' ? {} : { authorization: `Bearer ${token}` },
    setupRequest: (request) => {
      const text = String(number);
      number = (number + Number(step)) % Number(modulus);
      return { ...request, path: path.replace('%d', text) };
    },
  };
}
