import {
  arrayOf,
  canonical,
  isObject,
  objectOf,
  textOf,
  type Json,
  type JsonObject,
} from '../../support/contract-messages.ts';
import type { Operation } from 'openapi-exact';
import type { WireResponse } from '../../support/conformance.ts';
import { contract } from '../../support/contract.ts';
import { answerOf, flatten, parametersOf, type RequestValues } from './wire.ts';

/** Something that the service keeps, as its clients know it. */
export interface Resource {
  /** The template of its path, such as `/plants/{id}`. */
  readonly path: string;
  /** The values in its path, as texts. */
  readonly params: Readonly<Record<string, string>>;
  /** What clients have said of it. */
  readonly said: JsonObject;
}

/** A resource as a text that no other one has. */
export function keyOf({ path, params }: Resource): string {
  return canonical([path, params]);
}

/** What a GET operation returns of a resource: itself, a part of it, or a list with it. */
export type ReadKind = 'whole' | 'part' | 'list';

/** A GET operation that returns a resource. */
interface Read {
  readonly read: Operation;
  readonly kind: ReadKind;
}

/** The GET operations that return a resource. */
export function readsOf({ path, params }: Resource): Read[] {
  return contract.operations.flatMap((read): Read[] => {
    const isKnown = namesIn(read.path).every((name) => Object.hasOwn(params, name));
    if (read.method !== 'GET' || !isKnown || schemaOfAnswer(read) === undefined) return [];
    if (read.path === path) return [{ read, kind: 'whole' }];
    if (read.path.startsWith(`${path}/`)) return [{ read, kind: 'part' }];
    return path.startsWith(`${read.path}/`) ? [{ read, kind: 'list' }] : [];
  });
}

/**
 * What an operation has created or changed: what Location names, or else what its path and the
 * values of the messages do. Undefined if they name nothing.
 * @throws Error for a Location that leads nowhere, or to something else than the messages say.
 */
export function resourceOf(
  operation: Operation,
  { params = {}, body }: RequestValues,
  response: WireResponse,
): Resource | undefined {
  const said = bodyObject(body);
  const inMessages = { ...said, ...objectOf(answerOf(response)) };
  const { location } = response.headers;
  if (location !== undefined) return { ...locate(location, operation, inMessages, params), said };
  const item = operation.method === 'POST' ? itemPath(operation) : undefined;
  // The values of a request are typed by the contract, which knows only values of JSON.
  const known = { ...inMessages, ...(params as JsonObject) };
  return [item, resourcePath(operation.path)].flatMap((path) => {
    const found = path === undefined ? undefined : paramsFrom(path, known);
    return path === undefined || found === undefined ? [] : [{ path, params: found, said }];
  })[0];
}

/** Where a Location leads. */
function locate(
  location: string,
  operation: Operation,
  inMessages: JsonObject,
  sent: Readonly<Record<string, unknown>>,
): Pick<Resource, 'path' | 'params'> {
  const { pathname } = new URL(location, 'http://localhost/');
  const [found] = contract.operations
    .flatMap(({ path, basePaths }) => basePaths.map((basePath) => ({ path, params: match(pathname, basePath + path) })))
    .filter(({ params }) => params !== undefined)
    .toSorted((a, b) => namesIn(a.path).length - namesIn(b.path).length);
  if (found?.params === undefined) throw new Error(`Location: ${location} leads to no path of the contract.`);
  const { path, params } = found;
  const known = { ...inMessages, ...(path === operation.path && (sent as JsonObject)) };
  for (const [name, text] of Object.entries(params)) {
    const value = valueOf(name, known);
    if (value === undefined || textOf(value) === text) continue;
    throw new Error(`Location: ${location} names ${text}, but the ${name} of the messages is ${textOf(value)}.`);
  }
  return { path, params };
}

/** The path of what a POST creates, such as `/plants/{id}` for `/plants`. */
export function itemPath({ path }: Operation): string | undefined {
  const items = contract.operations.map((other) => other.path);
  return items.find((other) => other.startsWith(`${path}/{`) && /^\/\{[^/]*\}$/.test(other.slice(path.length)));
}

/** The path of what an operation is about: `/plants/{id}` for `/plants/{id}/price`. */
export function resourcePath(path: string): string {
  return path.slice(0, path.lastIndexOf('}') + 1) || path;
}

/** The names of the parameters in a path. */
export function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
}

/** The name under which messages have a parameter of the path: `id` may stand for `plantId`. */
export function nameInMessages(parameter: string, values: JsonObject): string | undefined {
  return [parameter, ...(parameter.endsWith('Id') ? ['id'] : [])].find((name) => Object.hasOwn(values, name));
}

function valueOf(parameter: string, values: JsonObject): Json | undefined {
  const name = nameInMessages(parameter, values);
  return name === undefined ? undefined : values[name];
}

