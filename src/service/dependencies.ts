import type { Request } from 'express';
import type { Logger } from 'pino';
import type { securitySchemes } from '../../generated/openapi.d.ts';
import type { Metrics } from '../admin/prometheus.ts';
import type { Dependencies } from '../app.ts';
import { bearerVerifier, REALM, type VerifyBearer } from '../auth/bearer.ts';
import { AttemptLimiter } from '../auth/rate-limit.ts';
import { TokenVerifier } from '../auth/tokens/verify-token.ts';
import type { Config } from '../config.ts';
import type { Contract, Verifiers } from 'openapi-exact';
import { Docs } from '../docs.ts';
import { messageOf } from '../errors.ts';
import type { EventLoopBatch } from '../http/event-loop-batch.ts';
import { createAudit } from '../logging/audit-log.ts';
import { plantChecks, plantHandlers } from '../plants/handlers.ts';
import { batchDeletes } from '../stores/group-commit.ts';
import type { Stores } from '../stores/stores.ts';

/** The dependencies of the application. */
interface ApplicationParts {
  readonly config: Config;
  readonly contract: Contract;
  readonly stores: Stores;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Shared by the server and the group commit. */
  readonly iteration: EventLoopBatch;
  /** Verifies the tokens of an identity provider, if there is one. */
  readonly verifyJwt: VerifyBearer | undefined;
}

/** Binds the contract to the stores: handlers, verifiers, limits, logs and metrics. */
export function dependencies({
  config,
  contract,
  stores,
  metrics,
  log,
  iteration,
  verifyJwt,
}: ApplicationParts): Dependencies {
  const { database, plants, tokens, commits, partOf, workerOf, workers } = stores;
  // Safe: Express handles every authenticated request. Its `ip` is the client behind the proxies.
  const guard = new AttemptLimiter(config, (request) => (request as Request).ip ?? '');
  const onUseNotNoted = (error: unknown): void => {
    log.warn({ reason: messageOf(error) }, 'last use of a token not stored');
  };
  const ownTokens = new TokenVerifier(tokens, onUseNotNoted, (request) => {
    guard.requireFailureLeft(request);
  });
  const { deletePlant, length: queueLength } = batchDeletes(plants.deletePlants, {
    concurrency: commits,
    schedule: (task) => {
      iteration.run(task);
    },
    groupOf: partOf,
    workerOf,
    onCommit: metrics.committed,
  });
  metrics.queue(queueLength);
  if (workers !== undefined) metrics.workers(workers);
  return {
    contract,
    handlers: plantHandlers({ deletePlant, plants, database }),
    checks: plantChecks({ plants, database }),
    realm: REALM,
    verifiers: { bearerAuth: bearerVerifier(ownTokens, verifyJwt) } satisfies Verifiers<securitySchemes>,
    guard,
    log,
    onChange: createAudit(log, config.audit),
    onAnswer: metrics.answered,
    trustProxy: config.trustProxy,
    docs: config.docs ? new Docs(contract) : undefined,
  };
}
