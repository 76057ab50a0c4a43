/**
 * Our server, composed of its own modules around a store for which every delete is true at once, so that the contract layer alone is measured, with
 * tokens in SQLite.
 * BENCH_OPERATIONS=n: the contract has n operations, that of the plants last.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { dist, contract as contractFile, file, port } from './settings.mjs';

const load = (name) => import(new URL(name, dist));
const [{ createApp }, { createServer }, { loadContract }, { plantHandlers }, { bearerVerifier }, { tokenVerifier }] =
  await Promise.all(
    ['app.js', 'server.js', 'contract/load.js', 'plants/handlers.js', 'auth/bearer.js', 'auth/verify-token.js'].map(
      load,
    ),
  );
const [{ openStores }, { createLog }, { createMetrics }, { limitAttempts }] = await Promise.all(
  ['stores/open.js', 'log.js', 'admin/metrics.js', 'auth/limit-attempts.js'].map(load),
);
const [{ tuneHeap }, { limitYoungGeneration }] = await Promise.all(
  ['commands/tune-heap.js', 'commands/limit-young-generation.js'].map(load),
);

tuneHeap();
const operations = Number(process.env.BENCH_OPERATIONS ?? 1);
const metrics = createMetrics();
const { log } = await createLog({ logLevel: 'warn' });
const { plants, tokens } = await openStores({ kind: 'sqlite', file });
const handlers = {
  ...plantHandlers({
    deletePlant: () => Promise.resolve(true),
    plants,
  }),
};
for (let n = 1; n < operations; n++) handlers[`other${n}`] = () => ({ status: 204 });
const app = await createApp({
  contract: await loadContract(await contractWith(operations)),
  handlers,
  verifiers: {
    bearerAuth: bearerVerifier(
      tokenVerifier(tokens, (error) => {
        throw error;
      }),
    ),
  },
  // As the program has it, without limits as the bench starts the program.
  guard: limitAttempts({ authFailuresPerMinute: 0, tokenRequestsPerMinute: 0 }, (request) => request.ip ?? ''),
  log,
  onAnswer: metrics.answered,
});
const server = createServer(app, log, metrics.answered).listen(port, '127.0.0.1');
limitYoungGeneration(server);
// An orderly end, at which Node writes a profile (`node --cpu-prof`).
process.once('SIGTERM', () => process.exit());

/** The project's contract with further operations, like the plant operation, before it. */
async function contractWith(count) {
  if (count === 1) return pathToFileURL(contractFile);
  const text = await readFile(contractFile, 'utf8');
  const [start, end] = [text.indexOf('\n  /plants/{id}:'), text.indexOf('\ncomponents:')];
  const plant = text.slice(start, end);
  const others = Array.from({ length: count - 1 }, (_, index) =>
    plant.replace('/plants/{id}', `/other${index + 1}/{id}`).replace('deletePlant', `other${index + 1}`),
  );
  const enlarged = `${file}.openapi.yaml`;
  await writeFile(enlarged, text.slice(0, start) + others.join('') + text.slice(start));
  return pathToFileURL(enlarged);
}
