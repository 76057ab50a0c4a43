import { rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import type { operations } from '../../generated/openapi.d.ts';
import type { Metrics } from '../../src/admin/prometheus.ts';
import { createApp, type Dependencies } from '../../src/app.ts';
import { KEY_TIMES } from '../../src/auth/jwt/provider-keys.ts';
import { trustProvider } from '../../src/auth/jwt/trusted-provider.ts';
import { createToken, hashToken } from '../../src/auth/tokens/token.ts';
import { readConfig, type Config } from '../../src/config.ts';
import type { Operation } from 'openapi-exact';

import { corsHeaders } from '../../src/http/cors.ts';
import { EventLoopBatch } from '../../src/http/event-loop-batch.ts';
import { createServer, type ServerOptions } from '../../src/http/server.ts';
import { dependencies } from '../../src/service/dependencies.ts';
import type { DatabaseLocation } from '../../src/stores/database-url.ts';
import { openStores } from '../../src/stores/open.ts';
import type { Stores } from '../../src/stores/stores.ts';
import { contract } from './contract.ts';
import { listen, type Listening } from 'test-support/listen.ts';
import { temporaryFolder } from 'test-support/temporary-folder.ts';

export { contract, temporaryFolder };

const isDeletePlant = ({ method, path }: Operation): boolean => method === 'DELETE' && path === '/plants/{id}';
/** Its operationId. The types are generated from the contract: operationIds are their keys. */
export const DELETE_PLANT = contract.operations.find(isDeletePlant)?.id as keyof operations;

/** The default settings without logs, and without limits: tests fail to authenticate often. */
const CONFIG: Config = {
  ...readConfig({}),
  ...{ authFailuresPerMinute: 0, tokenRequestsPerMinute: 0, connectionsPerClient: 0, audit: false, docs: false },
};

/** A provider that a test runs in this process may be busy for seconds. */
export const PATIENT: typeof KEY_TIMES = { ...KEY_TIMES, timeout: 60_000 };

const nothing = (): void => undefined;
/** Counts nothing: those of prom-client would watch the event loop for each service. */
const METRICS: Metrics = {
  ...{ answered: nothing, queue: nothing, workers: nothing, committed: nothing },
  renderMetrics: () => Promise.reject(new Error('There are no metrics.')),
};

export interface ServedApp extends Listening {
  readonly server: Server;
}

/** A plant store with a database of its own, on a free port. */
export interface Service extends ServedApp {
  readonly stores: Stores;
  readonly database: DatabaseLocation;
  /** The file of its database, if that is SQLite's. */
  readonly file: string;
  readonly token: string;
}

/** What a test may want to be otherwise: settings, such as its database, and what has none. */
export interface ServiceOptions extends Partial<Config> {
  /** How often the keys of an identity provider are fetched. */
  readonly keyTimes?: typeof KEY_TIMES;
  /** The name of its token, where others have theirs in the same database. */
  readonly name?: string;
  /** Handlers that replace those of the service. */
  readonly handlers?: Dependencies['handlers'];
}

/** Serves an application, its parser, limits and timeouts included, as the program does. */
export async function serveApp(dependencies: Dependencies, options: ServerOptions = {}): Promise<ServedApp> {
  const server = createServer(await createApp(dependencies), dependencies.log, undefined, options);
  return { server, ...(await listen(server)) };
}

/** Starts a plant store that holds these plants. */
export async function startService(
  plants: readonly bigint[] = [],
  log: Logger = pino({ level: 'silent' }),
  options: ServiceOptions = {},
): Promise<Service> {
  const { keyTimes = PATIENT, name = 'tests', handlers, ...settings } = options;
  const folder = await temporaryFolder();
  const file = join(folder, 'plants.db');
  const config: Config = { ...CONFIG, database: { kind: 'sqlite', file }, ...settings };
  const stores = await openStores(config.database);
  await stores.plants.insertPlants(plants);
  const token = await issueToken(stores, name);
  const provider = config.identityProvider && trustProvider(config.identityProvider, log, keyTimes);
  const [metrics, iteration, verifyJwt] = [METRICS, new EventLoopBatch(), provider?.verifyJwt];
  const parts = dependencies({ config, contract, stores, metrics, log, iteration, verifyJwt });
  const cors = config.corsOrigins.length === 0 ? undefined : corsHeaders(config.corsOrigins, []);
  const served = await serveApp(
    { ...parts, handlers: { ...parts.handlers, ...handlers }, cors },
    { ...config, iteration, cors },
  );
  return {
    ...served,
    stores,
    database: config.database,
    file,
    token,
    close: async () => {
      await served.close();
      provider?.close();
      await stores.close();
      await rm(folder, { recursive: true });
    },
  };
}

export async function issueToken(stores: Stores, name: string, expiresAt: number | null = null): Promise<string> {
  const token = createToken();
  await stores.tokens.createToken({ name, hash: hashToken(token), createdAt: Date.now(), expiresAt });
  return token;
}

/** All plants of a store, ascending. */
export async function plantsIn({ plants }: Pick<Stores, 'plants'>): Promise<bigint[]> {
  const ids: bigint[] = [];
  for await (const id of plants.plantIds()) ids.push(id);
  return ids;
}
