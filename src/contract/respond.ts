import type { ServerResponse } from 'node:http';
import { stringify } from 'lossless-json';
import type { RequestError } from '../errors.ts';

/** A response as a value: what handlers return. */
export interface ResponseValue {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number | bigint | boolean | undefined>>;
  /** The media type of the body, one of those that the contract declares. */
  readonly contentType?: string;
  readonly body?: unknown;
}

/**
 * A response of node:http, or of Express, whose `locals` may hold the `requestId` that is returned.
 */
type Answerable = ServerResponse & { readonly locals?: Readonly<Record<string, unknown>> };

/**
 * Headers of every response: no caching, no sniffing, no framing (OWASP REST Security Cheat Sheet).
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/** The same as names and values in turn, which Node writes faster than an object. */
const SECURITY_HEADER_LIST = Object.entries(SECURITY_HEADERS).flat();

/** Writes a handler's response: JSON when it has a body, with `bigint`s as exact integers. */
export function respond(response: Answerable, { status, headers = {}, body }: ResponseValue): void {
  write(response, status, headers, body === undefined ? undefined : (stringify(body) ?? 'null'));
}

/** Writes a failure as the contract's `Error` object. */
export function respondWithError(response: Answerable, { status, headers, text }: RequestError): void {
  write(response, status, headers, text);
}

function write(
  response: Answerable,
  status: number,
  own: NonNullable<ResponseValue['headers']>,
  text: string | undefined,
): void {
  const headers = [...SECURITY_HEADER_LIST];
  const requestId = response.locals?.['requestId'];
  if (typeof requestId === 'string') headers.push('X-Request-Id', requestId);
  for (const [name, value] of Object.entries(own)) if (value !== undefined) headers.push(name, String(value));
  if (text !== undefined) {
    headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(text)));
  }
  response.writeHead(status, headers).end(text);
}
