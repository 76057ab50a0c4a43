import { abortable, TIME_IS_OVER } from './abortable.ts';
import type { ClientError, ResponseError } from './client-error.ts';
import type { ClientSettings } from './client-options.ts';
import { connectionError, responseError, timeoutError, tooLongError, type AttemptBounds } from './failures.ts';
import { FetchError, fetchWithHooks } from './hooks.ts';
import { declaredContent, isSuccess } from './operation.ts';
import { requestOf, type PreparedRequest, type ProvidedParts } from './prepared-request.ts';
import { readBytes } from './read-bytes.ts';
import { declaredTypeOf, readErrorBody } from './read-body.ts';
import { responseStream } from './response-stream.ts';
import type { OperationShape } from './shape.ts';

/** A call, ready to be sent. */
export interface PreparedCall {
  readonly settings: ClientSettings;
  readonly operation: OperationShape;
  readonly request: PreparedRequest;
  /** Timeout of the call with all its attempts, in milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  /** Whether the body of a success is a stream. */
  readonly isStreamed: boolean;
}

/** A response of success: its body as a stream if the call asks for it, or else its bytes. */
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
      const response = await fetchWithHooks(settings, context, ending);
      return isSuccess(call.operation, response.status)
        ? await successfulAttempt(call, response, bounds)
        : await failedAttempt(call, request, response, bounds);
    });
  } catch (error) {
    signal?.throwIfAborted();
    const cause = error instanceof FetchError ? error.cause : error;
    if (cause === TIME_IS_OVER) return { error: timeoutError(settings, bounds) };
    if (error instanceof FetchError) return { error: connectionError(cause, settings, bounds) };
    throw error;
  }
}

/** Reads a response of success, or leaves its body to be read as a stream. */
async function successfulAttempt(
  { settings, operation, request: { method }, isStreamed, signal }: PreparedCall,
  response: Response,
  bounds: AttemptBounds,
): Promise<SuccessfulAttempt | UnsuccessfulAttempt> {
  const content = declaredContent(operation, method, response.status) ?? {};
  if (isStreamed && declaredTypeOf(content, response.headers.get('Content-Type') ?? '') !== undefined) {
    const failureOf = (cause: unknown): Error => connectionError(cause, settings, { ...bounds, isUnclear: true });
    return { response, bytes: new Uint8Array(), stream: responseStream(response, signal, failureOf) };
  }
  const bytes = await receivedBytes(response, settings.maxResponseBytes);
  if (bytes !== undefined) return { response, bytes };
  return { error: tooLongError(settings, method, response), response, isDeclared: false };
}

/** Reads the bytes of a body. @throws FetchError if the connection breaks. */
async function receivedBytes(response: Response, limit: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await readBytes(response, limit);
  } catch (cause) {
    throw new FetchError('the body is incomplete', { cause });
  }
}

/** Reads a response that is no success. */
async function failedAttempt(
  { settings, operation, request: { method } }: PreparedCall,
  request: Request,
  response: Response,
  bounds: AttemptBounds,
): Promise<UnsuccessfulAttempt> {
  const bytes = await receivedBytes(response, MAX_ERROR_BYTES);
  const content = declaredContent(operation, method, response.status);
  const { body, isDeclared } =
    bytes === undefined
      ? { body: undefined, isDeclared: false }
      : readErrorBody(content, settings.places, response.headers.get('Content-Type') ?? '', bytes);
  const problem = bytes === undefined ? `with a body of more than ${MAX_ERROR_BYTES} bytes` : undefined;
  return { error: responseError(settings, request, response, { body, problem }, bounds), response, isDeclared };
}
