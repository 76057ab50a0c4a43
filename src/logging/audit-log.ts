import type { Logger } from 'pino';
import type { Change } from 'openapi-exact';

/**
 * Writes one line per change to a log named `audit`: operation, what it changed, name of the token
 * and request id. A change whose commit failed has a line that says 'unknown'.
 */
export function createAudit(log: Logger, enabled: boolean): (change: Change) => void {
  if (!enabled) return () => undefined;
  const audit = log.child({ name: 'audit' }, { level: 'info' });
  return ({ outcome, operation, params, requestId, principal, response }) => {
    const line = namedBy(response);
    // JSON numbers would round a bigint.
    for (const name in params) line[name] = String(params[name]);
    line['operation'] = operation;
    line['token'] = principal?.name ?? null;
    line['requestId'] = requestId ?? null;
    audit.info(line, outcome);
  };
}

/** What a response names of the thing that was made or changed: its `id` and its `Location`. */
function namedBy({ headers = {}, body }: Partial<NonNullable<Change['response']>> = {}): Record<string, string | null> {
  const named: Record<string, string | null> = {};
  if (typeof body === 'object' && body !== null && 'id' in body && isScalar(body.id)) named['id'] = String(body.id);
  for (const name in headers) if (name.toLowerCase() === 'location') named['location'] = String(headers[name]);
  return named;
}

function isScalar(value: unknown): boolean {
  return ['bigint', 'number', 'string'].includes(typeof value);
}
