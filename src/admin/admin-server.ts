import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { messageOf } from '../errors.ts';
import type { Health } from './health.ts';
import type { Metrics } from './metrics.ts';

/**
 * The listener for operators, apart from the contract's: `/livez` answers while the process runs, `/readyz` tells whether requests
 * should be sent to it, and if not why, `/metrics` is for Prometheus. Nothing here is authenticated: its address is not for the public.
 */
export function createAdminServer(health: Health, metrics: Pick<Metrics, 'read'>): Server {
  const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
    '/livez': (response) => {
      send(response, 200, { status: 'alive' });
    },
    '/readyz': async (response) => {
      const reason = await health.unready();
      if (reason === undefined) send(response, 200, { status: 'ready' });
      else send(response, 503, { status: 'not ready', reason });
    },
    '/metrics': async (response) => {
      const { text, contentType } = await metrics.read();
      response.writeHead(200, { 'Content-Type': contentType, ...HEADERS }).end(text);
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(/\?.*$/s, '');
    const found = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (found === undefined) {
      send(response, 404, { status: `There is ${Object.keys(answers).join(', ')}.` });
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      send(response, 405, { status: 'Only GET and HEAD are allowed.' });
    } else {
      await found(response);
    }
  }

  const server = createServer(
    { maxHeaderSize: 8 * 1024, requestTimeout: 10_000, headersTimeout: 10_000 },
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else send(response, 500, { status: messageOf(error) });
      });
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

/** Connections at a time: operators need few. */
const MAX_CONNECTIONS = 100;

const HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...HEADERS });
  response.end(`${JSON.stringify(body)}\n`);
}
