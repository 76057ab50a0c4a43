import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp, type Dependencies } from '../../src/app.ts';
import { loadContract } from '../../src/contract/document/load.ts';
import { createDocs } from '../../src/docs/docs.ts';
import { createServer } from '../../src/server.ts';

/** What came back: the status, the headers and the text of the body. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Whether the server has asked for the body, as `Expect: 100-continue` wants it. */
  readonly continued: boolean;
}

/** A server of one of the contracts in test/fixtures/contracts. */
export interface ContractServer {
  readonly port: number;
  request(
    method: string,
    target: string,
    options?: { headers?: Record<string, string>; body?: string },
  ): Promise<Answer>;
  close(): void;
}

/** Serves a further contract with small handlers. */
export async function serveContract(
  name: string,
  handlers: Dependencies['handlers'],
  verifiers: Dependencies['verifiers'] = {},
  { docs = false, guard }: { docs?: boolean; guard?: Dependencies['guard'] } = {},
): Promise<ContractServer> {
  const contract = await loadContract(new URL(`../fixtures/contracts/${name}`, import.meta.url));
  const log = pino({ level: 'silent' });
  const app = await createApp({
    contract,
    handlers,
    verifiers,
    log,
    docs: docs ? createDocs(contract) : undefined,
    ...(guard && { guard }),
  });
  const server = createServer(app, log).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    request: (method, path, { headers = {}, body } = {}) =>
      new Promise((done, fail) => {
        let continued = false;
        const request = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (text += chunk));
          response.on('end', () => {
            done({ status: response.statusCode ?? 0, headers: response.headers, text, continued });
            request.destroy();
          });
        });
        request.on('error', fail);
        if (headers['Expect'] === undefined) {
          request.end(body);
          return;
        }
        request.on('continue', () => {
          continued = true;
          request.end(body);
        });
        request.flushHeaders();
      }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
