import type { ErrorDescription } from './client-error.ts';

/** Reads the body of an unsuccessful response: a parsed value, a text, or undefined. */
export type DescribeError = (body: unknown, status: number) => ErrorDescription;

/** The most characters of a message: the body of an error may have a million. */
const MOST_OF_MESSAGE = 1_000;

/** A text that is a message, as opposed to a page. */
const MESSAGE = /^[^\s<].{0,199}$/;

/**
 * Describes the error of a request: problem details (RFC 9457), bodies with a `message` and a
 * `code`, and short texts.
 */
export function describeErrorOf(request: Request, body: unknown, status: number): ErrorDescription {
  if (typeof body === 'string') return { message: MESSAGE.test(body.trim()) ? body.trim() : undefined };
  const { detail, message, title, code, reason } = Object(body) as Readonly<Record<string, unknown>>;
  const text = [detail, message, title].find((value) => typeof value === 'string' && value !== '');
  return {
    message: typeof text === 'string' ? cut(text) : undefined,
    code: [code, reason].find((value) => typeof value === 'string' || typeof value === 'number'),
    isNothingDone: status === 503 && reason === 'overloaded' && !isMultipart(request) ? true : undefined,
  };
}

function cut(message: string): string {
  return message.length > MOST_OF_MESSAGE ? `${message.slice(0, MOST_OF_MESSAGE)}…` : message;
}

/**
 * openapi-exact refuses a body as `overloaded` before it calls the handler, except a multipart body
 * some parts of which the handler may have read.
 */
function isMultipart({ headers }: Request): boolean {
  return /^multipart\//i.test(headers.get('Content-Type') ?? '');
}
