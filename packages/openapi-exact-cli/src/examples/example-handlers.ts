import { Readable } from 'node:stream';
import type { ResponseValue, Verifier } from 'openapi-exact';
import type { Contract, Operation } from 'openapi-exact/contract';
import type { Credential, ExampleResponse } from './example-messages.ts';
import { canonical, type Json } from './json-value.ts';
import type { MessageBody } from './message-body.ts';
import { sentMethod, type OperationKey } from './source-document.ts';

/** The body as a handler gives it. */
export function handlerValue({ kind, value, bytes }: MessageBody): unknown {
  if (kind === 'events') return Readable.from(value as Json[]);
  if (kind === 'json' || kind === 'items' || kind === 'parts') return value;
  return kind === 'text' ? bytes.toString() : bytes;
}

/** A handler's response. */
export function responseValue({ status, headers, body, contentType }: ExampleResponse): ResponseValue {
  // A stream can be read once, so each response has its own.
  const value = body && handlerValue(body);
  return {
    status,
    headers,
    ...(contentType !== undefined && { contentType }),
    ...(body !== undefined && { body: value }),
  };
}

/** Verifiers for schemes, which accept these credentials only. */
export function verifiersOf(
  credentials: readonly Credential[],
  schemes: readonly string[],
): Record<string, Verifier<unknown>> {
  const verifier = (scheme: string) => (given: unknown) => {
    const isKnown = credentials.some(
      (credential) => credential.scheme === scheme && canonical(credential.credentials) === canonical(given),
    );
    return Promise.resolve(isKnown ? { name: 'client' } : undefined);
  };
  return Object.fromEntries(schemes.map((scheme) => [scheme, verifier(scheme)]));
}

/** The library's operation with a path and method. @throws Error when there is none. */
export function operationOf({ operations }: Contract, operationKey: OperationKey): Operation {
  // The library serves a path up to its `#`.
  const served = operationKey.path.replace(/#.*$/s, '');
  const found = operations.find(({ path, method }) => path === served && method === sentMethod(operationKey));
  if (found === undefined) throw new Error('the library does not have the operation');
  return found;
}
