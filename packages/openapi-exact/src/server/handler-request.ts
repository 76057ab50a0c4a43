import type { ServerResponse } from 'node:http';
import type { ValidRequest } from '../bodies/received-body.ts';
import type { Principal } from '../security/verifier.ts';

/** What a handler is given; `OperationRequest` in types.ts is the exact type. */
export class HandlerRequest implements ValidRequest {
  readonly params: ValidRequest['params'];
  readonly query: ValidRequest['query'];
  readonly headers: ValidRequest['headers'];
  readonly cookies: ValidRequest['cookies'];
  readonly body: unknown;
  readonly contentType: string | undefined;
  readonly bytes: Buffer | undefined;
  readonly accepts: readonly string[] | undefined;
  readonly principal: Principal | undefined;
  readonly context: unknown;
  readonly #response: ServerResponse;
  #controller: AbortController | undefined;
  #isExpired = false;

  constructor(
    { params, query, headers, cookies, body, contentType, bytes }: ValidRequest,
    accepts: readonly string[] | undefined,
    principal: Principal | undefined,
    context: unknown,
    response: ServerResponse,
  ) {
    this.params = params;
    this.query = query;
    this.headers = headers;
    this.cookies = cookies;
    this.body = body;
    this.contentType = contentType;
    this.bytes = bytes;
    this.accepts = accepts;
    this.principal = principal;
    this.context = context;
    this.#response = response;
  }

  /**
   * Ends when the client leaves or the time is up. Created at its first use, since most handlers
   * need none.
   */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = (this.#controller = new AbortController());
      if (this.#isExpired) controller.abort(timeoutError());
      else if (this.#response.closed || this.#response.destroyed) controller.abort();
      else
        this.#response.once('close', () => {
          controller.abort();
        });
    }
    return this.#controller.signal;
  }

  /** Whether an error is what the end of the signal throws, as Node's functions do with it. */
  isEndedBy(error: unknown): boolean {
    const signal = this.#controller?.signal;
    if (signal?.aborted !== true) return false;
    return error === signal.reason || (Object(error) as { readonly name?: unknown }).name === 'AbortError';
  }

  /** Ends the signal because the time is up. */
  endSignal(): void {
    this.#isExpired = true;
    this.#controller?.abort(timeoutError());
  }
}

function timeoutError(): DOMException {
  return new DOMException('The time of the request is up.', 'TimeoutError');
}
