import { once } from 'node:events';
import { createServer as createSocket, type AddressInfo, type Server as Socket } from 'node:net';
import type { Request } from 'express';
import type { Logger } from 'pino';
import { createAdminServer } from '../admin/admin-server.ts';
import { createHealth } from '../admin/health.ts';
import { createMetrics } from '../admin/metrics.ts';
import type { Metrics } from '../admin/prometheus.ts';
import { createApp, type Dependencies } from '../app.ts';
import { createAudit } from '../logging/audit-log.ts';
import { bearerVerifier, type VerifyBearer } from '../auth/bearer.ts';
import { limitAttempts } from '../auth/rate-limit.ts';
import { tokenVerifier } from '../auth/tokens/verify-token.ts';
import type { Config } from '../config.ts';
import { checkContract } from '../contract/prepare.ts';
import { loadContract, type Contract } from '../contract/document/load.ts';
import { Docs } from '../docs/docs.ts';
import { codeOf, messageOf, OperatorError } from '../errors.ts';
import { EventLoopBatch } from '../http/event-loop-batch.ts';
import { createLog } from '../logging/logger.ts';
import { plantChecks, plantHandlers } from '../plants/handlers.ts';
import { corsHeaders } from '../http/cors.ts';
import { createServer } from '../http/server.ts';
import { batchDeletes } from '../stores/group-commit.ts';
import { nameOf } from '../stores/database-url.ts';
import { openStores, type Opening } from '../stores/open.ts';
import type { Stores } from '../stores/stores.ts';
import { firstRun, reminder, shownToken, welcome, writtenToken } from './first-run.ts';
import { openWhenReachable } from './open-when-reachable.ts';
import { stopOnSignal, stopOnUncaught, stopper } from './shutdown.ts';
import type { TrustedProvider } from '../auth/jwt/trusted-provider.ts';

const CONTRACT = new URL('../../openapi.yaml', import.meta.url);

/** Serves the operations of the contract until the process is told to stop. */
export async function startServer(config: Config): Promise<void> {
  const { host, port, adminHost, adminPort, production } = config;
  const { log, print } = await createLog(config);
  const contract = await loadContract(CONTRACT).catch(async (error: unknown) => {
    // Says all that is wrong with it, as `npm run generate` does.
    await checkContract(CONTRACT);
    throw error;
  });
  const database = nameOf(config.database);
  const metrics = createMetrics();
  let checkStore = (): Promise<void> => Promise.reject(new Error(`The database ${database} is being opened.`));
  const health = createHealth(() => checkStore());
  const admin = createAdminServer(health, metrics, config);
  // Until the listener of the contract is there, nothing has begun that has to end in order.
  let stop = (): void => {
    log.info('stopped');
    process.exit();
  };
  stopOnSignal(() => {
    stop();
  });
  const opened: (() => unknown)[] = [];
  try {
    // The token of a first start is shown once: a start that cannot listen must end before it makes the database.
    const rehearsal = await listen(createSocket(), host, port, 'PORT');
    await listen(admin, adminHost, adminPort, 'ADMIN_PORT').finally(() => rehearsal.close());
    opened.push(() => admin.close());
    const sample = firstRun();
    const opening: Opening = {
      sample: production ? undefined : sample,
      onLost: (error) => {
        // Not the error itself: pg gives it the connection, with all its settings.
        log.warn({ reason: messageOf(error), code: codeOf(error) }, 'a connection to the database has ended');
      },
      onExposed: (command) => {
        log.warn({ command }, `other users can open the database; close it with: ${command}`);
      },
    };
    const onWait = (reason: string): void => {
      checkStore = () => Promise.reject(new Error(reason));
    };
    const stores = await openWhenReachable(() => openStores(config.database, opening), onWait, log);
    opened.push(stores.close);
    const isNew = stores.created && !production;
    const show = isNew && process.stdout.isTTY;
    const written = isNew && !show ? await writtenToken(sample, config.database, stores.tokens, log) : undefined;
    const provider = await trustedProvider(config, log);
    if (provider !== undefined) opened.push(provider.close);
    const iteration = new EventLoopBatch();
    const cors = config.corsOrigins.length === 0 ? undefined : corsHeaders(config.corsOrigins);
    const parts = dependencies(config, contract, stores, metrics, log, iteration, provider?.verifyJwt);
    const app = await createApp({ ...parts, cors });
    const server = createServer(app, log, metrics.answered, { ...config, iteration, cors });
    const stopInOrder = stopper({
      server,
      admin,
      timeout: config.shutdownTimeout,
      onStop: health.stopping,
      closeStores: () => {
        provider?.close();
        return stores.close();
      },
      log,
    });
    // A pooler or missing rights may refuse what only serving needs: then nothing listens.
    await stores.check();
    const hasTokens = (await stores.tokens.listTokens()).length > 0;
    await listen(server, host, port, 'PORT');
    opened.push(() => server.close());
    stop = stopInOrder;
    checkStore = stores.check;
    for (const one of [server, admin]) {
      // A connection that the system could not hand over, for want of memory or descriptors, ends nothing else.
      one.on('error', (err) => {
        log.error({ err }, 'a connection was not accepted');
      });
    }
    stopOnUncaught(stop, log);
    void stores.failed.then((err) => {
      // Whatever was answered is true; a new process finds out what the file holds.
      log.fatal({ err }, 'the store can no longer be written: the service ends');
      process.exitCode = 1;
      stop();
    });
    log.info({ url: urlOf(server, host), admin: urlOf(admin, adminHost), database }, 'listening');
    if (production && stores.created) log.warn({ database }, 'an empty database was made');
    if (!hasTokens) {
      log.warn('There is no token yet, so every request is refused. Make one: plant-store tokens create <name>');
    }
    if (production) return;
    const url = urlOf(server, reachableAt(host));
    const token = show ? shownToken(sample.token) : written;
    print(token === undefined ? reminder(url, config.docs) : welcome(url, token, config.docs));
  } catch (error) {
    // What stays open would keep the process alive.
    for (const close of opened) await close();
    throw error;
  }
}

