import { expect } from '@jest/globals';
import supertest from 'supertest';
import { expectConformance, expectErrorObject, type WireResponse } from './conformance.ts';
import { exchange } from './raw-connection.ts';
import type { Service } from './service.ts';

export interface Options {
  /** The Authorization header's token; the service's own by default, null for none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request over HTTP and holds the response against the contract. */
export async function send(
  service: Service,
  method: string,
  target: string,
  { token = service.token, headers = {}, body }: Options = {},
): Promise<WireResponse> {
  const agent = supertest(service.server);
  // supertest has a function for each method that Node knows.
  const start = agent[method.toLowerCase() as 'delete'].bind(agent);
  let request = start(target).set(headers);
  if (token !== null) request = request.set('Authorization', `Bearer ${token}`);
  // The text as it came, not what superagent makes of it.
  const response = await request
    .buffer(true)
    .parse((stream, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        done(null, Buffer.concat(chunks).toString());
      });
    })
    .ok(() => true)
    .send(body);
  const wire: WireResponse = {
    status: response.status,
    headers: response.headers,
    text: typeof response.body === 'string' ? response.body : '',
  };
  expectConformance(method, target, wire);
  return wire;
}

/** Deletes a plant as a client would. */
export function deletePlant(service: Service, id: bigint | string, options?: Options): Promise<WireResponse> {
  return send(service, 'DELETE', `/plants/${id}`, options);
}

/** Expects a failure with this code of the error table, and returns its message. */
export function expectError(response: WireResponse, code: number): string {
  expectErrorObject(response);
  // expectErrorObject has shown the form.
  const body = JSON.parse(response.text) as { error: number; message: string };
  expect({ status: response.status, error: body.error }).toEqual({ status: Math.floor(code / 100), error: code });
  return body.message;
}

/** The text of a request without body, with the service's own token unless `headers` are given. */
export function requestText(
  service: Service,
  method: string,
  target: string,
  headers: readonly string[] = [`Authorization: Bearer ${service.token}`],
): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: plants', ...headers, '', ''].join('\r\n');
}

/** Deletes a target without normalizing it. */
export async function deleteExactly(
  service: Service,
  target: string,
  headers?: readonly string[],
): Promise<WireResponse> {
  const bytes = requestText(service, 'DELETE', target, headers);
  const [response] = await sendRaw(service, bytes, { method: 'DELETE', target, responses: 1 });
  if (response === undefined) throw new Error(`DELETE ${target} was not answered`);
  return response;
}

/**
 * Writes bytes to the service's port and reads until the connection ends, or all responses came.
 * Each response is checked against the contract as one to this method and target.
 */
export async function sendRaw(
  service: Service,
  bytes: string | Buffer,
  { method = '', target = '', responses = Infinity }: { method?: string; target?: string; responses?: number } = {},
): Promise<readonly WireResponse[]> {
  const received = await exchange(service.url, bytes, { method, count: responses });
  for (const response of received) expectConformance(method, target, response);
  return received;
}
