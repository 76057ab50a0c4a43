import { text as readText, type Request, type Response } from 'express';
import { parse } from 'lossless-json';
import { codeOf, messageOf, RequestError } from '../../errors.ts';
import type { Operation } from '../document/load.ts';

/** The largest body that is read, in bytes. */
export const MAX_BODY = 1024 * 1024;
/** The deepest nesting of arrays and objects that is parsed. */
export const MAX_DEPTH = 100;

/** Reads the JSON body of a request; numbers in it are LosslessNumbers. Undefined, or a promise of it: there is none. */
export type BodyReader = (request: Request, response: Response) => Promise<unknown> | undefined;

/**
 * A reader for the request body of an operation, or of an operation that has none, which then refuses one.
 * It throws, or rejects with, a RequestError: unexpectedBody, unsupportedMediaType, bodyTooLarge, malformedBody or invalidBody.
 */
export function createBodyReader({ requestBody }: Operation): BodyReader {
  if (requestBody === undefined) return refuseBody;
  const types = Object.keys(requestBody.content);
  const middleware = readText({ type: () => true, limit: MAX_BODY, inflate: false, defaultCharset: 'utf-8' });
  return async (request, response) => {
    if (!hasBody(request)) {
      if (requestBody.required !== true) return undefined;
      throw new RequestError('invalidBody', `This operation needs a request body of the type ${types.join(' or ')}.`);
    }
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    // RFC 8259, section 8.1: JSON is UTF-8.
    const charset = /;\s*charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
    if (type === undefined || !types.includes(type) || charset.toLowerCase() !== 'utf-8') {
      throw new RequestError('unsupportedMediaType', `The Content-Type must be ${types.join(' or ')}, in UTF-8.`, {
        headers: CLOSE,
      });
    }
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) throw tooLarge({ headers: CLOSE });
    // Only now: a body that is refused need not be sent (RFC 9110, section 10.1.1).
    if (request.headers.expect !== undefined) response.writeContinue();
    await new Promise<void>((done, fail) => {
      middleware(request, response, (error?: unknown) => {
        if (error === undefined) done();
        else fail(asRequestError(error));
      });
    });
    return parseJson(request.body);
  };
}

/** What follows on the connection is a body that nobody reads. */
const CLOSE = { Connection: 'close' };

/** RFC 9112, section 6: a request has a body when it has Transfer-Encoding or a Content-Length that is not 0. */
function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

function refuseBody(request: Request): undefined {
  if (!hasBody(request)) return undefined;
  throw new RequestError('unexpectedBody', 'This operation takes no request body: send none.', { headers: CLOSE });
}

function parseJson(text: unknown): unknown {
  const json = typeof text === 'string' ? text.replace(/^\uFEFF/, '') : '';
  if (depthOf(json) > MAX_DEPTH) {
    throw new RequestError('invalidBody', `The JSON of the request body must not be nested deeper than ${MAX_DEPTH}.`);
  }
  try {
    return parse(json);
  } catch (cause) {
    throw new RequestError('malformedBody', 'The request body must be well-formed JSON, each key once (RFC 8259).', {
      cause,
    });
  }
}

/** How deep arrays and objects are nested, without parsing: a parser that calls itself would run out of stack first. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  // A string that does not end goes on to the end: looked for again behind each of its quotes, 1 MiB of them would take minutes.
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth--;
  }
  return deepest;
}

function tooLarge(options: { headers: Record<string, string>; cause?: unknown }): RequestError {
  return new RequestError('bodyTooLarge', `The request body must not be larger than ${MAX_BODY} bytes.`, options);
}

/** The errors of body-parser: https://expressjs.com/en/resources/middleware/body-parser.html#errors */
function asRequestError(error: unknown): RequestError {
  const options = { headers: CLOSE, cause: error };
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : codeOf(error);
  if (type === 'entity.too.large') {
    return tooLarge(options);
  }
  if (type === 'charset.unsupported' || type === 'encoding.unsupported') {
    return new RequestError(
      'unsupportedMediaType',
      'The request body must be UTF-8 without Content-Encoding.',
      options,
    );
  }
  if (type === 'request.aborted' || type === 'request.size.invalid') {
    return new RequestError('malformedHttp', 'The request body did not arrive as its headers announced it.', options);
  }
  return new RequestError('internal', messageOf(error), options);
}
