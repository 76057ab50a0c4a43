import type { Response } from 'express';
import type { Principal } from 'openapi-exact';

/** The facts about a request so far, in `response.locals`. */
export interface Locals {
  /** Set by logRequests, before anything else. */
  requestId: string;
  /** The operationId, set by openapi-exact. */
  readonly operation?: string;
  /** Set by openapi-exact. */
  readonly principal?: Principal;
  /** The reason of the failure that was answered. */
  reason?: string;
  /** True if another line of the log counts the request. */
  isCounted?: boolean;
}

/** The facts about the request of a response. */
export function localsOf({ locals }: Response): Locals {
  // Safe: Express leaves them to the application, and types them as `any`.
  return locals as Locals;
}
