import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { RequestError } from 'openapi-exact';
import { newRequestId } from '../logging/new-request-id.ts';
import { logRefusal, requestIdOf } from '../logging/request-log.ts';
import type { Answered } from './answered.ts';
import { connectionOf } from './connection.ts';
import type { SetCorsHeaders } from './cors.ts';
import { respondWithError } from './error-response.ts';
import { writeRefusal } from './refusals.ts';

/** Answers what never reaches the application, with the contract's `Error` object. */
export class Refuser {
  readonly #log: Logger;
  readonly #onAnswer: (answer: Answered) => void;
  readonly #cors: SetCorsHeaders | undefined;

  constructor(log: Logger, onAnswer: (answer: Answered) => void, cors: SetCorsHeaders | undefined) {
    this.#log = log;
    this.#onAnswer = onAnswer;
    this.#cors = cors;
  }

  /** Answers a request that Node has parsed. */
  refuseRequest(request: IncomingMessage, response: ServerResponse, refusal: RequestError): void {
    const requestId = requestIdOf(request);
    this.#reportRefusal(refusal, requestId, request.method ?? null, refusal.message);
    this.#cors?.(request, response);
    respondWithError(response, refusal, requestId);
  }

  /**
   * Answers bytes that Node's parser refused, and closes the connection. Responses keep the order
   * of their requests (RFC 9112, section 9.3.2).
   * @param cause Node's code, for the log.
   */
  refuseConnection(socket: Socket, refusal: RequestError, cause: string | undefined): void {
    const connection = connectionOf(socket);
    if (connection.refusal !== undefined) return;
    connection.refuse(refusal);
    const requestId = newRequestId();
    this.#reportRefusal(refusal, requestId, null, cause);
    closeInTurn(socket, refusal, requestId);
  }

  #reportRefusal(refusal: RequestError, requestId: string, method: string | null, cause: string | undefined): void {
    const { status, reason } = refusal;
    logRefusal(this.#log, { requestId, method, status, cause });
    this.#onAnswer({ operation: undefined, status, seconds: 0, reason });
  }
}

/** Writes the refusal behind the last response of the connection. */
function closeInTurn(socket: Socket, refusal: RequestError, requestId: string): void {
  const { last, waiting } = connectionOf(socket);
  const isIncomplete = last?.req.complete === false;
  const close = (): void => {
    // A request with a broken body may have its response already.
    if ((isIncomplete && last.headersSent) || !socket.writable) socket.destroy();
    else writeRefusal(socket, refusal, requestId);
  };
  // The handler may be waiting for the rest of a body that will not arrive.
  const isStuck = isIncomplete && !last.headersSent && waiting === 0;
  if (last === undefined || last.writableFinished || isStuck) close();
  else last.once('close', close);
}
