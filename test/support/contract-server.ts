import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { pino } from 'pino';
import type { Dependencies } from '../../src/app.ts';
import { loadContract } from '../../src/contract/document/load.ts';
import { Docs } from '../../src/docs/docs.ts';
import { serveApp, type ServedApp } from './service.ts';

/** What came back: the status, the headers and the text of the body. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Whether the server has asked for the body, as `Expect: 100-continue` wants it. */
  readonly continued: boolean;
}

/** A server of one of the contracts in test/fixtures/contracts. */
export interface ContractServer extends ServedApp {
  request(
    method: string,
    target: string,
    options?: { headers?: Record<string, string>; body?: string },
  ): Promise<Answer>;
}

/** Serves a further contract with small handlers: one of the fixtures by its name, or any file. */
export async function serveContract(
  name: string | URL,
  handlers: Dependencies['handlers'],
  verifiers: Dependencies['verifiers'] = {},
  { docs = false, guard }: { docs?: boolean; guard?: Dependencies['guard'] } = {},
): Promise<ContractServer> {
  const contract = await loadContract(
    name instanceof URL ? name : new URL(`../fixtures/contracts/${name}`, import.meta.url),
  );
  const served = await serveApp({
    contract,
    handlers,
    verifiers,
    log: pino({ level: 'silent' }),
    docs: docs ? new Docs(contract) : undefined,
    ...(guard && { guard }),
  });
  const { port } = served;
  return {
    ...served,
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
  };
}
