import type { Operation } from 'openapi-exact';
import {
  arrayOf,
  canonical,
  isNumber,
  objectOf,
  schemaOf,
  textOf,
  type Json,
  type JsonObject,
} from 'openapi-exact-cli/examples';
import { schemaOfAnswer } from './resources.ts';
import { flatten, parametersOf } from './wire.ts';

/** Names of parameters that bound the number of items, without case, `-` and `_`. */
const LIMITS: ReadonlySet<string> = new Set(['limit', 'pagesize', 'perpage']);

/** Names of parameters whose constants name a property to order by, such as `price` or `-price`. */
const ORDERS: ReadonlySet<string> = new Set(['sort', 'sortby', 'order', 'orderby']);

/** A parameter that chooses among the items by a property. */
export interface Filter {
  readonly parameter: string;
  readonly property: string;
  /** Whether an item with one value belongs to a list that is filtered by the other. */
  readonly keeps: (own: Json, asked: Json) => boolean;
  /** False for free text, which may be searched for in other ways. */
  readonly isExact: boolean;
}

/** An order of the items by a property. */
export interface Order {
  readonly parameter: string;
  readonly value: string;
  readonly property: string;
  readonly isDescending: boolean;
}

/** What the query parameters of a list mean. */
export interface Roles {
  readonly filters: readonly Filter[];
  readonly orders: readonly Order[];
  readonly limit?: JsonObject & { readonly name: string };
  /** The property of an answer that leads to the next page, and the parameter that takes it. */
  readonly cursor?: { readonly property: string; readonly parameter: string };
  /** Whether each parameter is one of these. */
  readonly areAll: boolean;
}

/** The schema of the items that an operation lists. */
export function itemSchema(operation: Operation): JsonObject | undefined {
  const schema = schemaOfAnswer(operation) ?? {};
  const lists = [schema, ...Object.values(objectOf(schema['properties'])).map(flatten)];
  const [list, ...others] = lists.filter(({ type }) => type === 'array');
  const items = flatten(list?.['items'] ?? {});
  return others.length === 0 && items['properties'] !== undefined ? items : undefined;
}

/** What the query parameters of a list mean, by their names. */
export function rolesOf(operation: Operation): Roles {
  const properties = objectOf(itemSchema(operation)?.['properties']);
  const parameters = parametersOf(operation).filter((parameter) => parameter.in === 'query');
  const filters = parameters.flatMap((parameter) => filterOf(parameter, properties) ?? []);
  const others = parameters.filter(({ name }) => filters.every((filter) => filter.parameter !== name));
  const limit = others.find(({ name }) => LIMITS.has(plain(name)));
  const orders = others.flatMap((parameter) => ordersOf(parameter, properties));
  const isOrder = (name: string): boolean => orders.some(({ parameter }) => parameter === name);
  const free = others.filter((parameter) => parameter !== limit && !isOrder(parameter.name));
  const cursor = cursorOf(objectOf(schemaOfAnswer(operation)?.['properties']), free);
  const areAll = free.every(({ name }) => name === cursor?.parameter);
  return { filters, orders, areAll, ...(limit && { limit }), ...(cursor && { cursor }) };
}

/** `status` asks for the items with this status, `minPrice` for those with at least this price. */
function filterOf(parameter: JsonObject & { name: string }, properties: JsonObject): Filter | undefined {
  const { name } = parameter;
  const [, bound, rest = ''] = /^(min|max)_?(.+)$/i.exec(name) ?? [];
  const property = Object.keys(properties).find((key) => key === name || plain(key) === plain(rest));
  const own = property === undefined ? {} : flatten(properties[property] ?? {});
  const asked = flatten(schemaOf(parameter));
  const isScalar = ['integer', 'number', 'boolean', 'string'].includes(textOf(asked['type']));
  if (property === undefined || !isScalar || ![own['type']].flat().includes(asked['type'] ?? '')) return undefined;
  if (property === name) {
    const isExact = asked['type'] !== 'string' || asked['enum'] !== undefined;
    return { parameter: name, property, isExact, keeps: (value, text) => canonical(value) === canonical(text) };
  }
  if (asked['type'] !== 'integer' && asked['type'] !== 'number') return undefined;
  const isLeast = plain(bound ?? '') === 'min';
  const keeps = (value: Json, end: Json): boolean =>
    isNumber(value) && isNumber(end) && (isLeast ? value >= end : value <= end);
  return { parameter: name, property, isExact: true, keeps };
}

/** The orders that a parameter has constants for; none if one of them names no property. */
function ordersOf(parameter: JsonObject & { name: string }, properties: JsonObject): Order[] {
  const { name } = parameter;
  const values = ORDERS.has(plain(name)) ? arrayOf(flatten(schemaOf(parameter))['enum']).map(textOf) : [];
  const orders = values.map((value) => {
    const isDescending = value.startsWith('-');
    return { parameter: name, value, property: value.slice(isDescending ? 1 : 0), isDescending };
  });
  return orders.every(({ property }) => properties[property] !== undefined) ? orders : [];
}

/** `nextCursor` of an answer is sent as `cursor`, and `next` as the parameter with its schema. */
function cursorOf(answer: JsonObject, parameters: readonly (JsonObject & { name: string })[]): Roles['cursor'] {
  for (const property of Object.keys(answer).filter((name) => plain(name).startsWith('next'))) {
    const rest = plain(property).slice('next'.length);
    const schema = valueSchema(answer[property] ?? {});
    const named = parameters.find(({ name }) => [rest, plain(property)].includes(plain(name)));
    const alike = parameters.find((parameter) => valueSchema(schemaOf(parameter)) === schema);
    const parameter = named ?? alike;
    if (parameter !== undefined) return { property, parameter: parameter.name };
  }
  return undefined;
}

/** What a schema allows, without what it says for people. */
function valueSchema(schema: Json): string {
  const { description: _, example: __, examples: ___, ...rules } = flatten(schema);
  return canonical(rules);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}
