import { stringify } from 'lossless-json';
import type { Operation } from '../../../src/contract/document/load.ts';
import { contract } from '../../support/service.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The values of a request, by parameter name; in the order in which they are sent. */
export interface RequestValues {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Writes a request for an operation; texts are percent-encoded, bigints written in full. */
export function toWire(
  operation: Operation,
  { params = {}, query = {}, headers = {}, body }: RequestValues,
): WireRequest {
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const pairs = Object.entries(query).flatMap(([name, value]) => queryPairs(operation, name, value));
  const type = bodyTypeOf(operation);
  const sent =
    body === undefined ? undefined : isJson(type) || typeof body !== 'string' ? (stringify(body) ?? 'null') : body;
  return {
    method: operation.method,
    target: `${contract.basePaths[0] ?? ''}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`,
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      ...(sent !== undefined && { 'Content-Type': type }),
    },
    ...(sent !== undefined && { body: sent }),
  };
}

/**
 * The media type in which the tests send an operation's request body: JSON, such as
 * `application/merge-patch+json`, or else the first one.
 */
export function bodyTypeOf({ requestBody }: Operation): string {
  const types = Object.keys(requestBody?.content ?? {});
  return types.find(isJson) ?? types[0] ?? 'application/json';
}

/** True for media types of JSON; the bodies of others are texts. */
export function isJson(type: string): boolean {
  return /[/+]json\b/.test(type);
}

function queryPairs(operation: Operation, name: string, value: unknown): string[] {
  const pair = (one: unknown): string => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`;
  if (!Array.isArray(value)) return [pair(value)];
  const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name);
  const exploded = (parameter as { explode?: boolean } | undefined)?.explode !== false;
  if (exploded) return value.map(pair);
  return [`${encodeURIComponent(name)}=${value.map((one: unknown) => encodeURIComponent(String(one))).join(',')}`];
}

/** A target with something more in its query. */
export function withQuery(target: string, query: string): string {
  return `${target}${target.includes('?') ? '&' : '?'}${query}`;
}

/** The request as a command to paste; the token is left to the reader. */
export function toCurl({ method, target, headers, body }: WireRequest): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const data = body === undefined ? [] : [`--data-binary ${quote(body.slice(0, 2_000))}`];
  const url = quote(`http://127.0.0.1:3000${target}`);
  return ['curl -i', `-X ${method}`, `-H "Authorization: Bearer $TOKEN"`, ...lines, ...data, url].join(' ');
}
