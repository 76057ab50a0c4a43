import type { Operation } from 'openapi-exact';
import {
  arrayOf,
  canonical,
  isNumber,
  isObject,
  objectOf,
  operationAt,
  resolve,
  schemaOf,
  textOf,
  type Json,
  type JsonObject,
} from 'openapi-exact-cli/examples';
import { schemaOfAnswer } from './resources.ts';
import { document, flatten, operationKeyOf, parametersOf } from './wire.ts';

/** Names of parameters that take the first items, without case, `-` and `_`. */
const LIMITS: ReadonlySet<string> = new Set(['limit', 'pagesize', 'perpage']);

/** Whether an item with one value of a property belongs to a list that asks for the other. */
type Comparison = (own: Json, asked: Json) => boolean;

/** The comparisons that `x-list` may name, most of them in the words of JSON Schema. */
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  equals: (own, asked) => canonical(own) === canonical(asked),
  minimum: (own, asked) => isNumber(own) && isNumber(asked) && own >= asked,
  maximum: (own, asked) => isNumber(own) && isNumber(asked) && own <= asked,
  exclusiveMinimum: (own, asked) => isNumber(own) && isNumber(asked) && own > asked,
  exclusiveMaximum: (own, asked) => isNumber(own) && isNumber(asked) && own < asked,
};

/** A parameter that chooses among the items by a property. */
export interface Filter {
  readonly parameter: string;
  readonly property: string;
  readonly keeps: Comparison;
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
  readonly limit?: Parameter;
  /** Where an answer has what leads to the next page, and the parameter that takes it. */
  readonly cursor?: Cursor;
  /** Whether each parameter is one of these. */
  readonly areAll: boolean;
}

interface Cursor {
  /** The names of properties that lead to it, from the top of the answer. */
  readonly place: readonly string[];
  readonly parameter: string;
}

type Parameter = JsonObject & { readonly name: string };

/** What the contract says of an operation that returns a list. */
export interface ListDescription {
  readonly operation: Pick<Operation, 'id' | 'path'>;
  /** The query parameters. */
  readonly parameters: readonly Parameter[];
  /** The schema of the answer. */
  readonly answer: JsonObject;
  /** The Link Objects of the answer. */
  readonly links: readonly JsonObject[];
}

/** The schema of the items that an operation lists. */
export function itemSchema(operation: Operation): JsonObject | undefined {
  return itemsOf(schemaOfAnswer(operation) ?? {});
}

function itemsOf(answer: JsonObject): JsonObject | undefined {
  const lists = [answer, ...Object.values(objectOf(answer['properties'])).map(flatten)];
  const [list, ...others] = lists.filter(({ type }) => type === 'array');
  const items = flatten(list?.['items'] ?? {});
  return others.length === 0 && items['properties'] !== undefined ? items : undefined;
}

/** What the query parameters of a list mean. @throws Error for a wrong `x-list` or link. */
export function rolesOf(operation: Operation): Roles {
  const parameters = parametersOf(operation).filter((parameter) => parameter.in === 'query');
  return listRoles({ operation, parameters, answer: schemaOfAnswer(operation) ?? {}, links: linksOf(operation) });
}

function linksOf(operation: Operation): JsonObject[] {
  const { responses } = operationAt(document, operationKeyOf(operation)).definition;
  const { links } = objectOf(resolve(document.view, objectOf(responses)['200']));
  return Object.values(objectOf(links)).map((link) => objectOf(resolve(document.view, link)));
}

/**
 * What the query parameters of a list mean: what their `x-list` and the links of the answer say,
 * and without these what their names mean by convention, as docs/contract.md lists them.
 * @throws Error for an `x-list` or a link that is wrong.
 */
export function listRoles(list: ListDescription): Roles {
  const properties = objectOf(itemsOf(list.answer)?.['properties']);
  const meanings = list.parameters.map((parameter) => ({
    parameter,
    ...(parameter['x-list'] === undefined
      ? conventional(parameter, properties)
      : stated(list, parameter, parameter['x-list'], properties)),
  }));
  const filters = meanings.flatMap(({ filter }) => filter ?? []);
  const orders = meanings.flatMap((meaning) => meaning.orders ?? []);
  const limit = meanings.find(({ isLimit }) => isLimit)?.parameter;
  const free = meanings.filter((meaning) => !meaning.filter && !meaning.orders && meaning.parameter !== limit);
  const names = free.map(({ parameter }) => parameter.name);
  const cursor = linkedCursor(list) ?? conventionalCursor(list.answer, names);
  const areAll = names.every((name) => name === cursor?.parameter);
  return { filters, orders, areAll, ...(limit && { limit }), ...(cursor && { cursor }) };
}

