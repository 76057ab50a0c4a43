import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../src/errors.ts';
import type { ExampleMessages } from './example-messages.ts';
import { invalidRequests } from './invalid-requests.ts';
import { requestFault, responseFault } from './judge-exchange.ts';
import { writeJson } from './json-value.ts';
import { serveOperation } from './serve-operation.ts';
import { singleOperation } from './single-operation.ts';
import { writeRequest } from './wire-request.ts';
import type { Place } from './source-document.ts';

/** The longest reason that is shown. */
const MOST = 600;

/** How an operation was served. */
export interface Outcome {
  /** Why the valid request was not served; undefined when it was. */
  readonly fault: string | undefined;
  /** The invalid requests that were not refused with a status of 4xx. */
  readonly accepted: readonly string[];
  /** How many invalid requests were sent. */
  readonly invalid: number;
}

/**
 * Serves one operation alone, asks it with a valid request and, where that is served, with invalid
 * ones.
 * @param file where the contract of the one operation is written.
 */
export async function testOperation(messages: ExampleMessages, place: Place, file: string): Promise<Outcome> {
  return exchangeAll(messages, place, file).catch((error: unknown) =>
    unserved(messageOf(error).replaceAll(file, '').replaceAll(/\s+/g, ' ')),
  );
}

function unserved(fault: string): Outcome {
  return { fault: fault.trim().slice(0, MOST), accepted: [], invalid: 0 };
}

async function exchangeAll(messages: ExampleMessages, place: Place, file: string): Promise<Outcome> {
  const { document } = messages;
  const request = messages.request(place);
  const response = messages.response(place);
  const accept = response.body?.contentType;
  await writeFile(file, writeJson(singleOperation(document, place)));
  const server = await serveOperation(pathToFileURL(file), place, response, request.credentials, (status) =>
    messages.failure(place, status),
  );
  try {
    const { answer, received } = await server.exchange(writeRequest(document, place, request, accept));
    const fault =
      responseFault(response, answer, place.method === 'head') ??
      (received === undefined ? 'the handler was not called' : requestFault(request, received));
    if (fault !== undefined) return unserved(`${fault} ${server.lastError()}`);
    const accepted: string[] = [];
    const invalid = invalidRequests(messages, request);
    for (const { name, request: wrong } of invalid) {
      const { status } = (await server.exchange(writeRequest(document, place, wrong, accept))).answer;
      if (status < 400 || status >= 500) accepted.push(`${status} for an invalid request: ${name}`.slice(0, MOST));
    }
    return { fault, accepted, invalid: invalid.length };
  } finally {
    await server.close();
  }
}
