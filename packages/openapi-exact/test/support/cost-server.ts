import express from 'express';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { loadContract } from '../../src/server/load-contract.ts';
import { contractMiddleware } from '../../src/server/middleware.ts';
import { HttpClient, type Answer } from 'test-support/http-client.ts';
import { COST_CONTRACT, STREAMS, type CostRequest } from './cost-cases.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

/** A server of {@link COST_CONTRACT} that takes headers and bodies of 2 MiB. */
export interface CostServer {
  ask(request: CostRequest): Promise<Pick<Answer, 'status'>>;
  close(): Promise<void>;
}

interface CostAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: object;
}

const SIZE = 2 * 1024 * 1024;

/** @param observe is called while a handler holds a request. */
export async function serveCosts(observe: () => void = () => undefined): Promise<CostServer> {
  const contract = await inTemporaryFolder('contract', async (folder) => {
    const file = pathToFileURL(join(folder, 'openapi.yaml'));
    await writeFile(file, JSON.stringify(COST_CONTRACT));
    return loadContract(file);
  });
  const handle = async (request: never): Promise<CostAnswer> => {
    const { body } = request as { body: unknown };
    if (isIterable(body)) await Readable.from(body).toArray();
    observe();
    return { status: 200, contentType: 'application/json', body: {} };
  };
  const readItems = async ({ body }: { readonly body: AsyncIterable<unknown> }): Promise<CostAnswer> => {
    for await (const _ of body) continue;
    observe();
    return { status: 200, contentType: 'application/json', body: {} };
  };
  const hold = ({ signal }: { readonly signal: AbortSignal }): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('The client has left.'));
      });
    });
  const nobody = (): Promise<undefined> => Promise.resolve(undefined);
  const app = express();
  app.use(
    await contractMiddleware({
      contract,
      handlers: Object.fromEntries(
        contract.operations.map(({ id, path }) => [id, path === '/hold' ? hold : path in STREAMS ? readItems : handle]),
      ),
      verifiers: { bearer: nobody, basic: nobody, key: nobody },
      bodyLimits: { json: SIZE, buffered: SIZE, item: SIZE },
      fallthrough: false,
      onError: () => undefined,
      errorBody: ({ reason, message }) => ({ contentType: 'application/json', body: { reason, message } }),
    }),
  );
  const server = createServer({ maxHeaderSize: SIZE }, app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = new HttpClient(port);
  return {
    ask: ({ path, headers, body, isChunked = false, isPipelined = false }) => {
      if (isPipelined) return askInPipeline(port, body ?? '', observe);
      if (isChunked) return askInChunks(port, path, String(headers?.['Content-Type']), body ?? '');
      const method = body !== undefined ? 'POST' : path.startsWith('/conditional') ? 'PUT' : 'GET';
      return client.request(method, path, { headers: headers ?? {}, body });
    },
    close: async () => {
      client.close();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Sends a body that is in chunks already, which a client of Node.js would choose itself. */
async function askInChunks(port: number, path: string, type: string, body: string): Promise<{ status: number }> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  // The server closes the connection while the body is sent.
  socket.on('error', () => undefined);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  socket.write(body);
  const received: unknown[] = await once(socket, 'data');
  socket.destroy();
  return { status: Number(String(received[0]).slice(9, 12)) };
}

/**
 * Sends requests behind one that is held. @returns the status 0 once the server has closed the
 * connection. @throws Error when it does not.
 */
async function askInPipeline(port: number, requests: string, observe: () => void): Promise<{ status: number }> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`GET /hold HTTP/1.1\r\nHost: h\r\n\r\n${requests}`);
  await Promise.race([closed, pause(LONGEST_PIPELINE, undefined, { ref: false })]);
  observe();
  if (socket.closed) return { status: 0 };
  socket.destroy();
  throw new Error('The connection takes any number of requests.');
}

/** In milliseconds. */
const LONGEST_PIPELINE = 10_000;

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
