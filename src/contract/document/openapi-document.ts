/**
 * The parts of an OpenAPI 3.1 document that the service reads; other parts are kept as they are.
 */
export interface OpenApiDocument {
  openapi: string;
  info: Record<string, unknown>;
  servers?: readonly { url: string; variables?: Record<string, { default: string }> }[];
  security?: readonly SecurityRequirement[];
  paths: Record<string, PathItem | Reference>;
  components?: { securitySchemes?: Record<string, SecurityScheme | Reference>; schemas?: Record<string, Schema> };
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
}

/** A JSON Schema of the dialect of OpenAPI 3.1. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  minimum?: number;
  maximum?: number;
  [keyword: string]: unknown;
}

/** True for a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items of an array; none for anything else. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** True for an object that can be a schema. */
export function isSchema(value: unknown): value is Schema {
  return isObject(value);
}

/** The methods of one path, and the parameters that they share. */
export type PathItem = { parameters?: readonly (Parameter | Reference)[] } & Partial<
  Record<Lowercase<Method>, OperationObject>
>;

/** An operation as the contract writes it. */
export interface OperationObject {
  operationId: string;
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: RequestBody | Reference;
  responses: Record<string, Response | Reference>;
  security?: readonly SecurityRequirement[];
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
  allowEmptyValue?: boolean;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
  schema?: Schema;
  content?: Record<string, { schema?: Schema }>;
}

/** A request body, by media type. */
export interface RequestBody {
  required?: boolean;
  content: Record<string, { schema?: Schema }>;
}

/** A response, by media type. */
export interface Response {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: Schema }>;
}

/** The methods that an OpenAPI 3.1 path item can declare. */
export const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'] as const;

/** A method of {@link METHODS}. */
export type Method = (typeof METHODS)[number];

/** True when `value` is a Reference Object. */
export function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string';
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
    current = $ref
      .slice(2)
      .split('/')
      .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))
      // A pointer into a bundled document may lead across references.
      .reduce<unknown>((node, token) => {
        const parent = isReference(node) ? resolve<object>(document, node) : node;
        return isObject(parent) && Object.hasOwn(parent, token) ? parent[token] : undefined;
      }, document);
    if (typeof current !== 'object' || current === null) throw new Error(`The reference ${$ref} leads nowhere.`);
  }
  // The contract was checked at load: a reference in this place leads to an object of this kind.
  return current as T;
}
