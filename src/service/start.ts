import type { Server } from 'node:http';
import { createServer as createSocket } from 'node:net';
import type { Logger } from 'pino';
import { createAdminServer } from '../admin/admin-server.ts';
import { Health } from '../admin/health.ts';
import { DeferredMetrics } from '../admin/metrics.ts';
import { createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { loadContract, type Contract } from 'openapi-exact';
import { codeOf, DatabaseUnreachableError, messageOf, StoreError } from '../errors.ts';
import { EventLoopBatch } from '../http/event-loop-batch.ts';
import { createLog } from '../logging/logger.ts';
import { corsHeaders } from '../http/cors.ts';
import { createServer } from '../http/server.ts';
import { databaseName } from '../stores/database-url.ts';
import { isLasting } from '../stores/postgres/advice.ts';
import { openStores } from '../stores/open.ts';
import type { Opening, Sample, Stores } from '../stores/stores.ts';
import { dependencies } from './dependencies.ts';
import { firstRun, reminder, shownToken, welcome, writtenToken, type FirstToken } from './first-run.ts';
import { listen, reachableAt, urlOf } from './listen.ts';
import { untilReachable } from './until-reachable.ts';
import { stopOnSignal, stopOnUncaught, stopper } from './shutdown.ts';
import type { TrustedProvider } from '../auth/jwt/trusted-provider.ts';

/** Pause between the start and the search for damage, in milliseconds. */
const INSPECT_AFTER = 1_000;

const CONTRACT = new URL('../../openapi.yaml', import.meta.url);

/** Serves the operations of the contract until a signal stops the process. */
export async function startServer(config: Config): Promise<void> {
  const { log, print } = await createLog(config);
  const service = new Service(config, log, await loadContract(CONTRACT));
  stopOnSignal(() => {
    service.stop();
  });
  try {
    await service.openAdmin();
    const sample = firstRun();
    const stores = await service.openStores(sample);
    const token = await service.publishToken(sample, stores);
    const { server, stop } = await service.compose(stores);
    await service.waitUntilUsable(stores);
    const hasTokens = (await stores.tokens.listTokens()).length > 0;
    await service.listen(server, stop, stores);
    service.inspect(stores);
    service.report(server, stores, hasTokens);
    if (!config.production) print(bannerOf(config, server, token));
    // Process managers that start a service with a channel wait for it.
    process.send?.('ready');
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** The parts of the service in the order of its start. */
class Service {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #contract: Contract;
  readonly #database: string;
  readonly #metrics: DeferredMetrics;
  readonly #health = new Health(() => this.#checkStore());
  readonly #admin: Server;
  /** Close the open parts after a failed start: they would keep the process alive. */
  readonly #closers: (() => unknown)[] = [];
  /** Until the service listens, readiness fails with the reason. */
  #checkStore: () => Promise<void>;
  /** Until the service listens, there is nothing to shut down gracefully. */
  #stop = (): void => {
    this.#log.info('stopped');
    process.exit();
  };

  constructor(config: Config, log: Logger, contract: Contract) {
    this.#config = config;
    this.#log = log;
    this.#contract = contract;
    this.#metrics = new DeferredMetrics((error) => {
      log.warn({ reason: messageOf(error) }, 'metrics not loaded, trying again');
    });
    this.#database = databaseName(config.database);
    this.#checkStore = () => Promise.reject(new Error(`The database ${this.#database} is being opened.`));
    this.#admin = createAdminServer(this.#health, this.#metrics, config);
  }

  stop(): void {
    this.#stop();
  }

  /** Closes what a failed start has opened. */
  async close(): Promise<void> {
    for (const close of this.#closers) await close();
  }

  /**
   * Opens the operators' listener, after a test of the contract's address: a start that cannot
   * listen must not create the database, whose first token is shown only once.
   */
  async openAdmin(): Promise<void> {
    const { host, port, adminHost, adminPort } = this.#config;
    const rehearsal = await listen(createSocket(), host, port, 'PORT');
    await listen(this.#admin, adminHost, adminPort, 'ADMIN_PORT').finally(() => rehearsal.close());
    this.#closers.push(() => this.#admin.close());
  }

  /** Opens the stores, once the database is reachable. */
  async openStores(sample: Sample): Promise<Stores> {
    const opening: Opening = {
      sample: this.#config.production ? undefined : sample,
      onLost: (error) => {
        // Not the error itself: pg attaches the connection with all its settings.
        this.#log.warn({ reason: messageOf(error), code: codeOf(error) }, 'database connection lost');
      },
      onCommit: this.#metrics.committed,
      onExposed: (command) => {
        this.#log.warn({ command }, `other users can open the database; close it with: ${command}`);
      },
    };
    const stores = await this.#waitFor(() => openStores(this.#config.database, opening));
    this.#closers.push(stores.close);
    return stores;
  }

  /**
   * Waits while deletes would fail temporarily, for example while commits hang. Rejects with a
   * StoreError for a lasting failure, such as a missing privilege, and for any failure of SQLite.
   */
  async waitUntilUsable(stores: Stores): Promise<void> {
    await this.#waitFor(async () => {
      try {
        await stores.check();
      } catch (error) {
        if (!(error instanceof StoreError) || this.#config.database.kind === 'sqlite') throw error;
        if (isLasting(codeOf(error.cause), messageOf(error.cause))) throw error;
        throw new DatabaseUnreachableError(`The database ${this.#database} is not usable: ${error.message}`);
      }
    });
  }

  #waitFor<T>(work: () => Promise<T>): Promise<T> {
    return untilReachable(work, {
      onFailure: (reason) => {
        this.#checkStore = () => Promise.reject(new Error(reason));
      },
      onReport: (reason) => {
        this.#log.warn({ reason }, 'waiting for the database');
      },
      onReached: () => {
        this.#log.info('database reached');
      },
    });
  }

  /** The first token of a new store: shown on a terminal, otherwise written to a file. */
  async publishToken(
    sample: ReturnType<typeof firstRun>,
    { created, tokens }: Stores,
  ): Promise<FirstToken | undefined> {
    if (!created || this.#config.production) return undefined;
    if (process.stdout.isTTY) return shownToken(sample.token);
    return writtenToken(sample, this.#config.database, tokens, this.#log);
  }

  /** Creates the contract's server and its graceful shutdown. */
  async compose(stores: Stores): Promise<{ readonly server: Server; readonly stop: () => void }> {
    const provider = await trustedProvider(this.#config, this.#log);
    if (provider !== undefined) this.#closers.push(provider.close);
    const iteration = new EventLoopBatch();
    const { corsOrigins } = this.#config;
    const methods = this.#contract.operations.map(({ method }) => method);
    const cors = corsOrigins.length === 0 ? undefined : corsHeaders(corsOrigins, methods);
    const verifyJwt = provider?.verifyJwt;
    const [config, contract, metrics, log] = [this.#config, this.#contract, this.#metrics, this.#log];
    const parts = dependencies({ config, contract, stores, metrics, log, iteration, verifyJwt });
    const app = await createApp({ ...parts, cors });
    const server = createServer(app, log, metrics.answered, { ...config, iteration, cors });
    const stop = stopper({
      server,
      admin: this.#admin,
      timeout: this.#config.shutdownTimeout,
      onStop: () => {
        this.#health.stop();
      },
      closeStores: () => {
        provider?.close();
        return stores.close();
      },
      log: this.#log,
    });
    return { server, stop };
  }

  /** Accepts requests, and shuts down gracefully from now on. */
  async listen(server: Server, stop: () => void, stores: Stores): Promise<void> {
    await listen(server, this.#config.host, this.#config.port, 'PORT');
    this.#closers.push(() => server.close());
    this.#stop = stop;
    this.#checkStore = stores.check;
    for (const httpServer of [server, this.#admin]) {
      // The system lacks memory or descriptors for a connection; the others are unaffected.
      httpServer.on('error', (err) => {
        this.#log.error({ err }, 'connection not accepted');
      });
    }
    stopOnUncaught(stop, this.#log);
    void stores.failed.then((err) => {
      // All responses so far are true; a new process determines the content of the file.
      this.#log.fatal({ err }, 'store no longer writable, shutting down');
      process.exitCode = 1;
      stop();
    });
  }

  /** Looks for damage of the database, in the background; `/readyz` says what was found. */
  inspect({ inspect }: Stores): void {
    if (inspect === undefined) return;
    setTimeout(() => {
      inspect().catch((error: unknown) => {
        const reason = messageOf(error);
        if (error instanceof StoreError) this.#log.error({ reason }, 'database damaged');
        else this.#log.warn({ reason }, 'database not searched for damage');
      });
    }, INSPECT_AFTER).unref();
  }

  /** Logs the start. */
  report(server: Server, { created }: Stores, hasTokens: boolean): void {
    const { host, adminHost, production, identityProvider } = this.#config;
    const database = this.#database;
    this.#log.info({ url: urlOf(server, host), admin: urlOf(this.#admin, adminHost), database }, 'listening');
    if (production && created) this.#log.warn({ database }, 'empty database created');
    if (!hasTokens && identityProvider === null) {
      this.#log.warn('There is no token yet, so every request is refused. Make one: plant-store tokens create <name>');
    }
  }
}

/** The text for the terminal of a developer. */
function bannerOf({ host, docs }: Config, server: Server, token: FirstToken | undefined): string {
  const url = urlOf(server, reachableAt(host));
  return token === undefined ? reminder(url, docs) : welcome(url, token, docs);
}

async function trustedProvider({ identityProvider }: Config, log: Logger): Promise<TrustedProvider | undefined> {
  if (identityProvider === null) return undefined;
  // Loaded on demand, which shortens a start without a provider.
  const { trustProvider } = await import('../auth/jwt/trusted-provider.ts');
  return trustProvider(identityProvider, log);
}
