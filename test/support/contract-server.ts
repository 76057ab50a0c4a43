import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp, type Dependencies } from '../../src/app.ts';
import { loadContract } from '../../src/contract/load.ts';

/** What came back: the status, the headers and the text of the body. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A server of one of the contracts in test/fixtures/contracts. */
export interface ContractServer {
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
): Promise<ContractServer> {
  const contract = await loadContract(new URL(`../fixtures/contracts/${name}`, import.meta.url));
  const app = await createApp({ contract, handlers, verifiers, log: pino({ level: 'silent' }) });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    request: (method, path, { headers = {}, body } = {}) =>
      new Promise((done, fail) => {
        const request = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (text += chunk));
          response.on('end', () => {
            done({ status: response.statusCode ?? 0, headers: response.headers, text });
          });
        });
        request.on('error', fail);
        request.end(body);
      }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
