import { afterEach, beforeEach } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createClient, type Client, type ClientOptions } from '../../src/client.ts';
import { listen, type Listening } from 'test-support/listen.ts';
import { shapes, type paths } from './beds.ts';

/** A server that answers as the test says, new for each test of a file. */
export interface ScriptedServer {
  server: Server;
  url: string;
  answer: RequestListener;
  /** A client that repeats nothing unless the options say so. */
  readonly client: (options?: Partial<ClientOptions>) => Client<paths>;
  /** Deletes a bed with such a client. */
  readonly deleteBed: (options?: Partial<ClientOptions>, signal?: AbortSignal) => ReturnType<Client<paths>['DELETE']>;
}

export function scriptedServer(): ScriptedServer {
  const unstarted: Pick<ScriptedServer, 'answer' | 'client' | 'deleteBed'> = {
    answer: () => undefined,
    client: (options = {}) =>
      createClient<paths>({ shapes, baseUrl: scripted.url, token: 'x', retries: 0, ...options }),
    deleteBed: (options, signal?: AbortSignal) =>
      scripted.client(options).DELETE('/beds/{id}', { params: { path: { id: 2n } }, ...(signal && { signal }) }),
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
