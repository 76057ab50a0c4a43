import type { ErrorDescription } from './client-error.ts';

/** Reads the body of an unsuccessful response, which was parsed if it is JSON. */
export type DescribeError = (body: unknown, status: number) => ErrorDescription;

/** Describes problem details (RFC 9457), and bodies with a `message` and a `code`. */
export function describeError(body: unknown): ErrorDescription {
  const { detail, message, title, code } = Object(body) as Readonly<Record<string, unknown>>;
  return {
    message: [detail, message, title].find((text) => typeof text === 'string' && text !== '') as string | undefined,
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
  };
}
