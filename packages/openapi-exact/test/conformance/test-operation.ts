import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../src/errors/errors.ts';
import {
  invalidRequests,
  objectOf,
  operationAt,
  writeJson,
  writeRequest,
  type ExampleMessages,
  type ExampleResponse,
  type OperationKey,
} from 'openapi-exact-cli/examples';
import { invalidResponses } from './invalid-responses.ts';
import { requestFault, responseFault } from './judge-exchange.ts';
import { serveOperation, type Received } from './serve-operation.ts';
import { onlyOperations } from './single-operation.ts';

/** The longest reason that is shown. */
const MOST = 600;

/** How an operation was served. */
export interface Outcome {
  /** Why a valid message was not served; undefined when all were. */
  readonly fault: string | undefined;
  /** The invalid requests that were not refused with 4xx, and responses that were sent. */
  readonly accepted: readonly string[];
  /** How many invalid messages were sent. */
  readonly invalid: number;
  /** The request as the handler got it. */
  readonly received: Received | undefined;
  /** The responses that were served, and those that were refused. */
  readonly responses: readonly {
    readonly name: string;
    readonly response: ExampleResponse;
    readonly isValid: boolean;
  }[];
}

/**
 * Serves one operation alone, asks it with a valid request and, where that is served, with invalid
 * ones; then lets it return each of its responses, and invalid ones.
 * @param file where the contract of the one operation is written.
 */
export async function testOperation(
  messages: ExampleMessages,
  operationKey: OperationKey,
  file: string,
): Promise<Outcome> {
  return exchangeAll(messages, operationKey, file).catch((error: unknown) =>
    unserved(messageOf(error).replaceAll(file, '').replaceAll(/\s+/g, ' ')),
  );
}

/** The media type of a body, without the boundary, which no contract declares. */
function acceptOf({ body }: ExampleResponse): string | undefined {
  return body?.kind === 'multipart' ? body.contentType.replace(/;\s*boundary=.*$/, '') : body?.contentType;
}

function unserved(fault: string): Outcome {
  return { fault: fault.trim().slice(0, MOST), accepted: [], invalid: 0, received: undefined, responses: [] };
}

async function exchangeAll(messages: ExampleMessages, operationKey: OperationKey, file: string): Promise<Outcome> {
  const { document } = messages;
  const request = messages.request(operationKey);
  const all = messages.responses(operationKey);
  const [first] = all;
  await writeFile(file, writeJson(onlyOperations(document, [operationKey])));
  const server = await serveOperation(pathToFileURL(file), operationKey, request.credentials, (status) =>
    messages.failure(operationKey, status),
  );
  const isHead = operationKey.method === 'head';
  try {
    const accept = acceptOf(first);
    const { answer, received } = await server.exchange(writeRequest(document, operationKey, request, accept), first);
    const fault =
      responseFault(first, answer, isHead) ??
      (received === undefined ? 'the handler was not called' : requestFault(request, received));
    if (fault !== undefined) return unserved(`${fault} ${server.lastError()}`);
    const accepted: string[] = [];
    const invalid = invalidRequests(messages, request);
    for (const { name, request: wrong } of invalid) {
      const { status } = (await server.exchange(writeRequest(document, operationKey, wrong, accept), first)).answer;
      if (status < 400 || status >= 500) accepted.push(`${status} for an invalid request: ${name}`.slice(0, MOST));
    }
    const exchange = async (response: ExampleResponse): ReturnType<typeof server.exchange> => {
      // What a client accepts is what success has; of its media types, the one that is tested.
      const own = acceptOf(response);
      const types = response.status === first.status ? [own ?? accept] : [own, accept];
      const accepted = types.filter((type) => type !== undefined).join(', ');
      return server.exchange(
        writeRequest(document, operationKey, request, accepted === '' ? undefined : accepted),
        response,
      );
    };
    const responses = [];
    const keys = Object.keys(objectOf(operationAt(document, operationKey).definition['responses']));
    let count = invalid.length;
    for (const response of all) {
      const name = `the response ${response.status}${response.body === undefined ? '' : ` of ${response.body.declared}`}`;
      const before = server.lastError();
      const wrong = responseFault(response, (await exchange(response)).answer, isHead);
      const logged = server.lastError() === before ? '' : server.lastError();
      if (wrong !== undefined) return unserved(`${name}: ${wrong} ${logged}`);
      responses.push({ name, response, isValid: true });
      for (const { name: how, response: changed } of invalidResponses(messages, response, all, keys)) {
        count++;
        const earlier = server.lastError();
        const { answer: refusal } = await exchange(changed);
        const { status } = refusal;
        // A response of 500 without a body differs from the refusal in what is logged only.
        const isRefused = server.lastError() !== earlier || responseFault(changed, refusal, isHead) !== undefined;
        if (status === 500 && isRefused) responses.push({ name: how, response: changed, isValid: false });
        else accepted.push(`${status} for an invalid response: ${how}`.slice(0, MOST));
      }
    }
    return { fault, accepted, invalid: count, received, responses };
  } finally {
    await server.close();
  }
}
