import { canonical, objectOf, textOf, type Json, type JsonObject } from 'openapi-exact-cli/examples';
import type { Operation } from 'openapi-exact';
import type { WireResponse } from '../../support/conformance.ts';
import { contract } from '../../support/contract.ts';
import { answerOf, flatten, type RequestValues } from './wire.ts';

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
type ReadKind = 'whole' | 'part' | 'list';

/** A GET operation that returns a resource. */
export interface Read {
  readonly operation: Operation;
  readonly kind: ReadKind;
}

/** The GET operations that return a resource. */
export function readsOf({ path, params }: Resource): Read[] {
  return contract.operations.flatMap((operation): Read[] => {
    const isKnown = namesIn(operation.path).every((name) => Object.hasOwn(params, name));
    if (operation.method !== 'GET' || !isKnown || !isReadToItsEnd(operation)) return [];
    if (operation.path === path) return [{ operation, kind: 'whole' }];
    if (operation.path.startsWith(`${path}/`)) return [{ operation, kind: 'part' }];
    return path.startsWith(`${operation.path}/`) ? [{ operation, kind: 'list' }] : [];
  });
}

/** Whether an operation answers with a content that ends. */
function isReadToItsEnd({ responses }: Operation): boolean {
  const types = Object.keys(responses['200']?.content ?? {});
  return types.length > 0 && !types.some((type) => type.startsWith('text/event-stream'));
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
  return [item, resourcePath(operation.path)].flatMap((path) => {
    const found = path === undefined ? undefined : paramsFrom(path, params, inMessages);
    return path === undefined || found === undefined ? [] : [{ path, params: found, said }];
  })[0];
}

/** What a relative Location is resolved against. */
const BASE = 'http://localhost/';

/** True for the hosts of the tests and those of the contract's servers. */
function isServed(hostname: string): boolean {
  const urls = (contract.document.servers ?? []).map(({ url }) => url);
  // The variables of a server may stand for any host.
  const isServer = (url: string): boolean => url.includes('{') || new URL(url, BASE).hostname === hostname;
  return ['localhost', '127.0.0.1'].includes(hostname) || urls.some(isServer);
}

/** Where a Location leads. */
function locate(
  location: string,
  operation: Operation,
  inMessages: JsonObject,
  sent: Readonly<Record<string, unknown>>,
): Pick<Resource, 'path' | 'params'> {
  const { hostname, pathname } = new URL(location, BASE);
  if (!isServed(hostname)) throw new Error(`Location: ${location} is on a host that \`servers\` does not have.`);
  const [found] = contract.operations
    .flatMap(({ path, basePaths }) => basePaths.map((basePath) => ({ path, params: match(pathname, basePath + path) })))
    .filter(({ params }) => params !== undefined)
    .toSorted((a, b) => namesIn(a.path).length - namesIn(b.path).length);
  if (found?.params === undefined) throw new Error(`Location: ${location} leads to no path of the contract.`);
  const { path, params } = found;
  // What is created below the path of the request shares its parameters.
  const shared = `${path}/`.startsWith(`${operation.path}/`) ? sent : {};
  for (const [name, text] of Object.entries(params)) {
    const value = paramOf(name, namesIn(path), shared, inMessages);
    if (value === undefined || textOf(value) === text) continue;
    throw new Error(`Location: ${location} names ${text}, but the ${name} of the messages is ${textOf(value)}.`);
  }
  return { path, params };
}

/** The path of what a POST creates, such as `/plants/{id}` for `/plants`. */
export function itemPath({ path }: Operation): string | undefined {
  const items = contract.operations.map((operation) => operation.path);
  return items.find((item) => item.startsWith(`${path}/{`) && /^\/\{[^/]*\}$/.test(item.slice(path.length)));
}

/** The path of what an operation is about: `/plants/{id}` for `/plants/{id}/price`. */
export function resourcePath(path: string): string {
  return path.slice(0, path.lastIndexOf('}') + 1) || path;
}

/** The names of the parameters in a path. */
export function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
}

/**
 * The name under which messages have a parameter of a path. Their `id` is the last one: `taskId` in
 * `/plants/{id}/tasks/{taskId}`, not the `id` of the plant.
 */
export function nameInMessages(parameter: string, inPath: readonly string[], values: object): string | undefined {
  const isLast = inPath.at(-1) === parameter;
  const names = [
    ...(isLast || parameter !== 'id' ? [parameter] : []),
    ...(isLast && parameter.endsWith('Id') ? ['id'] : []),
  ];
  return names.find((name) => Object.hasOwn(values, name));
}

/** The value that messages have of a parameter of a path. */
export function valueOf(parameter: string, inPath: readonly string[], values: JsonObject): Json | undefined {
  const name = nameInMessages(parameter, inPath, values);
  return name === undefined ? undefined : values[name];
}

/** The value of a parameter of a path in a request, or else in its messages. */
function paramOf(
  name: string,
  inPath: readonly string[],
  sent: Readonly<Record<string, unknown>>,
  inMessages: JsonObject,
): Json | undefined {
  // The values of a request are typed by the contract, which knows only values of JSON.
  return (sent[name] as Json | undefined) ?? valueOf(name, inPath, inMessages);
}

function paramsFrom(
  path: string,
  sent: Readonly<Record<string, unknown>>,
  inMessages: JsonObject,
): Record<string, string> | undefined {
  const names = namesIn(path);
  const values = names.map((name) => [name, paramOf(name, names, sent, inMessages)] as const);
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

/** The schema of the JSON that an operation answers with a status. */
export function schemaOfAnswer({ responses }: Operation, status = 200): JsonObject | undefined {
  // A part of the contract, which was parsed from YAML.
  const content = objectOf((responses[String(status)]?.content ?? {}) as unknown as Json);
  const json = Object.entries(content).find(([type]) => /[/+]json$/.test(type));
  const schema = objectOf(json?.[1])['schema'];
  return schema === undefined ? undefined : flatten(schema);
}

/** A body of JSON that is an object; an empty one for others. */
export function bodyObject(body: unknown): JsonObject {
  // The values of a request are typed by the contract, which knows only values of JSON.
  return objectOf(body as Json | undefined);
}
