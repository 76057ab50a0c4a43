import { rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import type { operations, securitySchemes } from '../../generated/openapi.d.ts';
import type { Request } from 'express';
import { createApp, type Dependencies } from '../../src/app.ts';
import { createAudit } from '../../src/logging/audit-log.ts';
import { bearerVerifier } from '../../src/auth/bearer.ts';
import { REALM } from '../../src/auth/challenge.ts';
import type { IdentityProvider } from '../../src/auth/jwt/identity-provider.ts';
import { limitAttempts, type AttemptLimits } from '../../src/auth/rate-limit.ts';
import type { KEY_TIMES } from '../../src/auth/jwt/provider-keys.ts';
import { createToken, hashToken } from '../../src/auth/tokens/token.ts';
import { tokenVerifier } from '../../src/auth/tokens/verify-token.ts';
import { trustProvider } from '../../src/auth/jwt/trusted-provider.ts';
import type { Verifiers } from '../../src/contract/security/verifier.ts';
import type { Handlers } from '../../src/contract/types.ts';
import { Docs } from '../../src/docs/docs.ts';
import { corsHeaders } from '../../src/http/cors.ts';
import { EventLoopBatch } from '../../src/http/event-loop-batch.ts';
import { plantChecks, plantHandlers } from '../../src/plants/handlers.ts';
import { createServer, type ServerOptions } from '../../src/http/server.ts';
import { batchDeletes } from '../../src/stores/group-commit.ts';
import type { DatabaseLocation } from '../../src/stores/database-url.ts';
import { openStores } from '../../src/stores/open.ts';
import type { Stores } from '../../src/stores/stores.ts';
import { contract } from './contract.ts';
import { listen, type Listening } from './listen.ts';
import { preparedOf } from './prepared.ts';
import { temporaryFolder } from './temporary-folder.ts';

export { contract, temporaryFolder };

/** The operationId of DELETE /plants/{id}, whatever the contract calls it. */
export const DELETE_PLANT = operationIdOf('DELETE', '/plants/{id}');

const UNLIMITED: AttemptLimits = { authFailuresPerMinute: 0, tokenRequestsPerMinute: 0 };

/** An application on a free port. */
export interface ServedApp extends Listening {
  readonly server: Server;
}

/** A plant store with a database of its own, on a free port. */
export interface Service extends ServedApp {
  readonly stores: Stores;
  readonly file: string;
  /** A valid token. */
  readonly token: string;
}

/** What a test may want to be otherwise. */
export interface ServiceOptions {
  /** None by default: tests fail to authenticate more often than any client. */
  readonly limits?: AttemptLimits;
  readonly trustProxy?: number | readonly string[];
  /** Connections of one client at a time; any number by default. */
  readonly connectionsPerClient?: number;
  /** Whether there is an audit log. */
  readonly audit?: boolean;
  /** Whether there is an API reference. */
  readonly docs?: boolean;
  /** Origins whose pages may call it; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Whose JWT access tokens are accepted. */
  readonly identityProvider?: IdentityProvider;
  /** How often its keys are fetched, in milliseconds; as in production by default. */
  readonly keyTimes?: typeof KEY_TIMES;
  /** Its database; a SQLite file of its own by default. */
  readonly location?: DatabaseLocation;
  /** The name of its token, where others have theirs in the same database. */
  readonly name?: string;
  readonly onLost?: () => void;
  /** Handlers that replace those of the service. */
  readonly handlers?: Dependencies['handlers'];
}

function operationIdOf(method: string, path: string): keyof operations {
  const operation = contract.operations.find((one) => one.method === method && one.path === path);
  if (operation === undefined) throw new Error(`The contract has no ${method} ${path}.`);
  // The types are generated from the contract, so that its operationIds are their keys.
  return operation.id as keyof operations;
}

/** Serves an application, its parser, limits and timeouts included, as the program does. */
export async function serveApp(dependencies: Dependencies, options: ServerOptions = {}): Promise<ServedApp> {
  const server = createServer(await createApp(dependencies), dependencies.log, undefined, options);
  return { server, ...(await listen(server)) };
}

/** Starts a plant store that holds these plants. */
export async function startService(
  plants: readonly bigint[] = [],
  log: Logger = silent(),
  options: ServiceOptions = {},
): Promise<Service> {
  const { limits = UNLIMITED, trustProxy = 0, audit = false, docs = false, name = 'tests' } = options;
  const { identityProvider, keyTimes, onLost, handlers, connectionsPerClient = 0, corsOrigins } = options;
  const cors = corsOrigins && corsHeaders(corsOrigins);
  const folder = await temporaryFolder();
  const file = join(folder, 'plants.db');
  const stores = await openStores(options.location ?? { kind: 'sqlite', file }, onLost && { onLost });
  await stores.plants.insertPlants(plants);
  const token = await issueToken(stores, name);
  // Every request that is authenticated is one of Express.
  const { guard, requireFailureLeft } = limitAttempts(limits, (request) => (request as Request).ip ?? '');
  const onUseNotNoted = (error: unknown): void => {
    log.warn({ err: error }, 'last use not noted');
  };
  const verifyToken = tokenVerifier(stores.tokens, onUseNotNoted, requireFailureLeft);
  const provider = identityProvider && trustProvider(identityProvider, log, keyTimes);
  const iteration = new EventLoopBatch();
  const dependencies = {
    contract,
    prepared: preparedOf(contract),
    handlers: { ...handlersOf(stores, iteration), ...handlers },
    checks: plantChecks(stores),
    realm: REALM,
    verifiers: { bearerAuth: bearerVerifier(verifyToken, provider?.verifyJwt) } satisfies Verifiers<securitySchemes>,
    guard,
    log,
    onChange: createAudit(log, audit),
    trustProxy,
    docs: docs ? new Docs(contract) : undefined,
    cors,
  };
  const served = await serveApp(dependencies, { trustProxy, connectionsPerClient, iteration, cors });
  return {
    ...served,
    stores,
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

/** The service's own handlers. */
function handlersOf(
  { database, plants, commits, partOf, workerOf }: Stores,
  iteration = new EventLoopBatch(),
): Handlers<operations> {
  const { deletePlant } = batchDeletes(plants.deletePlants, {
    concurrency: commits,
    schedule: (task) => {
      iteration.run(task);
    },
    groupOf: partOf,
    workerOf,
  });
  return plantHandlers({ deletePlant, plants, database });
}

/** Creates a token in a store and returns it. */
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

function silent(): Logger {
  return pino({ level: 'silent' });
}
