import type { ErrorDescription } from './client-error.ts';

/** Reads the body of an unsuccessful response: a parsed value, a text, or undefined. */
export type DescribeError = (body: unknown, status: number) => ErrorDescription;

/** A text that is a message, as opposed to a page. */
const MESSAGE = /^[^\s<].{0,199}$/;

/** Describes problem details (RFC 9457), bodies with a `message` and a `code`, and short texts. */
export function describeError(body: unknown): ErrorDescription {
  if (typeof body === 'string') return { message: MESSAGE.test(body.trim()) ? body.trim() : undefined };
  const { detail, message, title, code } = Object(body) as Readonly<Record<string, unknown>>;
  return {
    message: [detail, message, title].find((text) => typeof text === 'string' && text !== '') as string | undefined,
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
  };
}
