import type { OutgoingHttpHeaders } from 'node:http';
import type { Verifiers } from './contract-server.ts';
import { serveDocument } from './inline-contract.ts';

/** What the handler was given, or the refusal. */
export type Echo =
  | {
      readonly status: 204;
      readonly params: Record<string, unknown>;
      readonly query: Record<string, unknown>;
      readonly headers: Record<string, unknown>;
      readonly cookies: Record<string, unknown>;
    }
  | { readonly status: number; readonly reason: string; readonly message: string };

/** A server whose operations answer 204 and remember their parameters. */
export interface EchoServer {
  ask(target: string, headers?: OutgoingHttpHeaders): Promise<Echo>;
  close(): Promise<void>;
}

/** Serves a contract with one GET for each path. @param paths the parameters of each. */
export async function serveParameters(
  paths: Readonly<Record<string, readonly object[]>>,
  rest: object = {},
  verifiers: Verifiers = {},
): Promise<EchoServer> {
  let seen: object = {};
  const responses = { '204': { description: 'Seen.' } };
  const items = Object.entries(paths).map(([path, parameters]): [string, object] => [
    path,
    { get: { parameters, responses } },
  ]);
  const remember = (request: never): { status: number } => {
    const { params, query, headers, cookies } = request as Record<string, unknown>;
    seen = { params, query, headers, cookies };
    return { status: 204 };
  };
  const server = await serveDocument({ paths: Object.fromEntries(items), ...rest }, remember, verifiers);
  const ask: EchoServer['ask'] = async (path, headers = {}) => {
    seen = {};
    const { status, text } = await server.request('GET', path, { headers });
    // The handler has set `seen` to such an object; a refusal is the contract's Error object.
    return (status === 204 ? { status, ...seen } : { status, ...JSON.parse(text) }) as Echo;
  };
  return { ask, close: server.close };
}
