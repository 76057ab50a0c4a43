import { parse } from 'lossless-json';
import { RequestError } from '../../errors.ts';

/** Maximum nesting of arrays and objects. */
export const MAX_DEPTH = 100;

/**
 * Parses JSON with `LosslessNumber`s.
 * @param what the text, as messages name it.
 * @throws RequestError malformedBody, or invalidBody when it is nested too deeply.
 */
export function parseJson(json: string, what = 'the request body'): unknown {
  if (depthOf(json) > MAX_DEPTH) {
    throw new RequestError('invalidBody', `The JSON of ${what} must not be nested deeper than ${MAX_DEPTH}.`);
  }
  try {
    // A byte order mark in front is ignored (RFC 8259, section 8.1).
    return parse(json.replace(/^\uFEFF/, ''));
  } catch (cause) {
    const message = `The JSON of ${what} must be well-formed, each key once (RFC 8259).`;
    throw new RequestError('malformedBody', message, { cause });
  }
}

/**
 * The nesting of arrays and objects. Not recursive, since deep nesting would overflow the stack.
 */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  // An unterminated string extends to the end: a search from each of its quotes would take
  // quadratic time.
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth--;
  }
  return deepest;
}
