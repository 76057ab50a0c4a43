import type { Express } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Locals } from '../logging/locals.ts';
import { ArrivedMessage } from './arrived-message.ts';
import { http } from './node-http.ts';

/**
 * Gives Node's own requests and responses the properties of Express. Express otherwise sets the
 * prototype of each message, which deoptimises them in V8.
 */
export function messageClasses(app: Express): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
} {
  class AppRequest extends ArrivedMessage {}
  class AppResponse<T extends IncomingMessage> extends http.ServerResponse<T> {
    /** Express would create an object without prototype, which V8 keeps as a slow dictionary. */
    readonly locals = {
      requestId: undefined,
      operation: undefined,
      principal: undefined,
      isCounted: undefined,
    } satisfies Partial<Record<keyof Locals, undefined>>;
  }
  adopt(AppRequest.prototype, app.request);
  adopt(AppResponse.prototype, app.response);
  // Express documents that both can be replaced, though its types declare them as read-only.
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** Copies the properties that Express puts between the messages of an application and Node's. */
function adopt(prototype: object, source: object): void {
  const express: unknown = Object.getPrototypeOf(source);
  if (typeof express !== 'object' || express === null) throw new Error('This version of Express has other prototypes.');
  for (const layer of [express, source]) Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(layer));
}
