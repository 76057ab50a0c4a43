/** The same load as deletes.lua and the same line of JSON, by autocannon. Arguments: port, connections, seconds, then those of deletes.lua. */
import autocannon from 'autocannon';

const [port, connections, seconds, path, token, contentType, first, step, modulus] = process.argv.slice(2);
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
        const type = contentType === '-' ? {} : { 'content-type': contentType.replace('%d', text) };
        return { ...request, path: path.replace('%d', text), headers: { ...request.headers, ...type } };
      },
    },
  ],
});
run.on('response', (_client, _status, _bytes, duration) => durations.push(duration));
const { errors, timeouts, non2xx } = await run;
const elapsed = (performance.now() - start) / 1000;
durations.sort((a, b) => a - b);
const percentile = (p) => durations[Math.min(durations.length - 1, Math.floor(durations.length * p))] ?? 0;
console.log(
  JSON.stringify({
    requests: durations.length,
    seconds: elapsed,
    refused: non2xx,
    broken: errors + timeouts,
    p50: percentile(0.5),
    p99: percentile(0.99),
  }),
);
