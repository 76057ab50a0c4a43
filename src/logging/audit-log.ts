import type { Logger } from 'pino';
import type { Change } from 'openapi-exact';

/**
 * Writes one line per change to a log named `audit`: operation, parameters, name of the token and
 * request id. A change whose commit failed has a line that says 'unknown'.
 */
export function createAudit(log: Logger, enabled: boolean): (change: Change) => void {
  if (!enabled) return () => undefined;
  const audit = log.child({ name: 'audit' }, { level: 'info' });
  return ({ outcome, operation, params, requestId, principal }) => {
    const line: Record<string, string | null> = {};
    // JSON numbers would round a bigint.
    for (const name in params) line[name] = String(params[name]);
    line['operation'] = operation;
    line['token'] = principal?.name ?? null;
    line['requestId'] = requestId ?? null;
    audit.info(line, outcome);
  };
}