function paramsFrom(path: string, known: JsonObject): Record<string, string> | undefined {
  const values = namesIn(path).map((name) => [name, valueOf(name, known)] as const);
  if (values.length === 0 || values.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(values.map(([name, value]) => [name, textOf(value)]));
}

/** The values in a path that fits a template. */
function match(pathname: string, template: string): Record<string, string> | undefined {
  const [segments, wanted] = [pathname.split('/'), template.split('/')];
  if (segments.length !== wanted.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, text] of wanted.entries()) {
    const segment = decodeURIComponent(segments[index] ?? '');
    const [name] = namesIn(text);
    if (name === undefined ? segment !== text : segment === '') return undefined;
    if (name !== undefined) params[name] = segment;
  }
  return params;
}

/** The schema of the JSON that a GET operation answers. */
function schemaOfAnswer({ responses }: Operation): JsonObject | undefined {
  // A part of the contract, which was parsed from YAML.
  const content = objectOf((responses['200']?.content ?? {}) as unknown as Json);
  const json = Object.entries(content).find(([type]) => /[/+]json$/.test(type));
  const schema = objectOf(json?.[1])['schema'];
  return schema === undefined ? undefined : flatten(schema);
}

/**
 * The first place in which the answer of a GET operation is not what clients have said of a
 * resource; undefined if there is none.
 */
export function contradiction(
  { params, said }: Resource,
  read: Operation,
  kind: ReadKind,
  answer: Json,
): string | undefined {
  const schema = schemaOfAnswer(read) ?? {};
  if (kind === 'whole') return mismatch(expectedBy(schema, { ...said, ...identity(params, answer) }), answer);
  if (kind === 'part') {
    // A part has properties of its own, unless clients have said all of them.
    const isSaid = arrayOf(schema['required']).every((name) => Object.hasOwn(said, textOf(name)));
    return isSaid ? mismatch(expectedBy(schema, said), answer) : undefined;
  }
  const [items, itemSchema] = listIn(schema, answer);
  if (items === undefined) return undefined;
  const own = items.filter((item) => isObject(item) && isItem(params, item));
  // A page may be without it.
  const isComplete = parametersOf(read).every((parameter) => parameter.in !== 'query');
  if (own.length > 1 || (isComplete && own.length === 0)) return `${own.length} items in the list`;
  return own[0] === undefined ? undefined : mismatch(expectedBy(itemSchema, said), own[0]);
}

/** How often a list has a resource. */
export function countIn({ params }: Resource, read: Operation, answer: Json): number {
  const [items = []] = listIn(schemaOfAnswer(read) ?? {}, answer);
  return items.filter((item) => isObject(item) && isItem(params, item)).length;
}

function listIn(schema: JsonObject, answer: Json): [items: Json[] | undefined, schema: JsonObject] {
  if (Array.isArray(answer)) return [answer, flatten(schema['items'] ?? {})];
  const lists = Object.entries(objectOf(answer)).filter(([, value]) => Array.isArray(value));
  const [name, items] = lists[0] ?? [];
  if (lists.length !== 1 || name === undefined) return [undefined, {}];
  const list = flatten(objectOf(schema['properties'])[name] ?? {});
  return [arrayOf(items), flatten(list['items'] ?? {})];
}

function isItem(params: Resource['params'], item: JsonObject): boolean {
  return Object.entries(params).every(([name, text]) => textOf(valueOf(name, item)) === text);
}

/** The values in the path, under the names that an answer has for them. */
function identity(params: Resource['params'], answer: Json): JsonObject {
  const named = Object.entries(params).flatMap(([parameter, text]) => {
    const name = nameInMessages(parameter, objectOf(answer));
    const value = name === undefined ? undefined : objectOf(answer)[name];
    // As it is if it is the same: the path has texts only.
    return name === undefined || value === undefined ? [] : [[name, textOf(value) === text ? value : text] as const];
  });
  return Object.fromEntries(named);
}

/** What an answer of a schema must have of the values: write-only properties never come back. */
function expectedBy(schema: JsonObject, values: JsonObject): JsonObject {
  const properties = objectOf(schema['properties']);
  const isReturned = (name: string): boolean =>
    properties[name] !== undefined && flatten(properties[name])['writeOnly'] !== true;
  return Object.fromEntries(Object.entries(values).filter(([name]) => isReturned(name)));
}

/** The first place in which a value lacks what it should have; null is the same as absent. */
export function mismatch(expected: Json, got: Json | undefined, path = ''): string | undefined {
  if (isObject(expected) && isObject(got)) {
    const found = Object.entries(expected).map(([name, value]) => mismatch(value, got[name], `${path}/${name}`));
    return found.find((one) => one !== undefined);
  }
  if (canonical(expected) === canonical(got ?? null)) return undefined;
  return `${canonical(got).slice(0, 80)} instead of ${canonical(expected).slice(0, 80)} at ${path === '' ? 'its top' : path}`;
}

/** A body of JSON that is an object; an empty one for others. */
export function bodyObject(body: unknown): JsonObject {
  // The values of a request are typed by the contract, which knows only values of JSON.
  return objectOf(body as Json | undefined);
}
