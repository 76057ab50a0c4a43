import { described } from '../errors/described.ts';
import { didYouMean } from '../errors/nearest.ts';
import { isObject } from '../schema/openapi-document.ts';
import { setOwn } from '../json/set-own.ts';
import { discard, type ResponseValue } from './respond.ts';

/** The keys of a response. */
const KEYS = ['status', 'headers', 'contentType', 'body'];

/**
 * Reads a response of a handler once: what is checked is what is sent. A handler in JavaScript may
 * return anything, and the compiler does not see every excess key.
 * @param id of the operation.
 * @throws TypeError for any other value, and for a key that no response has. Its body is discarded.
 */
export function readResponse(id: string, given: unknown): ResponseValue {
  if (!isObject(given) || !('status' in given)) {
    throw mistake(id, `return an object with a status, such as { status: 204 }, not ${described(given)}.`);
  }
  const { status, headers, contentType, body } = given;
  const found = mistakeIn(given, status, headers);
  if (found !== undefined) {
    discard({ body });
    throw mistake(id, found);
  }
  // The types of a handler in JavaScript may differ: respond.ts and the check of the response tell.
  return { status, headers: headers && readHeaders(headers), contentType, body } as ResponseValue;
}

function mistake(id: string, what: string): TypeError {
  return new TypeError(`The handler of ${id} must ${what}`);
}

function readHeaders(headers: object): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(headers)) {
    setOwn(read, name, Array.isArray(value) ? Array.from<unknown>(value) : value);
  }
  return read;
}

/** The advice for a value that is not a response; undefined for a response. */
function mistakeIn(given: object, status: unknown, headers: unknown): string | undefined {
  // Node.js would send 200 for 200.5.
  if (!Number.isInteger(status)) return `return a status that is an integer, not ${described(status)}.`;
  for (const key in given) {
    if (KEYS.includes(key)) continue;
    const question = didYouMean(key, KEYS) || ` A response has ${KEYS.join(', ')}.`;
    return `not return the key '${key}'.${question}`;
  }
  if (headers === undefined || (isObject(headers) && !(Symbol.iterator in headers))) return undefined;
  return `return headers as an object, such as { ETag: '"1"' }.`;
}
