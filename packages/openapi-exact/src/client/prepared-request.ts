import type { CallBounds } from './call-bounds.ts';
import type { ClientSettings } from './client-options.ts';
import type { PlacedCredential } from './placed-credential.ts';
import { assignHeaders, requireHeaders, type HeaderValues } from './headers.ts';
import { importStyles, loadModule } from './load-modules.ts';
import { arePlain, cookieParameters, headerParameters, requestTarget } from './parameters.ts';
import { plainText } from './plain-parameter.ts';
import { requestBodyOf, type GivenBody, type SendableBody } from './request-body.ts';
import { encodedParameters, type CallParameters } from './require-parameters.ts';
import type { OperationShape } from './shape.ts';

/** The arguments of a call, without the contract's types. */
export interface GivenRequest extends GivenBody {
  readonly params?: CallParameters | undefined;
  readonly headers?: HeaderValues | undefined;
}

/** The part of a request that is the same in all attempts of a call. */
export interface PreparedRequest {
  readonly method: string;
  /** The path template of the contract. */
  readonly schemaPath: string;
  /** The path and the query. */
  readonly target: string;
  readonly headers: Headers;
  /** The cookie parameters as pairs. */
  readonly cookies: readonly string[];
  readonly body: SendableBody;
}

/**
 * Validates and serializes the arguments of a call.
 * @throws TypeError or RangeError for an argument that cannot be sent.
 */
export async function prepareRequest(
  { paths, places }: ClientSettings,
  operation: OperationShape,
  given: GivenRequest & Pick<PreparedRequest, 'method' | 'schemaPath'>,
  bounds: CallBounds,
): Promise<PreparedRequest> {
  const { method, schemaPath, headers: ownHeaders = {} } = given;
  const params = encodedParameters(operation, places, given.params ?? {});
  const write = arePlain(operation, params) ? plainText : (await loadModule(importStyles, bounds)).styledText;
  const target = requestTarget(operation, schemaPath, params, write);
  paths.requireOwnPath(schemaPath, target.replace(/\?.*$/s, ''));
  requireHeaders(ownHeaders);
  const headers = new Headers();
  assignHeaders(headers, ownHeaders);
  assignHeaders(headers, headerParameters(operation, params, write));
  const body = await requestBodyOf(`${method} ${schemaPath}`, operation, places, given);
  return { method, schemaPath, target, headers, cookies: cookieParameters(operation, params, write), body };
}

/** What the functions of a client provide for a request. */
export interface ProvidedParts {
  /** The headers of the client. */
  readonly headers: HeaderValues;
  readonly credentials: readonly PlacedCredential[];
}

/**
 * The request of an attempt. Headers of the call win over credentials, and these over headers of
 * the client.
 * @throws TypeError in a page, where a program cannot set cookies.
 */
export function requestOf(
  { baseUrl, cookies }: ClientSettings,
  prepared: PreparedRequest,
  { headers: clientHeaders, credentials }: ProvidedParts,
  signal: AbortSignal,
): Request {
  const placedIn = (location: string): readonly PlacedCredential[] =>
    credentials.filter((credential) => credential.in === location);
  const headers = new Headers();
  assignHeaders(headers, clientHeaders);
  for (const { name, text } of placedIn('header')) headers.set(name, text);
  assignHeaders(headers, prepared.headers);
  const pairs = [
    headers.get('Cookie') ?? '',
    ...placedIn('cookie').map(({ name, text }) => `${name}=${text}`),
    ...prepared.cookies,
  ].filter((text) => text !== '');
  if (pairs.length > 0) headers.set('Cookie', pairs.join('; '));
  const { body: whole, items, type } = prepared.body;
  const body = items?.stream() ?? whole;
  if (body !== null) headers.delete('Content-Type');
  if (type !== null) headers.set('Content-Type', type);
  const keys = placedIn('query').map(({ name, text }) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  const delimiter = prepared.target.includes('?') ? '&' : '?';
  const url = baseUrl + prepared.target + (keys.length > 0 ? delimiter + keys.join('&') : '');
  // A redirect may lead to any host, and may turn a DELETE into a GET.
  // A body that is a stream needs the duplex (Fetch standard, section 5.4).
  const init: RequestInit & { duplex?: 'half' } = items === undefined ? {} : { duplex: 'half' };
  Object.assign(init, { method: prepared.method, headers, body, redirect: 'manual', credentials: cookies, signal });
  const request = new Request(url, init);
  if (pairs.length > 0 && !request.headers.has('Cookie'))
    throw new TypeError('A page cannot set cookies of a request: a browser sends its own (option cookies).');
  return request;
}
