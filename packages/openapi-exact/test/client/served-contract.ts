import { createClient, type ClientOptions } from '../../src/client.ts';
import type { ContractShapes } from '../../src/client/shape.ts';
import { clientShapes } from 'openapi-exact-cli';
import { loadContract } from '../../src/server/load-contract.ts';
import type { ResponseValue } from '../../src/response/respond.ts';
import { withFiles } from 'test-support/contract-files.ts';
import { serveDocument } from '../support/inline-contract.ts';

/** The options of a call as JavaScript writes them. */
export interface Call {
  readonly params?: object;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** A client without the types of its contract. */
type UntypedClient = Record<'GET' | 'POST' | 'QUERY', (path: string, call?: Call) => UntypedResult> & {
  readonly request: (method: string, path: string, call?: Call) => UntypedResult;
};

type UntypedResult = Promise<{ data: unknown; response: Response }>;

/** A contract that is served, and called with the table that is generated for it. */
export interface ServedContract {
  /** What the handler was given last. */
  readonly request: Readonly<Record<string, unknown>>;
  /** What the handler returns. */
  answer: ResponseValue;
  readonly shapes: ContractShapes;
  readonly url: string;
  readonly client: (options?: Partial<ClientOptions>) => UntypedClient;
  readonly close: () => Promise<void>;
}

/** @param rest of the document, such as another version. */
export async function serveForClient(paths: object, rest: object = {}): Promise<ServedContract> {
  const document = { openapi: '3.1.0', info: { title: 'Inline', version: '1.0.0' }, paths, ...rest };
  const module = await withFiles({ 'openapi.yaml': JSON.stringify(document) }, async (file) =>
    clientShapes(await loadContract(file)),
  );
  // The module is the table as JSON.
  const shapes = JSON.parse(/ContractShapes = ([^]*);/.exec(module)?.[1] ?? '') as ContractShapes;
  const served = { request: {}, answer: { status: 204 } as ResponseValue };
  const { url, close } = await serveDocument(document, (request: never) => {
    served.request = request;
    return served.answer;
  });
  const client = (options: Partial<ClientOptions> = {}): UntypedClient => {
    // Below the limit of a test: schemas are compiled at the first call, beside all other tests.
    const typed: unknown = createClient({
      shapes,
      baseUrl: url,
      retries: 0,
      timeout: 100_000,
      attemptTimeout: 100_000,
      ...options,
    });
    // Safe: it has a function for each method.
    return typed as UntypedClient;
  };
  return Object.assign(served, { shapes, url, client, close });
}
