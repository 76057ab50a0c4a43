import express from 'express';
import { createServer, type Server } from 'node:http';
import { bodyKind } from '../../src/http/media-type.ts';
import { contractMiddleware } from '../../src/server/middleware.ts';
import type { MiddlewareOptions } from '../../src/server/options.ts';
import { listen, type Listening } from 'test-support/listen.ts';

/** Serves contracts whose failures have a reason and a message, and are not printed. */
export async function serveMiddleware(options: MiddlewareOptions): Promise<Listening & { readonly server: Server }> {
  const app = express();
  const ignoreFailures = (): undefined => undefined;
  const own = { fallthrough: false, sendsContinue: true, onError: ignoreFailures, errorBody: reasonAndMessage };
  app.use(await contractMiddleware({ ...own, ...options }));
  // An idle connection outlives a test whose schemas take seconds to compile.
  // With the option, Node throws for content where none is sent.
  const server = createServer({ keepAliveTimeout: 60_000, rejectNonStandardBodyWrites: true }, app);
  // A client that has closed its side still gets its responses. Node's types lack this property.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('checkContinue', app);
  return { server, ...(await listen(server)) };
}

/** The body of a failure, whatever the contract declares. */
const reasonAndMessage: NonNullable<MiddlewareOptions['errorBody']> = ({ reason, message }, mediaTypes) => ({
  contentType: mediaTypes.find((type) => bodyKind(type) === 'json') ?? 'application/json',
  body: { reason, message },
});
