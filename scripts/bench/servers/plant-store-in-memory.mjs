/**
 * The plant store around a store in memory in which every id from 0 is a plant: the contract layer
 * alone. Tokens, log and metrics are as in the program.
 */
import { pathToFileURL } from 'node:url';
import { loadContract } from 'openapi-exact';
import { contract as contractFile, file, port } from './settings.mjs';

/** The built program. */
const MODULES = new URL('../../../dist/', import.meta.url);
const load = (name) => import(new URL(name, MODULES));

const { createApp } = await load('app.js');
const { createServer } = await load('http/server.js');
const { plantHandlers } = await load('plants/handlers.js');
const { bearerVerifier } = await load('auth/bearer.js');
const { TokenVerifier } = await load('auth/tokens/verify-token.js');
const { AttemptLimiter } = await load('auth/rate-limit.js');
const { openStores } = await load('stores/open.js');
const { createLog } = await load('logging/logger.js');
const { DeferredMetrics } = await load('admin/metrics.js');

const metrics = new DeferredMetrics();
const { log } = await createLog({ logLevel: 'warn' });
const { tokens } = await openStores({ kind: 'sqlite', file });
const limits = { authFailuresPerMinute: 0, tokenRequestsPerMinute: 0 };
const guard = new AttemptLimiter(limits, (request) => request.ip ?? '');
const requireFailureLeft = (request) => guard.requireFailureLeft(request);
const app = await createApp({
  contract: await loadContract(pathToFileURL(contractFile)),
  handlers: plantHandlers({ deletePlant: async (id) => id >= 0n }),
  verifiers: { bearerAuth: bearerVerifier(new TokenVerifier(tokens, (error) => log.warn(error), requireFailureLeft)) },
  guard,
  log,
  onAnswer: metrics.answered,
});
createServer(app, log, metrics.answered).listen(port, '127.0.0.1');