/** What one query parameter means; nothing if it has another meaning. */
interface Meaning {
  readonly filter?: Filter;
  readonly orders?: readonly Order[];
  readonly isLimit?: boolean;
}

/** What the name of a parameter means: `status` asks for the items with this status. */
function conventional(parameter: Parameter, properties: JsonObject): Meaning {
  const { name } = parameter;
  const asked = flatten(schemaOf(parameter));
  const property = properties[name];
  if (property !== undefined) {
    const isScalar = ['integer', 'number', 'boolean', 'string'].includes(textOf(asked['type']));
    if (!isScalar || ![flatten(property)['type']].flat().includes(asked['type'] ?? '')) return {};
    const isExact = asked['type'] !== 'string' || asked['enum'] !== undefined;
    return { filter: filterBy(name, 'equals', name, isExact) };
  }
  if (LIMITS.has(plain(name))) return { isLimit: true };
  const values = plain(name) === 'sort' ? arrayOf(asked['enum']).map(textOf) : [];
  const orders = values.map((value) => orderBy(name, value, value));
  const isOrder = orders.length > 0 && orders.every((order) => properties[order.property] !== undefined);
  return isOrder ? { orders } : {};
}

/** What the `x-list` of a parameter says: `minimum: price`, `order: { cheapest: price }`. */
function stated({ operation }: ListDescription, { name }: Parameter, said: Json, properties: JsonObject): Meaning {
  const place = `${operation.id}: the x-list of the parameter '${name}'`;
  const entries = Object.entries(objectOf(said));
  const [[role, value] = ['', ''], ...others] = entries;
  if (isObject(said) && entries.length === 0) return {};
  const requireProperty = (property: string): string => {
    if (Object.hasOwn(properties, property)) return property;
    const known = Object.keys(properties).join(', ');
    throw new Error(`${place} must name a property of the items (${known}), not '${property}'.`);
  };
  if (others.length === 0 && role === 'limit' && value === true) return { isLimit: true };
  if (others.length === 0 && role === 'order' && isObject(value)) {
    const orders = Object.entries(value).map(([constant, by]) => orderBy(name, constant, textOf(by)));
    for (const { property } of orders) requireProperty(property);
    return { orders };
  }
  if (others.length === 0 && Object.hasOwn(COMPARISONS, role) && typeof value === 'string')
    return { filter: filterBy(name, role, requireProperty(value), true) };
  throw new Error(
    `${place} must be {}, { limit: true }, { order: { constant: property } } or one of ` +
      `${Object.keys(COMPARISONS).join(', ')} with a property, not ${canonical(said)}.`,
  );
}

function filterBy(parameter: string, comparison: string, property: string, isExact: boolean): Filter {
  return { parameter, property, isExact, keeps: COMPARISONS[comparison] ?? (() => true) };
}

/** The order of `price`, `+price` or `-price`, as in JSON:API and Zalando's guidelines. */
function orderBy(parameter: string, value: string, by: string): Order {
  return { parameter, value, property: by.replace(/^[+-]/, ''), isDescending: by.startsWith('-') };
}

/** What a link to the operation itself says: `after: $response.body#/next`. */
function linkedCursor({ operation, parameters, links }: ListDescription): Cursor | undefined {
  const reference = `#/paths/${operation.path.replaceAll('~', '~0').replaceAll('/', '~1')}/get`;
  const own = links.filter((link) => link['operationId'] === operation.id || link['operationRef'] === reference);
  for (const [key, expression] of own.flatMap((link) => Object.entries(objectOf(link['parameters'])))) {
    const [, pointer] = /^\$response\.body#\/(.+)$/s.exec(textOf(expression)) ?? [];
    if (pointer === undefined) continue;
    const parameter = key.replace(/^query\./, '');
    if (parameters.some(({ name }) => name === parameter)) {
      const place = pointer.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
      return { place, parameter };
    }
    throw new Error(`${operation.id}: a link to its next page names the query parameter '${key}', which it lacks.`);
  }
  return undefined;
}

/** `nextCursor` of an answer is sent as `cursor`, and `next_page_token` as `page_token`. */
function conventionalCursor(answer: JsonObject, parameters: readonly string[]): Cursor | undefined {
  const properties = Object.keys(objectOf(answer['properties']));
  return parameters.flatMap((parameter) => {
    const next = properties.find((property) => plain(property) === `next${plain(parameter)}`);
    return next === undefined ? [] : [{ place: [next], parameter }];
  })[0];
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}
