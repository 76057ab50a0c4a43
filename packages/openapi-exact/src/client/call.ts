import { withDefaults } from '../json/with-defaults.ts';
import { readingOf, type PreparedCall, type SuccessfulAttempt } from './attempt.ts';
import type { ResponseError } from './client-error.ts';
import type { ClientSettings } from './client-options.ts';
import { hasHooks, importHooks, loadItems, loadModule } from './load-modules.ts';
import { declaredContent, operationOf } from './operation.ts';
import { prepareRequest, type GivenRequest } from './prepared-request.ts';
import { readDeclared, readDeclaredItems, UndeclaredBody } from './read-body.ts';
import { requireDuration, requireKnown, requireOneOf } from './require-options.ts';
import { send } from './send.ts';
import type { CallOptions } from './request-types.ts';
import type { FailedCall, SuccessfulCall } from './response-types.ts';

/** The options of a call without the contract's types. */
type UntypedOptions = GivenRequest & CallOptions<'stream' | undefined, boolean | undefined>;

const CALL_OPTIONS: readonly (keyof UntypedOptions)[] = [
  ...(['params', 'body', 'contentType', 'headers', 'signal', 'timeout', 'parseAs', 'throwHttpErrors'] as const),
];

/** Methods that `fetch` does not send (Fetch standard, section 2.2.1). */
const FORBIDDEN = ['CONNECT', 'TRACE', 'TRACK'];

/**
 * Calls an operation.
 * @throws what {@link Client} says.
 */
export async function call(
  settings: ClientSettings,
  method: string,
  path: string,
  options: UntypedOptions = {},
): Promise<SuccessfulCall<unknown> | FailedCall<ResponseError>> {
  const operation = operationOf(settings.shapes, `${method} ${path}`);
  if (FORBIDDEN.includes(method)) throw new TypeError(`The client cannot send ${method}, which fetch forbids.`);
  requireKnown(options, CALL_OPTIONS, method);
  const { signal, parseAs } = options;
  const { throwHttpErrors, ...given } = withDefaults(options, { timeout: settings.timeout, throwHttpErrors: true });
  requireOneOf(parseAs, [undefined, 'stream'], 'parseAs');
  requireOneOf(throwHttpErrors, [true, false], 'throwHttpErrors');
  const timeout = requireDuration(given.timeout, 'timeout');
  const bounds = { timeout, deadline: performance.now() + timeout, signal };
  if (hasHooks(settings)) await loadModule(importHooks, bounds);
  const isStreamed = parseAs === 'stream';
  await loadItems(operation, isStreamed, bounds);
  const prepared: PreparedCall = {
    ...{ ...bounds, settings, operation, isStreamed },
    request: await prepareRequest(settings, operation, { ...options, method, schemaPath: path }, bounds),
  };
  const attempted = await send(prepared);
  if (attempted.error === undefined) return { data: await dataOf(prepared, attempted), response: attempted.response };
  if (throwHttpErrors || attempted.response === undefined || !attempted.isDeclared) throw attempted.error;
  return { error: attempted.error, response: attempted.response };
}

/**
 * The data of a success; undefined for a response without content.
 * @throws ResponseError for a body that the contract does not declare.
 */
async function dataOf(call: PreparedCall, { response, bytes, stream }: SuccessfulAttempt): Promise<unknown> {
  const { operation, request, isStreamed } = call;
  const { method } = request;
  const content = declaredContent(operation, method, response.status) ?? {};
  if (stream !== undefined && isStreamed) return stream;
  if (Object.keys(content).length === 0) return undefined;
  const reading = { content, ...readingOf(call, response) };
  if (stream !== undefined) return readDeclaredItems(reading, stream);
  try {
    return await readDeclared(reading, bytes);
  } catch (cause) {
    if (!(cause instanceof UndeclaredBody)) throw cause;
    throw reading.mistake(`is ${cause.message}`, cause);
  }
}
