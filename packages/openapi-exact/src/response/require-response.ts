import { described } from '../errors/described.ts';
import { didYouMean } from '../document/nearest.ts';
import { isObject } from '../schema/openapi-document.ts';
import { discard } from './respond.ts';

/** The keys of a response. */
const KEYS = ['status', 'headers', 'contentType', 'body'];

/**
 * Requires a response of a handler: a handler in JavaScript may return anything, and the compiler
 * does not see every excess key.
 * @param id of the operation.
 * @throws TypeError for any other value, and for a key that no response has. Its body is discarded.
 */
export function requireResponse(id: string, value: unknown): void {
  const mistake = mistakeIn(value);
  if (mistake === undefined) return;
  if (isObject(value)) discard({ body: value['body'] });
  throw new TypeError(`The handler of ${id} must ${mistake}`);
}

/** What a handler must do instead; undefined for a response. */
function mistakeIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('status' in value)) {
    return `return an object with a status, such as { status: 204 }, not ${described(value)}.`;
  }
  // Node.js would send 200 for 200.5.
  if (!Number.isInteger(value.status)) return `return a status that is an integer, not ${described(value.status)}.`;
  for (const key in value) {
    if (KEYS.includes(key)) continue;
    const question = didYouMean(key, KEYS) || ` A response has ${KEYS.join(', ')}.`;
    return `not return the key '${key}'.${question}`;
  }
  const headers = 'headers' in value ? value.headers : undefined;
  if (headers === undefined || (isObject(headers) && !(Symbol.iterator in headers))) return undefined;
  return `return headers as an object, such as { ETag: '"1"' }.`;
}
