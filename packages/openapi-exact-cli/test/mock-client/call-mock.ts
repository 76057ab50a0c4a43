import { clientShapes } from 'openapi-exact-cli';
import {
  ExampleMessages,
  exactValue,
  operationKeys,
  operationOf,
  readDocuments,
  schemaOf,
  textOf,
  type ExampleRequest,
  type MessageBody,
  type OperationKey,
  type Part,
} from 'openapi-exact-cli/examples';
import { createClient, type ClientOptions, type ContractShapes } from 'openapi-exact/client';
import { loadContract } from 'openapi-exact';
import { messageOf } from 'openapi-exact/contract';
import { Mock } from '../../src/commands/mock.ts';

/** What came of calling each operation of a contract's mock. */
export interface CalledMock {
  operations: number;
  /** Successes that the client returned. */
  answered: number;
  /** Why a call failed that has a valid request, by operation. */
  readonly refused: string[];
  /** Operations for which no valid request or response is known. */
  readonly unknown: string[];
}

/** A client without the types of its contract. */
type UntypedClient = Record<string, (path: string, call: object) => Promise<{ readonly response: Response }>>;

/**
 * Serves the mock of a contract, and calls each of its operations with the client: every request is
 * valid, so that the mock must not refuse it, and the client must take the response.
 * @param file the contract. @param most at most so many operations, spread over the contract.
 */
export async function callMock(file: string, most = Infinity): Promise<CalledMock> {
  const called: CalledMock = { operations: 0, answered: 0, refused: [], unknown: [] };
  const contract = await loadContract(file);
  // The module is the table as JSON.
  const shapes = JSON.parse(
    /ContractShapes = ([^]*?)(?: as unknown as ContractShapes)?;\n$/.exec(clientShapes(contract))?.[1] ?? '',
  ) as ContractShapes;
  const mock = new Mock(file);
  await mock.load();
  // While it compiles schemas, an idle connection would time out, and the client may just use it.
  mock.server.keepAliveTimeout = 0;
  const url = await mock.listen(0);
  try {
    for await (const document of readDocuments(file, () => undefined)) {
      const messages = new ExampleMessages(document);
      const all = operationKeys(document);
      const step = Math.max(1, all.length / most);
      for (let at = 0; at < all.length; at += step) {
        const operationKey = all[Math.floor(at)];
        if (operationKey === undefined) continue;
        called.operations++;
        const name = `${operationKey.method.toUpperCase()} ${operationKey.path}`;
        const expected = messagesOf(messages, operationKey);
        if (expected === undefined) {
          called.unknown.push(name);
          continue;
        }
        const { request, status } = expected;
        const [basePath = ''] = operationOf(contract, operationKey).basePaths;
        // Safe: credentials have the form that their scheme has.
        const credentials = Object.fromEntries(
          request.credentials.map(({ scheme, credentials: given }) => [scheme, given]),
        ) as NonNullable<ClientOptions['credentials']>;
        // The first request of an operation compiles its schemas, which may take long.
        const patience = { retries: 0, timeout: Infinity, attemptTimeout: Infinity };
        const typed: unknown = createClient({ shapes, baseUrl: `${url}${basePath}`, credentials, ...patience });
        // Safe: it has a function for each method.
        const client = typed as UntypedClient;
        const path = operationKey.path.replace(/#.*$/s, '');
        try {
          const result = await client[operationKey.method.toUpperCase()]?.(
            path,
            callOf(messages, request, operationKey),
          );
          const answered = result?.response.status;
          if (answered === status) called.answered++;
          else (answered === 501 ? called.unknown : called.refused).push(`${name}: ${answered} for ${status}`);
        } catch (error) {
          called.refused.push(`${name}: ${messageOf(error)}`);
        }
      }
    }
  } finally {
    mock.server.close();
    mock.server.closeAllConnections();
  }
  return called;
}

/** A valid request, and the status of its response; undefined where none is known. */
function messagesOf(
  messages: ExampleMessages,
  operationKey: OperationKey,
): { readonly request: ExampleRequest; readonly status: number } | undefined {
  try {
    const [{ status }] = messages.responses(operationKey);
    return { request: messages.request(operationKey), status };
  } catch {
    return undefined;
  }
}

/** A request as a call of the client, without an optional body where fetch does not send one. */
function callOf({ schemas }: ExampleMessages, request: ExampleRequest, { method }: OperationKey): object {
  const { arguments: given, bodyIsRequired } = request;
  const body = bodyIsRequired || !/^(?:get|head)$/i.test(method) ? request.body : undefined;
  const params: Record<string, Record<string, unknown>> = {};
  for (const { parameter, value } of given) {
    const group = (params[textOf(parameter['in'])] ??= {});
    group[textOf(parameter['name'])] = exactValue(schemas.request, schemaOf(parameter), value);
  }
  return { params, throwHttpErrors: false, ...(body !== undefined && { body: sendableBody(body), ...typeOf(body) }) };
}

/** The media type of a body that does not tell it itself. */
function typeOf({ contentType, kind }: MessageBody): object {
  return kind === 'multipart' && contentType.startsWith('multipart/form-data') ? {} : { contentType };
}

function sendableBody({ kind, value, bytes, contentType }: MessageBody): unknown {
  if (kind === 'json') return value;
  if (kind === 'text' || kind === 'form') return bytes.toString();
  if (kind !== 'multipart' || !contentType.startsWith('multipart/form-data')) return bytes;
  const form = new FormData();
  // Safe: a multipart body has parts.
  for (const { name, filename, contentType: type, bytes: content } of value as readonly Part[]) {
    const isText = filename === undefined && type.startsWith('text/plain');
    if (isText) form.append(name, content.toString());
    else form.append(name, new Blob([new Uint8Array(content)], { type }), filename);
  }
  return form;
}
