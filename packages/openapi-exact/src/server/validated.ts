import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { AnyRequest, OperationRequest, OperationType } from '../types.ts';
import type { Principal } from '../security/verifier.ts';
import type { HandlerRequest } from './handler-request.ts';

/**
 * The handler of an operation that an Express route behind the middleware answers. The request is
 * authenticated and validated; the route gets it by {@link exactRequest}, and its body also as
 * `request.body`. The route's response is not checked.
 * @example
 * app.use(await contractMiddleware({ contract, handlers: { getTodo, createTodo: validated } }));
 * app.post('/todos', (request, response) => {
 *   const { body } = exactRequest<operations['createTodo']>(request);
 *   response.status(201).json(todos.add(body));
 * });
 */
export function validated(_request: unknown): never {
  throw new Error('validated takes the place of a handler: give it to contractMiddleware, which does not call it.');
}

/** The requests that are validated and not handled. */
const PASSED = new WeakMap<IncomingMessage, HandlerRequest>();

/** Gives a request to the routes behind, for {@link exactRequest}. */
export function passOn(request: Request, valid: HandlerRequest): void {
  PASSED.set(request, valid);
  // Routes and parsers that know Express alone find the body where they expect it.
  if (valid.contentType !== undefined) request.body = valid.body;
}

/**
 * The validated request of an operation whose handler is {@link validated}, as a handler gets it.
 * @throws Error for a request that no middleware has validated and passed on.
 * @example const { params, principal } = exactRequest<operations['getTodo']>(request);
 */
export function exactRequest(request: IncomingMessage): AnyRequest;
export function exactRequest<Op extends OperationType, User = Principal, Context = undefined>(
  request: IncomingMessage,
): OperationRequest<Op, User, Context>;
export function exactRequest(request: IncomingMessage): AnyRequest {
  const valid = PASSED.get(request);
  if (valid === undefined) {
    throw new Error(
      'This request was not validated: exactRequest is for routes behind contractMiddleware, of operations whose handler is validated.',
    );
  }
  return valid;
}
