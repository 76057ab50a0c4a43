import {
  arrayOf,
  ExampleMessages,
  examplesOf,
  FlatSchemas,
  isJson,
  objectOf,
  operationAt,
  parseJson,
  readDocuments,
  validValue,
  writeJson,
  writeRequest,
  type Argument,
  type Json,
  type JsonObject,
  type OperationKey,
  type SourceDocument,
} from 'openapi-exact-cli/examples';
import { fileURLToPath } from 'node:url';
import type { Operation } from 'openapi-exact';
import type { WireResponse } from '../../support/conformance.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The values of a request, by parameter name. */
export interface RequestValues {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly cookies?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Where a request has the parameters of each place. */
export const GROUPS = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const;

/** The contract of the project, as `npm run test:contracts` reads it: without the engine. */
export const document = await readContract();
export const { schemas } = new ExampleMessages(document);

async function readContract(): Promise<SourceDocument> {
  const file = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url));
  for await (const read of readDocuments(file, () => undefined)) return read;
  throw new Error('openapi.yaml is no contract.');
}

export function operationKeyOf({ path, method }: Operation): OperationKey {
  return { path, method: method.toLowerCase() };
}

/** The parameters of an operation. */
export function parametersOf(operation: Operation): (JsonObject & { name: string; in: keyof typeof GROUPS })[] {
  // The contract was checked: each has both.
  return operationAt(document, operationKeyOf(operation)).parameters as ReturnType<typeof parametersOf>;
}

/** A schema without references, allOf and choices. */
export function flatten(schema: Json): JsonObject {
  return new FlatSchemas(document, 0).flatten(schema, 0);
}

/** The media type of the request bodies that tests send, preferably JSON, and its schema. */
export function bodyOf({ requestBody }: Operation): {
  readonly type: string;
  readonly content: JsonObject | undefined;
} {
  // A part of the contract, which was parsed from YAML.
  const content = (requestBody?.content ?? {}) as unknown as JsonObject;
  const types = Object.keys(content);
  const type = types.find(isJson) ?? types[0];
  return { type: type ?? 'application/json', content: type === undefined ? undefined : objectOf(content[type]) };
}

/** Writes a request for an operation. */
export function toWire(operation: Operation, values: RequestValues): WireRequest {
  const given = parametersOf(operation).flatMap((parameter): Argument[] => {
    const value = values[GROUPS[parameter.in]]?.[parameter.name];
    // A fixture's values are typed by the contract, which knows only values of JSON.
    return value === undefined ? [] : [{ parameter, value: value as Json }];
  });
  const { type } = bodyOf(operation);
  const body = values.body as Json | undefined;
  const text = typeof body === 'string' && !isJson(type) ? body : writeJson(body ?? null);
  const bytes = Buffer.from(body === undefined ? '' : text);
  const sent = {
    arguments: given,
    body: body === undefined ? undefined : { contentType: type, bytes },
    credentials: [],
  };
  const { method, target, headers } = writeRequest(document, operationKeyOf(operation), sent, undefined);
  const { 'Content-Length': _, ...others } = headers;
  return { method, target, headers: others, ...(body !== undefined && { body: text }) };
}

/** The request that the examples of an operation describe, with its required parts only. */
export function exampleRequest(operation: Operation): RequestValues {
  const values: Record<string, Record<string, Json>> = {};
  for (const parameter of parametersOf(operation).filter(({ required }) => required === true)) {
    const group = GROUPS[parameter.in];
    values[group] = { ...values[group], [parameter.name]: exampleOf(parameter) };
  }
  const { content } = bodyOf(operation);
  return { ...values, ...(content !== undefined && { body: exampleOf(content) }) };
}

/** The example of a parameter or a body: its own, or one that follows from its schema. */
function exampleOf(described: JsonObject): Json {
  const [first] = examplesOf(document.view, described);
  return first ?? valueOf(described['schema'] ?? {});
}

/** A value of a schema: its example, or one made of the examples of its required parts. */
function valueOf(schema: Json): Json {
  const { example, examples, properties, required } = flatten(schema);
  const [given] = [example, ...arrayOf(examples)].filter((candidate) => candidate !== undefined);
  if (given !== undefined || properties === undefined) {
    return given ?? validValue(schemas.request, schema, 'text') ?? {};
  }
  const made = (names: readonly string[]): Json =>
    Object.fromEntries(names.map((name) => [name, valueOf(objectOf(properties)[name] ?? {})]));
  const names = Object.keys(objectOf(properties));
  const least = made(names.filter((name) => arrayOf(required).includes(name)));
  // A change of anything may be optional, but not of nothing.
  return schemas.request.judge(schema)(least) === undefined ? least : made(names);
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

/** The JSON of an answer, with exact integers; undefined for other media types. */
export function answerOf({ headers, text }: WireResponse): Json | undefined {
  return isJson(headers['content-type'] ?? '') ? parseJson(text) : undefined;
}

/** A media type without its parameters, in lower case. */
export function essenceOf(type: string): string {
  return type.replace(/\s*;.*$/s, '').toLowerCase();
}
