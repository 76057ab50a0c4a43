import type { ErrorDescription } from './client-error.ts';

/** Reads the body of an unsuccessful response: a parsed value, a text, or undefined. */
export type DescribeError = (body: unknown, status: number) => ErrorDescription;

/** A text that is a message, as opposed to a page. */
const MESSAGE = /^[^\s<].{0,199}$/;

/**
 * Describes the error of a request: problem details (RFC 9457), bodies with a `message` and a
 * `code`, and short texts.
 */
export function describeErrorOf(request: Request): DescribeError {
  return (body, status) => {
    if (typeof body === 'string') return { message: MESSAGE.test(body.trim()) ? body.trim() : undefined };
    const { detail, message, title, code, reason } = Object(body) as Readonly<Record<string, unknown>>;
    return {
      message: [detail, message, title].find((text) => typeof text === 'string' && text !== '') as string | undefined,
      code: [code, reason].find((value) => typeof value === 'string' || typeof value === 'number'),
      isNothingDone: status === 503 && reason === 'overloaded' && !isMultipart(request) ? true : undefined,
    };
  };
}

/**
 * openapi-exact refuses a body as `overloaded` before it calls the handler, except a multipart body
 * of which the handler may have read some parts.
 */
function isMultipart({ headers }: Request): boolean {
  return /^multipart\//i.test(headers.get('Content-Type') ?? '');
}
