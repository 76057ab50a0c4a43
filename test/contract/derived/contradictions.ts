import { arrayOf, canonical, isObject, objectOf, textOf, type Json, type JsonObject } from 'openapi-exact-cli/examples';
import type { Operation } from 'openapi-exact';
import { nameInMessages, namesIn, schemaOfAnswer, valueOf, type Read, type Resource } from './resources.ts';
import { flatten, parametersOf } from './wire.ts';

/**
 * The first place in which the answer of a GET operation is not what clients have said of a
 * resource; undefined if there is none.
 */
export function contradiction({ params, said }: Resource, { operation, kind }: Read, answer: Json): string | undefined {
  const schema = schemaOfAnswer(operation) ?? {};
  if (kind === 'whole') return mismatch(expectedBy(schema, { ...said, ...identity(params, answer) }), answer);
  if (kind === 'part') {
    // A part has properties of its own, unless clients have said all of them.
    const isSaid = arrayOf(schema['required']).every((name) => Object.hasOwn(said, textOf(name)));
    return isSaid ? mismatch(expectedBy(schema, said), answer) : undefined;
  }
  const [items, itemSchema] = listIn(schema, answer);
  if (items === undefined) return undefined;
  const own = items.filter((item) => isObject(item) && isItem(params, operation, item));
  // A page may be without it.
  const isComplete = parametersOf(operation).every((parameter) => parameter.in !== 'query');
  if (own.length > 1 || (isComplete && own.length === 0)) return `${own.length} items in the list`;
  return own[0] === undefined ? undefined : mismatch(expectedBy(itemSchema, said), own[0]);
}

/** How often a list has a resource. */
export function countIn({ params }: Resource, read: Operation, answer: Json): number {
  const [items = []] = listIn(schemaOfAnswer(read) ?? {}, answer);
  return items.filter((item) => isObject(item) && isItem(params, read, item)).length;
}

/** The list that is or is in an answer, and the schema of its items. */
export function listIn(schema: JsonObject, answer: Json): [items: Json[] | undefined, schema: JsonObject] {
  if (Array.isArray(answer)) return [answer, flatten(schema['items'] ?? {})];
  const lists = Object.entries(objectOf(answer)).filter(([, value]) => Array.isArray(value));
  const [name, items] = lists[0] ?? [];
  if (lists.length !== 1 || name === undefined) return [undefined, {}];
  const list = flatten(objectOf(schema['properties'])[name] ?? {});
  return [arrayOf(items), flatten(list['items'] ?? {})];
}

/** Whether an item of a list is a resource: the path of the list says what all items share. */
export function isItem(params: Resource['params'], list: Operation, item: JsonObject): boolean {
  const shared = namesIn(list.path);
  const own = Object.entries(params).filter(([name]) => !shared.includes(name));
  return own.every(([name, text]) => textOf(valueOf(name, Object.keys(params), item)) === text);
}

/** The values in the path, under the names that an answer has for them. */
function identity(params: Resource['params'], answer: Json): JsonObject {
  const named = Object.entries(params).flatMap(([parameter, text]) => {
    const name = nameInMessages(parameter, Object.keys(params), objectOf(answer));
    const value = name === undefined ? undefined : objectOf(answer)[name];
    // As it is if it is the same: the path has texts only.
    return name === undefined || value === undefined ? [] : [[name, textOf(value) === text ? value : text] as const];
  });
  return Object.fromEntries(named);
}

/** What an answer of a schema must have of the values: write-only properties never come back. */
export function expectedBy(schema: JsonObject, values: JsonObject): JsonObject {
  const properties = objectOf(schema['properties']);
  const isReturned = (name: string): boolean =>
    properties[name] !== undefined && flatten(properties[name])['writeOnly'] !== true;
  return Object.fromEntries(Object.entries(values).filter(([name]) => isReturned(name)));
}

/** The first place in which a value lacks what it should have; null is the same as absent. */
export function mismatch(expected: Json, got: Json | undefined, path = ''): string | undefined {
  if (isObject(expected) && isObject(got)) {
    const found = Object.entries(expected).map(([name, value]) => mismatch(value, got[name], `${path}/${name}`));
    return found.find((contradiction) => contradiction !== undefined);
  }
  if (canonical(expected) === canonical(got ?? null)) return undefined;
  return `${canonical(got).slice(0, 80)} instead of ${canonical(expected).slice(0, 80)} at ${path === '' ? 'its top' : path}`;
}

/** The properties of an answer that another one has too. */
export function common(values: JsonObject, answer: Json): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(objectOf(answer), name)));
}
