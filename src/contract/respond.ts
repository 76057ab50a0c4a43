import type { ServerResponse } from 'node:http';
import { stringify } from 'lossless-json';
import type { RequestError } from '../errors.ts';

/** A response as a value: what handlers return. */
export interface ResponseValue {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number | bigint | boolean | undefined>>;
  readonly body?: unknown;
}

/** What an API says to browsers and caches: keep nothing, guess nothing, frame nothing (OWASP REST Security Cheat Sheet). */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/** Writes a handler's response: JSON when it has a body, with `bigint`s as exact integers. */
export function respond(response: ServerResponse, { status, headers, body }: ResponseValue): void {
  response.statusCode = status;
  for (const name in SECURITY_HEADERS) response.setHeader(name, SECURITY_HEADERS[name] ?? '');
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) response.setHeader(name, String(value));
  }
  if (body === undefined) {
    response.end();
    return;
  }
  const text = stringify(body) ?? 'null';
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Writes a failure as the contract's `Error` object. */
export function respondWithError(response: ServerResponse, { status, headers, body }: RequestError): void {
  respond(response, { status, headers, body });
}
