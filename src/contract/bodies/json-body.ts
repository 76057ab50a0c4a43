import { text as readText, type Request, type Response } from 'express';
import { parse } from 'lossless-json';
import { codeOf, messageOf, RequestError } from '../../errors.ts';
import type { RequestBody } from '../document/openapi-document.ts';

/** Maximum size of a body, in bytes. */
export const MAX_BODY = 1024 * 1024;
/** Maximum nesting of arrays and objects. */
export const MAX_DEPTH = 100;

/** Closes the connection instead of reading the rest of the body. */
const CLOSE = { Connection: 'close' };

const readUtf8 = readText({ type: () => true, limit: MAX_BODY, inflate: false, defaultCharset: 'utf-8' });

/**
 * Refuses a request with a body. A chunked body is read up to its first byte, which may not exist;
 * a body announced with `Expect` is not empty (RFC 9110, section 10.1.1).
 * @throws RequestError unexpectedBody, or malformedHttp for invalid chunks.
 */
export async function requireNoBody(request: Request): Promise<void> {
  if (!hasBody(request)) return;
  if (request.headers['transfer-encoding'] === undefined || request.headers.expect !== undefined) {
    throw unexpectedBody();
  }
  await requireNoChunk(request);
}

function requireNoChunk(request: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    request.once('data', () => {
      reject(unexpectedBody());
    });
    request.once('end', resolve);
    request.once('error', (error) => {
      reject(asRequestError(error));
    });
  });
}

function unexpectedBody(): RequestError {
  return new RequestError('unexpectedBody', 'This operation takes no request body: send none.', { headers: CLOSE });
}

/**
 * Reads the JSON body of a request, with `LosslessNumber`s; undefined without a body.
 * @param declared the body that the operation declares.
 * @throws RequestError unsupportedMediaType, bodyTooLarge, malformedBody or invalidBody.
 */
export async function readJsonBody(declared: RequestBody, request: Request, response: Response): Promise<unknown> {
  const types = Object.keys(declared.content);
  if (!hasBody(request)) {
    if (declared.required !== true) return undefined;
    throw new RequestError('invalidBody', `This operation needs a request body of the type ${types.join(' or ')}.`);
  }
  const { 'content-type': contentType = '', 'content-length': length = 0, expect } = request.headers;
  const [type = ''] = contentType.split(';');
  // JSON is UTF-8 (RFC 8259, section 8.1).
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  if (!types.includes(type.trim().toLowerCase()) || charset.toLowerCase() !== 'utf-8') {
    const message = `The Content-Type must be ${types.join(' or ')}, in UTF-8.`;
    throw new RequestError('unsupportedMediaType', message, { headers: CLOSE });
  }
  if (Number(length) > MAX_BODY) throw tooLarge();
  // The headers alone may refuse a body before it is sent (RFC 9110, section 10.1.1).
  if (expect !== undefined) response.writeContinue();
  return parseJson(await readWhole(request, response));
}

/**
 * A request has a body when it has Transfer-Encoding or a Content-Length that is not 0 (RFC 9112,
 * section 6).
 */
function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

function readWhole(request: Request, response: Response): Promise<string> {
  return new Promise((resolve, reject) => {
    readUtf8(request, response, (error?: unknown) => {
      if (error === undefined) resolve(typeof request.body === 'string' ? request.body : '');
      else reject(asRequestError(error));
    });
  });
}

function parseJson(text: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  if (depthOf(json) > MAX_DEPTH) {
    throw new RequestError('invalidBody', `The JSON of the request body must not be nested deeper than ${MAX_DEPTH}.`);
  }
  try {
    return parse(json);
  } catch (cause) {
    const message = 'The request body must be well-formed JSON, each key once (RFC 8259).';
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

function tooLarge(cause?: unknown): RequestError {
  const message = `The request body must not be larger than ${MAX_BODY} bytes.`;
  return new RequestError('bodyTooLarge', message, { headers: CLOSE, cause });
}

/**
 * The errors of body-parser: https://expressjs.com/en/resources/middleware/body-parser.html#errors
 */
function asRequestError(error: unknown): RequestError {
  const options = { headers: CLOSE, cause: error };
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : codeOf(error);
  switch (type) {
    case 'entity.too.large':
      return tooLarge(error);
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new RequestError(
        'unsupportedMediaType',
        'The request body must be UTF-8 without Content-Encoding.',
        options,
      );
    case 'request.aborted':
    case 'request.size.invalid':
    case 'ECONNRESET':
      return new RequestError('malformedHttp', 'The request body did not arrive as its headers announced it.', options);
    default:
      return new RequestError('internal', messageOf(error), options);
  }
}
