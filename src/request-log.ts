import type { Request, Response } from 'express';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { arrivalOf } from './answered.ts';
import { holdsToken } from './auth/token.ts';
import type { Principal } from './contract/authenticate.ts';
import { requestLines } from './request-line.ts';

/** W3C Trace Context, section 3.2: version, trace id, parent id, flags; later versions may add more. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:$|(?<!^00.*)-)/;

/**
 * Gives each request an id, the client's own X-Request-Id when it is at most 64 harmless characters, and leaves it
 * in response.locals, from where it is returned. Writes one line for each: what it was for, what came of it, how long it took (milliseconds) and whose token it was.
 */
export function logRequests(log: Logger): (request: Request, response: Response) => void {
  const enabled = log.isLevelEnabled('info');
  const write = requestLines(log);
  function writeLine(this: Response): void {
    const { req: request } = this;
    // MountedContract leaves the last two in response.locals.
    const { requestId, operation, principal } = this.locals as {
      requestId: string;
      operation?: string;
      principal?: Principal;
    };
    const traceparent = request.headers['traceparent'];
    const trace = traceparent === undefined ? null : TRACEPARENT.exec(String(traceparent));
    write({
      requestId,
      operation: operation ?? null,
      method: request.method,
      // null: the client left before there was an answer.
      status: this.headersSent ? this.statusCode : null,
      durationMs: Math.round((performance.now() - arrivalOf(request)) * 1000) / 1000,
      token: principal?.name ?? null,
      traceId: trace?.[1],
      parentId: trace?.[2],
      ...(!this.writableFinished && { aborted: true as const }),
    });
  }
  return (request, response) => {
    response.locals['requestId'] = requestIdOf(request);
    if (enabled) response.on('close', writeLine);
  };
}

/** The client's own id of a request, or a new one: also in place of one that is a token, since ids are logged. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  if (typeof given !== 'string' || !/^[\w.:-]{1,64}$/.test(given) || holdsToken(given)) return newRequestId();
  return headers.authorization?.endsWith(` ${given}`) === true ? newRequestId() : given;
}

/** The line of a request that was refused before anything in it was believed. */
export function logRefusal(
  log: Logger,
  request: { requestId: string; method: string | null; status: number; cause: string | undefined },
): void {
  log.info({ ...request, operation: null, durationMs: 0, token: null }, 'request');
}

/** What the ids of this process begin with: the moment of its start and its number. */
const PREFIX = `${Date.now().toString(36)}${process.pid.toString(36)}`;
let count = 0;

/** An id that no other request has. */
export function newRequestId(): string {
  return `${PREFIX}-${(count++).toString(36)}`;
}
