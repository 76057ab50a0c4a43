import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { loadContract } from '../../src/server/load-contract.ts';
import type { ErrorBody } from '../../src/server/error-body.ts';
import { sequenceFormat } from '../../src/http/media-type.ts';
import { messageOf } from '../../src/errors/errors.ts';
import type { AnyHandlers, Failure } from '../../src/server/options.ts';
import type { ResponseValue } from '../../src/response/respond.ts';
import { HttpClient, type Answer } from 'test-support/http-client.ts';
import { serveMiddleware } from '../support/serve-middleware.ts';
import {
  handlerValue,
  operationOf,
  responseValue,
  textOf,
  verifiersOf,
  type Credential,
  type ExampleResponse,
  type Json,
  type MessageBody,
  type Part,
  type OperationKey,
  type WireRequest,
} from 'openapi-exact-cli/examples';

/** What a handler was called with, streams read to their end. */
export interface Received {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly headers?: unknown;
  readonly cookies?: unknown;
  readonly contentType?: string;
  /** Undefined for an anonymous request. */
  readonly principal?: unknown;
  /** A value, a text, bytes or parts. */
  readonly body?: unknown;
}

/** A part of a multipart body; a field has a value. */
export interface ReceivedPart extends Part {
  readonly value?: Json;
}

/** The library with a contract of one operation. */
export interface OperationServer {
  /**
   * Sends a request, to which the handler returns a response.
   * @returns what was answered, and what the handler got if it was called.
   */
  readonly exchange: (
    request: WireRequest,
    response: ExampleResponse,
  ) => Promise<{ answer: Answer; received: Received | undefined }>;
  /** The message of the last failure of the library; '' for none. */
  readonly lastError: () => string;
  readonly close: () => Promise<void>;
}

/**
 * Serves an operation alone.
 * @param failure makes the body of a failure with this status, as the contract declares it.
 * @throws what the library throws for what it does not serve.
 */
export async function serveOperation(
  file: URL,
  operationKey: OperationKey,
  credentials: readonly Credential[],
  failure: (status: number) => MessageBody | undefined,
): Promise<OperationServer> {
  const contract = await loadContract(file);
  const calls: Received[] = [];
  let returned: ResponseValue = { status: 500 };
  const handle = async (request: Received): Promise<ResponseValue> => {
    calls.push({ ...request, body: await readBody(request.body, request.contentType) });
    return returned;
  };
  // The library calls handlers with requests of the type above.
  const handlers = { [operationOf(contract, operationKey).id]: handle } as AnyHandlers;
  const verifiers = verifiersOf(credentials, Object.keys(contract.document.components?.securitySchemes ?? {}));
  let lastError = '';
  const onError = ({ error, refusal }: Failure): undefined => {
    if (refusal.status >= 500) lastError = messageOf(error);
  };
  const errorBody: ErrorBody = ({ status }) => {
    const body = failure(status);
    return body && { contentType: body.contentType, body: handlerValue(body) };
  };
  const served = await serveMiddleware({ contract, handlers, verifiers, onError, errorBody });
  const client = new HttpClient(served.port);
  return {
    exchange: async ({ method, target, headers, body }, response) => {
      returned = responseValue(response);
      const before = calls.length;
      const answer = await client.request(method, target, { headers, body });
      return { answer, received: calls[before] };
    },
    lastError: () => lastError,
    close: () => {
      client.close();
      return served.close();
    },
  };
}

/** The items of a stream. */
export class ReceivedItems {
  readonly items: readonly unknown[];

  constructor(items: readonly unknown[]) {
    this.items = items;
  }
}

async function readItems(body: AsyncIterable<unknown>): Promise<ReceivedItems> {
  const items: unknown[] = [];
  for await (const item of body) items.push(item);
  return new ReceivedItems(items);
}

/** A body with its streams read: bytes as a Buffer, parts as a list. */
async function readBody(body: unknown, contentType = ''): Promise<unknown> {
  if (body instanceof Readable || body instanceof ReadableStream) return buffer(body);
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return body;
  const format = sequenceFormat(contentType);
  if (format !== undefined && format !== 'parts') return readItems(body as AsyncIterable<unknown>);
  const parts: ReceivedPart[] = [];
  const nameless: unknown[] = [];
  // An iterable other than a stream yields the parts of a multipart body.
  for await (const part of body as AsyncIterable<Omit<Part, 'bytes'> & { value?: Json; body?: Readable }>) {
    // By position, parts have no names.
    if (!('name' in part)) nameless.push(part);
    const { name, filename, contentType, value } = part;
    const bytes = part.body === undefined ? Buffer.from(textOf(value)) : await buffer(part.body);
    const given = { ...(filename !== undefined && { filename }), ...(value !== undefined && { value }) };
    parts.push({ name, ...given, contentType, bytes });
  }
  return nameless.length > 0 ? new ReceivedItems(nameless) : parts;
}
