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
    const line = {
      ...createdBy(response),
      ...textsOf(params),
      operation,
      token: principal?.name ?? null,
      requestId: requestId ?? null,
    };
    audit.info(line, outcome);
  };
}

/** What the response of a change without a path parameter names: its `id` and its `Location`. */
function createdBy(response: Change['response']): Readonly<Record<string, string>> {
  const body: unknown = response?.body;
  const id: unknown = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined;
  const header = Object.entries(response?.headers ?? {}).find(([name]) => name.toLowerCase() === 'location');
  return textsOf({ ...(isScalar(id) && { id }), ...(header?.[1] !== undefined && { location: header[1] }) });
}

function isScalar(value: unknown): boolean {
  return ['bigint', 'number', 'string'].includes(typeof value);
}

/** JSON numbers would round a bigint. */
function textsOf(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