async function trustedProvider({ identityProvider }: Config, log: Logger): Promise<TrustedProvider | undefined> {
  if (identityProvider === null) return undefined;
  // Loaded where it is needed: a start without it has less to read.
  const { trustProvider } = await import('../auth/jwt/trusted-provider.ts');
  return trustProvider(identityProvider, log);
}

function dependencies(
  config: Config,
  contract: Contract,
  { plants, tokens, commits }: Stores,
  metrics: Metrics,
  log: Logger,
  iteration: EventLoopBatch,
  verifyJwt: VerifyBearer | undefined,
): Dependencies {
  // Every request that is authenticated is one of Express, which finds the client behind the proxies.
  const { guard, requireFailureLeft } = limitAttempts(config, (request) => (request as Request).ip ?? '');
  const onUseNotNoted = (err: unknown): void => {
    log.warn({ err }, 'the last use of a token could not be noted');
  };
  const verifyToken = tokenVerifier(tokens, onUseNotNoted, requireFailureLeft);
  const { deletePlant, length: queueLength } = batchDeletes(
    async (ids) => {
      const start = performance.now();
      try {
        return await plants.deletePlants(ids);
      } finally {
        metrics.committed(ids.length, (performance.now() - start) / 1000);
      }
    },
    commits,
    (task) => {
      iteration.run(task);
    },
  );
  metrics.queue(queueLength);
  return {
    contract,
    handlers: plantHandlers({ deletePlant, plants }),
    checks: plantChecks({ plants }),
    verifiers: { bearerAuth: bearerVerifier(verifyToken, verifyJwt) },
    guard,
    log,
    onChange: createAudit(log, config.audit),
    onAnswer: metrics.answered,
    trustProxy: config.trustProxy,
    docs: config.docs ? new Docs(contract) : undefined,
  };
}

async function listen<T extends Socket>(socket: T, host: string, port: number, variable: string): Promise<T> {
  // More than Node's 511: many clients may come back at once.
  socket.listen({ port, host, backlog: 4_096 });
  try {
    await once(socket, 'listening');
    return socket;
  } catch (cause) {
    const code = codeOf(cause);
    const reason =
      code === 'EADDRINUSE'
        ? `another process, or this one, listens there. Stop it, or choose another ${variable}.`
        : `${messageOf(cause)}. Choose another ${variable.replace('PORT', 'HOST')} or ${variable}.`;
    throw new OperatorError(`Cannot listen on ${host}:${port}: ${reason}`, { cause });
  }
}

function urlOf(server: Socket, host: string): string {
  // A server that listens on a host and port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** An address of this machine where a listener is reached: one on every address is, at the loopback one. */
function reachableAt(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
