/**
 * The load of deletes.lua and its line of JSON, by autocannon. Arguments: port, connections,
 * seconds, then those of deletes.lua.
 */
import autocannon from 'autocannon';

const [port, connections, seconds, path, token, first, step, modulus] = process.argv.slice(2);
let number = Number(first);
const durations = [];
const start = performance.now();
const run = autocannon({
  url: `http://127.0.0.1:${port}`,
  connections: Number(connections),
  duration: Number(seconds),
  requests: [
    {
      method: 'DELETE',
      path,
      headers: token === '-' ? {} : { authorization: `Bearer ${token}` },
      setupRequest: (request) => {
        const text = String(number);
        number = (number + Number(step)) % Number(modulus);
        return { ...request, path: path.replace('%d', text) };
      },
    },
  ],
});
run.on('response', (_client, _status, _bytes, duration) => durations.push(duration));
const { errors, timeouts, non2xx: refused } = await run;
const elapsed = (performance.now() - start) / 1000;
durations.sort((a, b) => a - b);
const [p50, p99] = [0.5, 0.99].map((share) => durations[Math.floor(durations.length * share)] ?? 0);
const result = { requests: durations.length, seconds: elapsed, refused, broken: errors + timeouts, p50, p99 };
console.log(JSON.stringify(result));
