import type { ServerResponse } from 'node:http';
import type { RequestError } from 'openapi-exact';
import { errorBody } from '../errors.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** The media type of the contract's `Error` object. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** The contract's `Error` object as JSON. */
export function errorText(error: RequestError): string {
  return JSON.stringify(errorBody(error));
}

/** Answers a request that never reaches the contract with its `Error` object. */
export function respondWithError(response: ServerResponse, error: RequestError, requestId: string): void {
  const text = errorText(error);
  const content = { 'Content-Type': JSON_TYPE, 'Content-Length': String(Buffer.byteLength(text)) };
  const headers = { ...SECURITY_HEADERS, 'X-Request-Id': requestId, ...error.headers, ...content };
  response.writeHead(error.status, headers).end(text);
}
