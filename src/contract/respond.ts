import type { ServerResponse } from 'node:http';
import { stringify } from 'lossless-json';
import type { RequestError } from '../errors.ts';
import type { VerbatimResponse } from './verbatim-response.ts';

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

const HEADERS = Object.entries(SECURITY_HEADERS).flat();
const HEAD = Object.entries(SECURITY_HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Writes a handler's response: JSON when it has a body, with `bigint`s as exact integers. */
export function respond(response: Answerable, { status, headers, body }: ResponseValue): void {
  write(response, status, headers, body === undefined ? undefined : json(body));
}

/** Writes a failure as the contract's `Error` object. */
export function respondWithError(response: Answerable, { status, headers, text }: RequestError): void {
  write(response, status, headers, text);
}

/** JSON.stringify knows no bigint, and takes a quarter of the time for the objects that most bodies are. */
function json(body: unknown): string {
  const isFlat =
    typeof body === 'object' && body !== null && !('toJSON' in body) && Object.values(body).every(isTextOrNumber);
  return (isFlat ? JSON.stringify(body) : stringify(body)) ?? 'null';
}

function isTextOrNumber(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function write(
  response: Answerable,
  status: number,
  headers: ResponseValue['headers'],
  text: string | undefined,
): void {
  // Written at once: one call costs half of what a call for each header does.
  const lines: string[] = [];
  const requestId = response.locals?.['requestId'];
  const isVerbatim = response.verbatim !== undefined;
  if (isVerbatim) {
    // request-log.ts lets no other characters into it than a header may have.
    response.verbatim = typeof requestId === 'string' ? `${HEAD}X-Request-Id: ${requestId}\r\n` : HEAD;
  } else {
    lines.push(...HEADERS);
    if (typeof requestId === 'string') lines.push('X-Request-Id', requestId);
  }
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) lines.push(name, String(value));
  }
  if (text === undefined) {
    response.writeHead(status, lines).end();
    return;
  }
  const length = Buffer.byteLength(text);
  lines.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(length));
  // Nothing but ASCII: each character is a byte.
  const isWithHead = isVerbatim && length === text.length;
  response.body = isWithHead ? text : undefined;
  response.writeHead(status, lines);
  const isWritten = isWithHead && response.body === undefined;
  response.body = undefined;
  response.end(isWritten ? undefined : text);
}

/** A response of node:http, or of Express, whose `locals` may hold the `requestId` that is returned. */
export type Answerable = ServerResponse & {
  readonly locals?: Readonly<Record<string, unknown>>;
  verbatim?: VerbatimResponse['verbatim'];
  body?: VerbatimResponse['body'];
};
