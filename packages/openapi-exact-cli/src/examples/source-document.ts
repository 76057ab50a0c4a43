import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve as resolvePath } from 'node:path';
import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { JSON_SCHEMA, load } from 'js-yaml';
import { parse as parseYaml } from 'yaml';
import { messageOf } from 'openapi-exact/contract';
import { arrayOf, isObject, mapJson, objectOf, parseJson, type Json, type JsonObject, textOf } from './json-value.ts';

/** The fields of a path item for operations; the last is of OpenAPI 3.2. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** An OpenAPI document of a folder. */
export interface SourceDocument {
  /** Its path in the folder. */
  readonly name: string;
  /** As it was written, with absolute paths in its references to other files. */
  readonly root: JsonObject;
  /** The same with what other files say inside it: every reference is local. */
  readonly view: JsonObject;
  readonly is30: boolean;
  /** Why bundling failed; the tested library is not at fault. */
  readonly bundlingError?: string;
}

/** The path and method of an operation in its document. */
export interface OperationKey {
  readonly path: string;
  /** In lower case, as a path item has it; one of `additionalOperations` as sent. */
  readonly method: string;
}

/**
 * Reads the OpenAPI documents below a folder, or a single one.
 * @param skip receives the name of each other YAML or JSON file, and why it cannot be read.
 */
export async function* readDocuments(
  source: string,
  skip: (name: string, reason: string | undefined) => void,
): AsyncGenerator<SourceDocument> {
  const isFile = (await stat(source)).isFile();
  const names = isFile ? [basename(source)] : await readdir(source, { recursive: true });
  for (const name of names.filter((file) => /\.(ya?ml|json)$/i.test(file)).toSorted()) {
    const file = resolvePath(isFile ? dirname(source) : source, name);
    try {
      const written = parseDocument(await readFile(file, 'utf8'), name);
      if (!isObject(written) || typeof written['openapi'] !== 'string') skip(name, undefined);
      else yield await sourceDocument(name, file, written, written['openapi']);
    } catch (error) {
      skip(name, messageOf(error).split('\n')[0] ?? '');
    }
  }
}

async function sourceDocument(
  name: string,
  file: string,
  written: JsonObject,
  version: string,
): Promise<SourceDocument> {
  const is30 = version.startsWith('3.0');
  const files: string[] = [];
  const root = mapJson(written, (part) => {
    const { $ref } = objectOf(part);
    if (!isFile($ref)) return part;
    files.push($ref);
    return { ...objectOf(part), $ref: join(dirname(file), $ref) };
  });
  if (files.length === 0) return { name, root: written, view: written, is30 };
  const parser = {
    canParse: true,
    allowEmpty: true,
    parse: ({ data }: { data: unknown }) => mapJson(parseDocument(String(data), name), withOwnValues),
  };
  // Extensions name other files, such as samples of code, which are data and may be missing.
  const data = { order: 1, canRead: /(?<!\.ya?ml|\.json)$/i, read: () => '{}' };
  const parse = { json: false, yaml: false, text: false, binary: false, parser };
  // It bundles JSON into JSON.
  const bundled = await $RefParser
    .bundle(file, { parse, resolve: { data } })
    .catch((error: unknown) => ({ bundlingError: messageOf(error).split('\n')[0] ?? '' }));
  if ('bundlingError' in bundled) return { name, root: objectOf(root), view: objectOf(root), is30, ...bundled };
  const view = mapJson(bundled as unknown as Json, withOwnProperties(bundled as unknown as JsonObject));
  return { name, root: objectOf(root), view: objectOf(view), is30 };
}

/** Adds an enum for a discriminator of schemas in other files, whose names get lost. */
function withOwnValues(schema: Json): Json {
  if (!isObject(schema) || !isObject(schema['discriminator'])) return schema;
  const { propertyName, mapping } = schema['discriminator'];
  const selected = (branch: Json): Json => {
    const { $ref } = objectOf(branch);
    const values = Object.entries(objectOf(mapping)).filter(([, target]) => target === $ref && isFile($ref));
    if (values.length === 0) return branch;
    const property = { enum: values.map(([name]) => name) };
    return { allOf: [branch, { required: [propertyName ?? ''], properties: { [textOf(propertyName)]: property } }] };
  };
  const choices = ['oneOf', 'anyOf'].filter((key) => Array.isArray(schema[key]));
  return { ...schema, ...Object.fromEntries(choices.map((key) => [key, arrayOf(schema[key]).map(selected)])) };
}

/** Follows a reference in the place of a map of properties, which OpenAPI does not have. */
function withOwnProperties(view: JsonObject): (schema: Json) => Json {
  return (schema) => {
    const { properties } = objectOf(schema);
    if (typeof objectOf(properties)['$ref'] !== 'string') return schema;
    return { ...objectOf(schema), properties: resolve(view, properties) ?? {} };
  };
}

