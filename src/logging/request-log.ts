import type { Request, Response } from 'express';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { holdsToken } from '../auth/tokens/token.ts';
import { localsOf } from './locals.ts';
import { loggedPath } from './logged-path.ts';
import { newRequestId } from './new-request-id.ts';

/** W3C Trace Context, section 3.2: version, trace id, parent id, flags; later versions add more. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:$|(?<!^00.*)-)/;

/**
 * Gives each request an id in `response.locals`: the client's X-Request-Id when it is at most 64
 * harmless characters. Writes one line per request, with its duration in milliseconds, unless
 * `response.locals.isCounted` says that another line counts the request.
 * @param arrivalOf when a request arrived, by `performance.now()`.
 */
export function logRequests(
  log: Logger,
  arrivalOf: (request: IncomingMessage) => number,
): (request: Request, response: Response) => void {
  const enabled = log.isLevelEnabled('info');
  function writeLine(this: Response): void {
    const { req: request } = this;
    const { requestId, operation, principal, isCounted } = localsOf(this);
    if (isCounted === true) return;
    const traceparent = request.headers['traceparent'];
    const trace = traceparent === undefined ? null : TRACEPARENT.exec(String(traceparent));
    const line = {
      requestId,
      operation: operation ?? null,
      method: request.method,
      path: loggedPath(request),
      // null: the client left before there was an answer.
      status: this.headersSent ? this.statusCode : null,
      durationMs: Math.round((performance.now() - arrivalOf(request)) * 1000) / 1000,
      token: principal?.name ?? null,
      ...(trace !== null && { traceId: trace[1], parentId: trace[2] }),
      ...(!this.writableFinished && { aborted: true }),
    };
    log.info(line, 'request');
  }
  return (request, response) => {
    localsOf(response).requestId = requestIdOf(request);
    if (enabled) response.on('close', writeLine);
  };
}

/** The client's id of a request, or a new one. Ids are logged, so a token is never one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  if (typeof given !== 'string' || !/^[\w.:-]{1,64}$/.test(given) || holdsToken(given)) return newRequestId();
  return headers.authorization?.endsWith(` ${given}`) === true ? newRequestId() : given;
}

/** Logs a request that was refused before it reached the application. */
export function logRefusal(
  log: Logger,
  request: { requestId: string; method: string | null; status: number; cause: string | undefined },
): void {
  log.info({ ...request, operation: null, path: null, durationMs: 0, token: null }, 'request');
}
