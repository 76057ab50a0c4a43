import { abortable, onAbort, TIME_IS_OVER } from './abortable.ts';
import type { CallBounds } from './call-bounds.ts';
import { ResponseError, type ClientError } from './client-error.ts';
import type { ClientSettings } from './client-options.ts';
import { connectionError, responseError, timeoutError, tooLongError, type AttemptBounds } from './failures.ts';
import { FetchError, fetchOnce } from './fetch-once.ts';
import { hasHooks, importHooks, importItems } from './load-modules.ts';
import { declaredContent, isSuccess } from './operation.ts';
import { requestOf, type PreparedRequest, type ProvidedParts } from './prepared-request.ts';
import { readBytes } from './read-bytes.ts';
import { declaredTypeOf, readErrorBody, type BodyReading } from './read-body.ts';
import type { RequestContext } from './hooks.ts';
import type { OperationShape } from './shape.ts';

/** A call, ready to be sent. */
export interface PreparedCall extends CallBounds {
  readonly settings: ClientSettings;
  readonly operation: OperationShape;
  readonly request: PreparedRequest;
  /** Whether the body of a success is a stream of bytes. */
  readonly isStreamed: boolean;
}

/** A successful response: its bytes, or a stream for items and for `parseAs: 'stream'`. */
export interface SuccessfulAttempt {
  readonly error?: undefined;
  readonly response: Response;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly stream?: ReadableStream<Uint8Array>;
}

/** A response that is an error. */
interface UnsuccessfulAttempt {
  readonly error: ResponseError;
  readonly response: Response;
  /** Whether the contract declares its status with a body of this media type. */
  readonly isDeclared: boolean;
}

/** A failure without a complete response. */
interface BrokenAttempt {
  readonly error: ClientError;
  readonly response?: undefined;
}

export type Attempt = SuccessfulAttempt | UnsuccessfulAttempt | BrokenAttempt;

/** What may be answered to an item, when a handler has read those before it. */
const OF_ITEMS = [400, 413, 503];

/** Maximum bytes of an error body. */
const MAX_ERROR_BYTES = 1_048_576;

/**
 * Sends a request once, and reads the response.
 * @throws the reason of the caller's signal, what a hook throws, and TypeError for a wrong hook.
 */
export async function attempt(call: PreparedCall, parts: ProvidedParts, bounds: AttemptBounds): Promise<Attempt> {
  const { settings, request: prepared, signal } = call;
  try {
    return await abortable({ timeout: bounds.timeout, signal }, async (ending) => {
      const request = requestOf(settings, prepared, parts, ending);
      const context = { request, schemaPath: prepared.schemaPath };
      const response = await sent(settings, context, ending, prepared.body.items !== undefined);
      const attempted = isSuccess(call.operation, response.status)
        ? await successfulAttempt(call, response, bounds)
        : await failedAttempt(call, request, response, bounds);
      // A response that is a stream may go on with the request.
      if (attempted.error !== undefined || attempted.stream === undefined) prepared.body.items?.stop();
      return attempted;
    });
  } catch (error) {
    signal?.throwIfAborted();
    const { failure } = prepared.body.items ?? {};
    if (failure !== undefined) throw failure.cause;
    const cause = error instanceof FetchError ? error.cause : error;
    if (cause === TIME_IS_OVER) return { error: timeoutError(settings, bounds) };
    if (error instanceof FetchError) return { error: connectionError(cause, settings, bounds) };
    throw error;
  }
}

/** Sends a request, through the hooks if the client has any. */
async function sent(
  settings: ClientSettings,
  context: RequestContext,
  signal: AbortSignal,
  isSentOnce: boolean,
): Promise<Response> {
  if (!hasHooks(settings)) return fetchOnce(settings, context.request);
  const { fetchWithHooks } = await importHooks();
  return fetchWithHooks(settings, context, signal, isSentOnce, (request) => fetchOnce(settings, request));
}

/** Reads a response of success, or leaves its body to be read as a stream. */
async function successfulAttempt(
  { settings, operation, request: { method }, isStreamed, signal }: PreparedCall,
  response: Response,
  bounds: AttemptBounds,
): Promise<SuccessfulAttempt | UnsuccessfulAttempt> {
  const content = declaredContent(operation, method, response.status) ?? {};
  const type = declaredTypeOf(content, response.headers.get('Content-Type') ?? '');
  if (type !== undefined && (isStreamed || content[type]?.sequence !== undefined)) {
    const failureOf = (cause: unknown): Error => connectionError(cause, settings, { ...bounds, isUnclear: true });
    const { responseStream } = await importItems();
    return { response, bytes: new Uint8Array(), stream: responseStream(response, signal, failureOf, onAbort) };
  }
  const bytes = await receivedBytes(response, settings.maxResponseBytes);
  if (bytes !== undefined) return { response, bytes };
  return { error: tooLongError(settings, method, response), response, isDeclared: false };
}

/** What the body of a response is read with. */
export function readingOf(
  { settings, request: { method, schemaPath } }: PreparedCall,
  { status, headers }: Response,
): Omit<BodyReading, 'content'> {
  return {
    places: settings.places,
    received: headers.get('Content-Type') ?? '',
    maxItemBytes: settings.maxResponseBytes,
    mistake: (what, cause) =>
      new ResponseError(`The response to ${method} ${schemaPath} ${what}`, {
        ...{ status, headers, outcome: 'unknown', cause },
      }),
  };
}

/** Reads the bytes of a body. @throws FetchError if the connection breaks. */
async function receivedBytes(response: Response, limit: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await readBytes(response, limit);
  } catch (cause) {
    throw new FetchError('the body is incomplete', { cause });
  }
}

/** Reads an unsuccessful response. */
async function failedAttempt(
  call: PreparedCall,
  request: Request,
  response: Response,
  bounds: AttemptBounds,
): Promise<UnsuccessfulAttempt> {
  const {
    settings,
    operation,
    request: { method },
  } = call;
  const bytes = await receivedBytes(response, MAX_ERROR_BYTES);
  const content = declaredContent(operation, method, response.status);
  const { body, isDeclared } =
    bytes === undefined
      ? { body: undefined, isDeclared: false }
      : await readErrorBody(readingOf(call, response), content, bytes);
  const problem = bytes === undefined ? `with a body of more than ${MAX_ERROR_BYTES} bytes` : undefined;
  const isPartial = call.request.body.isSequence === true && OF_ITEMS.includes(response.status);
  const isUnclear = bounds.isUnclear || isPartial;
  const error = responseError(settings, request, response, { body, problem }, { ...bounds, isUnclear });
  return { error, response, isDeclared };
}
