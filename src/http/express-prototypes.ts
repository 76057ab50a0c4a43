import type { Express } from 'express';
import { ServerResponse, type IncomingMessage } from 'node:http';
import { ArrivedMessage } from './answered.ts';

/**
 * Express sets the prototype of every request and response, which makes V8 forget all it knew about them: on Node 20 it is
 * 5 times slower than node:http for that alone. Messages that are born with the prototypes of the application spare it.
 */
export function messageClasses(app: Express): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
} {
  class AppRequest extends ArrivedMessage {}
  class AppResponse<T extends IncomingMessage> extends ServerResponse<T> {
    /** Express would make an object without prototype, which V8 keeps as a slow dictionary. */
    readonly locals = { requestId: undefined, operation: undefined, principal: undefined, isCounted: undefined };
  }
  adopt(AppRequest.prototype, app.request);
  adopt(AppResponse.prototype, app.response);
  // Express declares both as read-only, but documents that they can be replaced; the new ones have all that the old ones had.
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** Gives a prototype everything that Express put between the message of an application and that of Node. */
function adopt(prototype: object, source: object): void {
  const express: unknown = Object.getPrototypeOf(source);
  if (typeof express !== 'object' || express === null) throw new Error('This version of Express has other prototypes.');
  for (const layer of [express, source]) Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(layer));
}