/** Whether a reference leads to another file. */
function isFile($ref: Json | undefined): $ref is string {
  return typeof $ref === 'string' && !/^(#|\w+:|\/)/.test($ref);
}

const LENIENT = { strict: false, maxAliasCount: -1, logLevel: 'error' } as const;

/** JSON and YAML without rounding an integer. */
function parseDocument(written: string, name: string): Json {
  const text = written.replace(/^\uFEFF/, '');
  if (name.toLowerCase().endsWith('.json')) return parseJson(text);
  const safe = (_: unknown, value: unknown): unknown =>
    typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  try {
    // Without tags of its own, the YAML reader returns values of JSON, and bigints.
    return parseYaml(text, safe, { ...LENIENT, intAsBigInt: true, merge: true }) as Json;
  } catch {
    // Its JSON schema has no other values. It takes texts that end below the indentation of a key.
    return load(text, { schema: JSON_SCHEMA, filename: name }) as Json;
  }
}

/** The method of an operation as requests send it. */
export function sentMethod({ method }: Pick<OperationKey, 'method'>): string {
  return METHODS.includes(method) ? method.toUpperCase() : method;
}

/** The operations of a document, in its order. */
export function operationKeys({ view }: Pick<SourceDocument, 'view'>): OperationKey[] {
  const is32 = isVersion32(view);
  return Object.entries(objectOf(view['paths']))
    .filter(([path]) => !path.startsWith('x-'))
    .flatMap(([path, item]) => {
      const resolved = objectOf(resolve(view, item));
      const fixed = Object.keys(resolved).filter((key) => METHODS.includes(key) && (is32 || key !== 'query'));
      const additional = is32 ? Object.keys(objectOf(resolved['additionalOperations'])) : [];
      return [...fixed, ...additional].map((method) => ({ path, method }));
    });
}

/** Follows local references; undefined where one leads nowhere or in a circle. */
export function resolve(view: JsonObject, value: Json | undefined): Json | undefined {
  let current = value;
  for (let steps = 0; isObject(current) && typeof current['$ref'] === 'string'; steps++) {
    if (steps > 50) return undefined;
    current = atPointer(view, current['$ref']);
  }
  return current;
}

/** The value that a local reference names; pointers may lead across other references. */
export function atPointer(view: JsonObject, $ref: string): Json | undefined {
  if (!$ref.startsWith('#/')) return anchored(view, $ref.slice(1));
  return $ref
    .slice(2)
    .split('/')
    .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Json | undefined>((node, token) => {
      const parent = resolve(view, node);
      if (Array.isArray(parent)) return parent[Number(token)];
      return isObject(parent) && Object.hasOwn(parent, token) ? parent[token] : undefined;
    }, view);
}

/** The schema with an anchor. */
function anchored(node: Json, name: string): JsonObject | undefined {
  if (isObject(node) && node['$anchor'] === name) return node;
  const children = isObject(node) ? Object.values(node) : Array.isArray(node) ? node : [];
  for (const child of children) {
    const found = anchored(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The value that an example has; `dataValue` is a field of OpenAPI 3.2. */
export function dataOf(view: JsonObject, { value, dataValue }: JsonObject): Json | undefined {
  return value ?? (isVersion32(view) ? dataValue : undefined);
}

/** The component that a security requirement names, since OpenAPI 3.2 also by its URI. */
export function schemeName(key: string): string {
  return key.replace(/^.*#\/components\/securitySchemes\//, '');
}

/** Whether a document is of OpenAPI 3.2. */
export function isVersion32(view: JsonObject): boolean {
  return textOf(view['openapi']).startsWith('3.2');
}

/** The examples that a parameter, a header or a media type declares. */
export function examplesOf(view: JsonObject, { example, examples }: JsonObject): Json[] {
  const named = Object.values(objectOf(examples)).map((named) => dataOf(view, objectOf(resolve(view, named))));
  return [example, ...named].filter((value) => value !== undefined);
}

/** The definition of an operation, its path item and the parameters of both, resolved. */
export function operationAt(
  { view }: Pick<SourceDocument, 'view'>,
  { path, method }: OperationKey,
): { definition: JsonObject; item: JsonObject; parameters: JsonObject[] } {
  const item = objectOf(resolve(view, objectOf(view['paths'])[path]));
  const operations = METHODS.includes(method) ? item : objectOf(item['additionalOperations']);
  const definition = objectOf(resolve(view, operations[method]));
  const all = [item, definition].flatMap((holder) =>
    arrayOf(holder['parameters']).map((parameter) => withMediaTypes(view, objectOf(resolve(view, parameter)))),
  );
  // An operation's own parameter replaces the path item's of the same name and place.
  const byKey = new Map(all.map((parameter) => [`${textOf(parameter['in'])} ${textOf(parameter['name'])}`, parameter]));
  return { definition, item, parameters: [...byKey.values()] };
}

/** A parameter with its media type, to which it may refer in OpenAPI 3.2. */
function withMediaTypes(view: JsonObject, parameter: JsonObject): JsonObject {
  if (!isObject(parameter['content'])) return parameter;
  const content = Object.entries(parameter['content']);
  return {
    ...parameter,
    content: Object.fromEntries(content.map(([type, mediaType]) => [type, resolve(view, mediaType) ?? {}])),
  };
}
