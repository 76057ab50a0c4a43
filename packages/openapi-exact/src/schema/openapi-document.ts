import { getOrInsert } from '../json/get-or-insert.ts';
import { keyOfToken, tokenOfKey } from '../json/json-pointer.ts';

/**
 * The parts of an OpenAPI 3.1 document that the service reads; other parts are kept unchanged.
 */
export interface OpenApiDocument {
  openapi: string;
  info: Record<string, unknown>;
  servers?: readonly Server[];
  security?: readonly SecurityRequirement[];
  paths: Record<string, PathItem>;
  webhooks?: Record<string, PathItem | Reference>;
  components?: { securitySchemes?: Record<string, SecurityScheme | Reference>; schemas?: Record<string, Schema> };
}

/** A server; `{name}` in its URL is a variable. */
export interface Server {
  url: string;
  /** Of OpenAPI 3.2. */
  name?: string;
  variables?: Record<string, { default?: unknown; enum?: readonly unknown[] }>;
}

/** A JSON Reference; after bundling it always points into the same document (`#/…`). */
export interface Reference {
  $ref: string;
}

/** One alternative of credentials: all named schemes together. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** A security scheme; its verifier knows how to verify credentials. */
export interface SecurityScheme {
  type: string;
  /** The authentication scheme of `type: http`. */
  scheme?: string;
  /** The place of an API key. */
  in?: string;
  name?: string;
  deprecated?: boolean;
}

/**
 * A JSON Schema of the dialect of OpenAPI 3.1. An integer beyond 2^53 is a `bigint`, in every
 * keyword: minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, enum, const, default,
 * example. JSON.stringify throws on it; `stringify` of lossless-json writes it exactly.
 */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  minimum?: number | bigint;
  maximum?: number | bigint;
  [keyword: string]: unknown;
}

/**
 * Whether a document is of OpenAPI 3.0. Authors also leave out the patch version, or write a number
 * of YAML, where 3.0 is 3.
 */
export function isVersion30({ openapi }: { readonly openapi?: unknown }): boolean {
  return /^3(\.0(\.|$)|$)/.test(String(openapi));
}

/** Whether a document is of OpenAPI 3.1. */
export function isVersion31({ openapi }: { readonly openapi?: unknown }): boolean {
  return /^3\.1(\.|$)/.test(String(openapi));
}

/** Whether a document is of OpenAPI 3.2. */
export function isVersion32({ openapi }: { readonly openapi?: unknown }): boolean {
  return /^3\.2(\.|$)/.test(String(openapi));
}

/** True for a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of an object; none for anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** The items of an array; none for anything else. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** True for an object that can be a schema. */
export function isSchema(value: unknown): value is Schema {
  return isObject(value);
}

/** The methods for which a path item has a field of its own. */
export const FIXED_METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE', 'QUERY'] as const;

/** A method of {@link FIXED_METHODS}. */
export type FixedMethod = (typeof FIXED_METHODS)[number];

/** The methods of one path, and what they share. */
export type PathItem = {
  parameters?: readonly (Parameter | Reference)[];
  servers?: readonly Server[];
  /** Operations with any other method, by the method as requests send it. */
  additionalOperations?: Readonly<Record<string, OperationObject>>;
} & Partial<Record<Lowercase<FixedMethod>, OperationObject>>;

/** An operation as the contract writes it. */
export interface OperationObject {
  operationId?: string;
  tags?: readonly string[];
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: RequestBody | Reference;
  responses?: Record<string, Response | Reference>;
  servers?: readonly Server[];
  security?: readonly SecurityRequirement[];
  callbacks?: Record<string, Record<string, PathItem> | Reference>;
}

/** The location of a parameter. */
export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie';

/** A parameter of an operation. */
export interface Parameter {
  name: string;
  in: ParameterLocation;
  required?: boolean;
  style?: string;
  explode?: boolean;
  allowReserved?: boolean;
  allowEmptyValue?: boolean;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
  schema?: Schema;
  content?: Record<string, MediaTypeObject>;
}

/** Whether a parameter is the whole query (OpenAPI 3.2). */
export function isQuerystring({ in: location }: { readonly in: string }): boolean {
  return location === 'querystring';
}

/** How the parts of a body are encoded. */
export interface Encodings {
  /** Of properties, by their names. */
  encoding?: Record<string, Encoding>;
  /** Of the first items of a multipart body without names, by their positions. */
  prefixEncoding?: readonly Encoding[];
  /** Of all other items. */
  itemEncoding?: Encoding;
}

/** The schema of a body, and how its properties are encoded. */
export interface MediaTypeObject extends Encodings {
  schema?: Schema;
  /** The schema of each item of a sequential media type. */
  itemSchema?: Schema;
}

/** How a property of a form, or a part of a multipart body, is encoded. */
export interface Encoding extends Encodings {
  contentType?: string;
  style?: string;
  explode?: boolean;
  /** Of the parts of a multipart body. */
  headers?: Record<string, Header | Reference>;
}

/** A header of a response: a parameter whose name is its key. */
export type Header = Omit<Parameter, 'name' | 'in'>;

/** A request body, by media type. */
export interface RequestBody {
  required?: boolean;
  content: Record<string, MediaTypeObject>;
}

/** A response, by media type. */
export interface Response {
  description?: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, MediaTypeObject>;
}

/** True when `value` is a Reference Object. */
export function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string';
}

/**
 * The keys of a JSON pointer in a URI fragment (RFC 6901, section 6), such as `/paths/~1notes`.
 */
export function pointerTokens(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => keyOfToken(decodeToken(token)));
}

/** The last key of a reference, which is the name of a component. */
export function lastKey($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** A key as part of a JSON pointer in a URI fragment. */
export function encodeToken(key: string): string {
  return encodeURIComponent(tokenOfKey(key));
}

/** Authors also write keys with a `%` as they are. */
function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

/** The value of an own key; undefined without it. */
export function own(node: unknown, key: string): unknown {
  // The check shows that it has keys.
  return typeof node === 'object' && node !== null && Object.hasOwn(node, key)
    ? (node as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/**
 * The object that a chain of local references leads to (RFC 6901 pointers).
 * @throws Error when a pointer leads nowhere or in a circle; its message names the pointer.
 */
export function resolve<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  let current: unknown = value;
  const seen = new Set<string>();
  while (isReference(current)) {
    const { $ref } = current;
    if (seen.has($ref)) throw new Error(`The reference ${$ref} leads to itself.`);
    seen.add($ref);
    current = targetOf(document, $ref);
  }
  // The contract was checked at load: a reference in this place leads to an object of this kind.
  return current as T;
}

/** The targets of references that were followed, by document. */
const TARGETS = new WeakMap<OpenApiDocument, Map<string, Record<string, unknown>>>();

/**
 * The object that a local reference points to, which may be a reference too.
 * @throws Error when it leads nowhere; its message names the pointer.
 */
export function targetOf(document: OpenApiDocument, $ref: string): Record<string, unknown> {
  const targets = getOrInsert(TARGETS, document, () => new Map<string, Record<string, unknown>>());
  return getOrInsert(targets, $ref, () => {
    const target = pointerTokens($ref.slice(1)).reduce<unknown>(own, document);
    if (!isObject(target)) throw new Error(`The reference ${$ref} leads nowhere.`);
    return target;
  });
}
