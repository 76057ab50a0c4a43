import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { ArrivedMessage } from '../http/arrived-message.ts';
import { limitConnections } from '../http/connections-per-client.ts';
import { messageOf } from '../errors.ts';
import { connectionOf } from '../http/connection.ts';
import { LIMITS } from '../http/limits.ts';
import { http } from '../http/node-http.ts';
import { isIP } from 'node:net';
import type { Health } from './health.ts';
import type { Metrics } from './prometheus.ts';

/**
 * The operators' listener: `/livez` for liveness, `/readyz` for readiness with its reason,
 * `/metrics` for Prometheus. It has the limits of the contract's listener but no authentication, so
 * its address must be private. It answers an unknown Host with 421, against DNS rebinding.
 */
export function createAdminServer(
  health: Health,
  metrics: Pick<Metrics, 'renderMetrics'>,
  { adminHosts, connectionsPerClient }: AdminOptions,
): Server {
  const listener = new AdminListener(health, metrics, adminHosts);
  const server = http.createServer({ ...LIMITS, IncomingMessage: ArrivedMessage }, (request, response) => {
    connectionOf(request.socket).beginInTurn(request, response, () => {
      listener.answer(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else sendJson(response, 500, { status: messageOf(error) });
      });
    });
  });
  server.timeout = LIMITS.timeout;
  server.maxConnections = LIMITS.maxConnections;
  limitConnections(server, connectionsPerClient);
  return server;
}

const PATHS = ['/livez', '/readyz', '/metrics'];

/** Options of the operators' listener. */
interface AdminOptions {
  /** Accepted Host names, lower-case, in addition to IP addresses and localhost. */
  readonly adminHosts: readonly string[];
  /** Connections of one client at a time; 0 removes the limit. */
  readonly connectionsPerClient: number;
}

/** Answers the requests of operators. */
class AdminListener {
  readonly #health: Health;
  readonly #metrics: Pick<Metrics, 'renderMetrics'>;
  readonly #hosts: ReadonlySet<string>;

  constructor(health: Health, metrics: Pick<Metrics, 'renderMetrics'>, adminHosts: readonly string[]) {
    this.#health = health;
    this.#metrics = metrics;
    this.#hosts = new Set(['localhost', ...adminHosts]);
  }

  /** Rejects when the metrics cannot be rendered. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?');
    if (!isOwnHost(request.headers.host, this.#hosts)) {
      sendJson(response, 421, { status: 'The Host must be an address, localhost or a name in ADMIN_HOSTS.' });
    } else if (!PATHS.includes(path)) {
      sendJson(response, 404, { status: `There is ${PATHS.join(', ')}.` });
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      sendJson(response, 405, { status: 'Only GET and HEAD are allowed.' });
    } else if (path === '/livez') {
      sendJson(response, 200, { status: 'alive' });
    } else if (path === '/readyz') {
      await this.#sendReadiness(response);
    } else {
      await this.#sendMetrics(response);
    }
  }

  async #sendReadiness(response: ServerResponse): Promise<void> {
    const reason = await this.#health.unready();
    if (reason === undefined) sendJson(response, 200, { status: 'ready' });
    else sendJson(response, 503, { status: 'not ready', reason });
  }

  async #sendMetrics(response: ServerResponse): Promise<void> {
    const { text, contentType } = await this.#metrics.renderMetrics();
    response.writeHead(200, { 'Content-Type': contentType, ...HEADERS }).end(text);
  }
}

/** Node refuses HTTP/1.1 requests without Host; browsers do not send HTTP/1.0. */
function isOwnHost(host: string | undefined, names: ReadonlySet<string>): boolean {
  if (host === undefined) return true;
  const [, address, name = ''] = /^(?:\[(.*)\]|([^:]*))(?::\d*)?$/.exec(host.toLowerCase()) ?? [];
  return isIP(address ?? name) !== 0 || names.has(name);
}

const HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...HEADERS });
  response.end(`${JSON.stringify(body)}\n`);
}
