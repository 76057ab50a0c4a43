import type { Logger } from 'pino';
import type { Change } from './contract/mount.ts';

/** Takes note of a change. */
export type Audit = (change: Change) => void;

/**
 * Writes a line for each change into a log named `audit`, so that it can be routed to where it is kept: what was done to what, by
 * whose token, in which request. What may have been done, since the store failed at its commit, has a line that says 'unknown'.
 */
export function createAudit(log: Logger, enabled: boolean): Audit {
  const audit = log.child({ name: 'audit' }, { level: enabled ? 'info' : 'silent' });
  return ({ outcome, operation, params, requestId, principal }) => {
    // A bigint is exact as a string only.
    const exact = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
    audit.info({ ...exact, operation, token: principal?.name ?? null, requestId }, outcome);
  };
}
