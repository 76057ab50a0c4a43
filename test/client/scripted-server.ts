import { afterEach, beforeEach } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import {
  createClient,
  type Client,
  type ClientOptions,
} from '../../packages/openapi-exact/src/client/create-client.ts';
import type { Sending } from '../../packages/openapi-exact/src/client/send-once.ts';
import { send } from '../../packages/openapi-exact/src/client/send.ts';
import { listen, type Listening } from '../support/listen.ts';

/** A server that answers as the test says, new for each test of a file. */
export interface ScriptedServer {
  server: Server;
  url: string;
  answer: RequestListener;
  /** Deletes a plant with a client that repeats nothing unless the options say so. */
  readonly deletePlant: (options?: Partial<ClientOptions>, signal?: AbortSignal) => ReturnType<Client['DELETE']>;
}

export function scriptedServer(): ScriptedServer {
  const unstarted: Pick<ScriptedServer, 'answer' | 'deletePlant'> = {
    answer: () => undefined,
    deletePlant: (options = {}, signal?: AbortSignal) => {
      const client = createClient({ baseUrl: scripted.url, token: 'x', retries: 0, ...options });
      return client.DELETE('/plants/{id}', { params: { path: { id: 2n } }, ...(signal && { signal }) });
    },
  };
  // Complete before the first test.
  const scripted = unstarted as ScriptedServer;
  let listening: Listening;
  beforeEach(async () => {
    scripted.server = createServer((request, response) => {
      scripted.answer(request, response);
    });
    listening = await listen(scripted.server);
    scripted.url = listening.url;
  });
  afterEach(() => listening.close());
  return scripted;
}

/** Sends a request that no operation of the contract has, as a client with these options does. */
export function sendTo(request: Request, options: Partial<Sending> = {}): Promise<Response> {
  const times = { timeout: 30_000, attemptTimeout: 30_000, retries: 0, maxResponseBytes: Infinity };
  const isSuccess = (status: number): boolean => status === 200;
  return send(request, { ...times, baseUrl: request.url, token: 'x', signal: undefined, isSuccess, ...options });
}
