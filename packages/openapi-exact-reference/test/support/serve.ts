import express, { type Express } from 'express';
import { connect } from 'node:net';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { contractMiddleware, loadContract, type Contract, type MiddlewareOptions } from 'openapi-exact';
import { listen, type Listening } from 'test-support/listen.ts';
import { apiReference, type ApiReferenceOptions } from 'openapi-exact-reference';

export type Served = Listening;

export function serveApp(app: Express): Promise<Served> {
  return listen(createServer(app));
}

/** The contract in a file of `test/fixtures/`. */
export function fixture(name: string): Promise<Contract> {
  return loadContract(new URL(`../fixtures/${name}`, import.meta.url));
}

/** The handlers of a contract, or one for all of its operations. */
export type Handlers = MiddlewareOptions['handlers'] | MiddlewareOptions['handlers'][string];

/** What a test of a contract with its reference may want to be otherwise. */
export interface ServeOptions extends Omit<ApiReferenceOptions, 'contract'> {
  readonly verifiers?: MiddlewareOptions['verifiers'];
}

/** Serves a fixture, with its reference at `/docs`. */
export async function serveFixture(
  name: string,
  handlers: Handlers = () => ({ status: 204 }),
  { verifiers, ...options }: ServeOptions = {},
): Promise<Served> {
  const contract = await fixture(name);
  const all =
    typeof handlers === 'function' ? Object.fromEntries(contract.operations.map(({ id }) => [id, handlers])) : handlers;
  const app = express();
  const errorBody: MiddlewareOptions['errorBody'] = ({ reason, message }) => ({
    contentType: 'application/json',
    body: { code: reason, message },
  });
  app.use(await contractMiddleware({ contract, handlers: all, verifiers, errorBody }));
  app.use('/docs', apiReference({ contract, ...options }));
  return serveApp(app);
}

/** What a test sees of a request. */
export interface SeenRequest {
  readonly id: string;
  readonly query: unknown;
  readonly body: unknown;
}

/** Serves a contract without security, with its reference at `/docs`; each answer is 204. */
export async function serveDocument(document: object, seen: (request: SeenRequest) => void): Promise<Served> {
  const contract = await loadContract({ info: { title: 'A contract', version: '1.0.0' }, ...document });
  const handlerOf =
    (id: string): MiddlewareOptions['handlers'][string] =>
    ({ query, body }: Omit<SeenRequest, 'id'>) => {
      seen({ id, query, body });
      return { status: 204 };
    };
  const handlers = Object.fromEntries(contract.operations.map(({ id }) => [id, handlerOf(id)]));
  const app = express();
  app.use(await contractMiddleware({ contract, handlers }));
  app.use('/docs', apiReference({ contract }));
  return serveApp(app);
}

/** A response as it came, with its headers in lower case. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends the lines of a request without a body, and reads the one response. */
export async function exchange({ port }: Served, ...lines: readonly string[]): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1');
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  const received = await text(socket);
  const end = received.indexOf('\r\n\r\n');
  const [statusLine = '', ...headers] = received.slice(0, end).split('\r\n');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(
      headers.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    ),
    body: received.slice(end + 4),
  };
}
