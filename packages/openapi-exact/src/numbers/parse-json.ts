import { parse } from 'lossless-json';
import { RequestError } from '../errors.ts';

/** Maximum nesting of arrays and objects. */
export const MAX_DEPTH = 100;

/**
 * Parses JSON with `LosslessNumber`s.
 * @param what the text, as messages name it.
 * @throws RequestError malformedBody, or invalidBody when it is nested too deeply.
 */
export function parseJson(json: string, what = 'the request body'): unknown {
  try {
    requireStructure(json, what);
    // A byte order mark in front is ignored (RFC 8259, section 8.1).
    return parse(json.replace(/^\uFEFF/, ''));
  } catch (cause) {
    if (cause instanceof RequestError) throw cause;
    const message = `The JSON of ${what} must be well-formed, each key once (RFC 8259).`;
    throw new RequestError('malformedBody', message, { cause });
  }
}

/**
 * Refuses deep nesting, and objects that have a key twice: the parser accepts a repeated key whose
 * values are equal. Not recursive, since deep nesting would overflow the stack.
 */
function requireStructure(json: string, what: string): void {
  const open: Set<unknown>[] = [];
  // An unterminated string extends to the end: a search from each of its quotes would take
  // quadratic time.
  for (const [token, text = '', colon] of json.matchAll(/("(?:[^"\\]|\\.)*"?)(\s*:)?|[[\]{}]/gs)) {
    if (token === '[' || token === '{') {
      if (open.push(new Set()) <= MAX_DEPTH) continue;
      throw new RequestError('invalidBody', `The JSON of ${what} must not be nested deeper than ${MAX_DEPTH}.`);
    }
    if (token === ']' || token === '}') open.pop();
    const keys = open.at(-1);
    if (colon === undefined || keys === undefined) continue;
    if (keys.size === keys.add(JSON.parse(text)).size) throw new SyntaxError(`The key ${text} is repeated.`);
  }
}
