import type { Operation } from 'openapi-exact';
import type { Service } from '../../support/service.ts';
import {
  canonical,
  isNumber,
  isObject,
  objectOf,
  schemaOf,
  textOf,
  type Json,
  type JsonObject,
} from 'openapi-exact-cli/examples';
import { contract } from '../../support/contract.ts';
import { isItem, listIn } from './contradictions.ts';
import { withFreshId } from './fresh-ids.ts';
import { itemSchema, rolesOf, type Filter, type Order, type Roles } from './list-roles.ts';
import { bodyObject, readsOf, resourceOf, schemaOfAnswer, type Resource } from './resources.ts';
import { dispatch, succeed } from './scenarios.ts';
import { validVariations } from './variations.ts';
import {
  answerOf,
  exampleRequest,
  flatten,
  parametersOf,
  schemas,
  toCurl,
  toWire,
  type RequestValues,
} from './wire.ts';

/** With how many values of its property a test tries a filter. */
const VALUES = 6;

/** Whether an operation returns a list of objects. */
export function isList(operation: Operation): boolean {
  return operation.method === 'GET' && !operation.path.endsWith('}') && itemSchema(operation) !== undefined;
}

/**
 * Creates items that differ, and expects of a list: each of them once and as GET returns it, all
 * that a filter names and no others, each order, the first ones up to a limit, and pages that make
 * up the whole, also under a filter and in each order.
 */
export async function expectList(service: Service, operation: Operation): Promise<void> {
  const base = await succeed(service, operation);
  const roles = rolesOf(operation);
  const list = new List(service, operation, base, roles);
  const before = await list.read({});
  const created = await createItems(service, operation, base, roles);
  const all = await list.read({});
  if (roles.areAll && !list.mayGoOn(all)) {
    list.expectGrowth(all.length - before.length, created.length);
    for (const resource of created) if (resource !== undefined) await list.expectItem(all, resource);
  }
  for (const filter of roles.filters) await list.expectFilter(all, filter);
  if (!list.mayGoOn(all)) for (const order of roles.orders) await list.expectOrder(all, order);
  await list.expectPages(all, {});
}

/** The values by which items are ordered. Where those without one belong, the service decides. */
function valuesOf({ property }: Order, items: readonly JsonObject[]): Json[] {
  return items.map((item) => item[property] ?? null).filter((value) => value !== null);
}

class List {
  readonly #service: Service;
  readonly #operation: Operation;
  readonly #base: RequestValues;
  readonly #roles: Roles;

  constructor(service: Service, operation: Operation, base: RequestValues, roles: Roles) {
    this.#service = service;
    this.#operation = operation;
    this.#base = base;
    this.#roles = roles;
  }

  /** The items of all pages. */
  async read(query: JsonObject): Promise<JsonObject[]> {
    const { cursor } = this.#roles;
    const found: JsonObject[] = [];
    const led = new Set<string>();
    let page: JsonObject = { ...this.#largestPage(), ...query };
    for (;;) {
      const answer = await this.#get(page);
      const [items = []] = listIn(schemaOfAnswer(this.#operation) ?? {}, answer);
      found.push(...items.filter(isObject));
      const next = cursor?.place.reduce<Json | undefined>((value, name) => objectOf(value)[name], answer);
      if (cursor === undefined || next === undefined || next === null || next === '') return found;
      if (led.has(textOf(next))) this.#fail(page, 'leads to a page that was read before');
      led.add(textOf(next));
      page = { ...page, [cursor.parameter]: next };
    }
  }

  /** Whether a list may have more items than these, which cannot be asked for. */
  mayGoOn(items: readonly JsonObject[]): boolean {
    const { limit, cursor } = this.#roles;
    if (limit === undefined || cursor !== undefined) return false;
    const { maximum, default: usual } = flatten(schemaOf(limit));
    const most = maximum ?? usual;
    return !isNumber(most) || items.length >= most;
  }

  expectGrowth(growth: number, created: number): void {
    if (growth !== created) this.#fail({}, `has ${growth} more items after ${created} were created`);
  }

  async expectItem(all: readonly JsonObject[], resource: Resource): Promise<void> {
    const own = all.filter((item) => isItem(resource.params, this.#operation, item));
    const name = JSON.stringify(resource.params);
    const [item] = own;
    if (item === undefined || own.length > 1) return this.#fail({}, `has ${name} ${own.length} times`);
    const whole = readsOf(resource).find(({ kind }) => kind === 'whole');
    const schema = whole && schemaOfAnswer(whole.operation);
    if (whole === undefined || canonical(schema) !== canonical(itemSchema(this.#operation))) return;
    const request = toWire(whole.operation, { ...exampleRequest(whole.operation), params: resource.params });
    const answer = answerOf(await dispatch(this.#service, request));
    if (canonical(answer) === canonical(item)) return;
    this.#fail({}, `has ${canonical(item)}, which GET ${request.target} returns as ${canonical(answer)}`);
  }

  async expectFilter(all: readonly JsonObject[], { parameter, property, keeps, isExact }: Filter): Promise<void> {
    const declared = parametersOf(this.#operation).find(({ name }) => name === parameter);
    const judge = schemas.request.judge(schemaOf(declared ?? {}));
    const values = new Map(all.map((item) => [canonical(item[property]), item[property]]));
    const asked = [...values.values()].filter((value) => value !== undefined && value !== null && value !== '');
    for (const value of asked.filter((text) => judge(text ?? null) === undefined).slice(-VALUES)) {
      const query = { [parameter]: value ?? null };
      const got = await this.read(query);
      const known = new Set(got.map(canonical));
      const fits = (item: JsonObject): boolean => keeps(item[property] ?? null, value ?? null);
      const lost = all.find((item) => fits(item) && !known.has(canonical(item)));
      if (lost !== undefined) this.#fail(query, `lacks ${canonical(lost)}`);
      const stray = isExact ? got.find((item) => !fits(item)) : undefined;
      if (stray !== undefined) this.#fail(query, `has ${canonical(stray)}`);
      await this.expectPages(got, query);
    }
  }

  /** Numbers ascend or descend. Texts have the database's order, another one for each direction. */
  async expectOrder(all: readonly JsonObject[], order: Order): Promise<void> {
    const query = { [order.parameter]: order.value };
    const items = await this.read(query);
    if (canonical(items.map(canonical).toSorted()) !== canonical(all.map(canonical).toSorted())) {
      this.#fail(query, 'has other items than the whole list, or some more than once');
    }
    const values = valuesOf(order, items);
    const numbers = order.isDescending ? values.filter(isNumber).toReversed() : values.filter(isNumber);
    const misplaced = numbers.find((number, index) => number < (numbers[index - 1] ?? number));
    if (misplaced !== undefined) this.#fail(query, `has the ${order.property} ${misplaced} in the wrong place`);
    const opposite = this.#roles.orders.find(
      (other) => other.property === order.property && other.isDescending !== order.isDescending,
    );
    const opposed = opposite && valuesOf(order, await this.read({ [opposite.parameter]: opposite.value }));
    if (new Set(values.map(canonical)).size > 1 && canonical(values) === canonical(opposed)) {
      this.#fail(query, `has the same order as ${opposite?.value}`);
    }
    await this.expectPages(items, query);
  }

  /** Expects of pages of one or two items that they make up all that a query asks for. */
  async expectPages(all: readonly JsonObject[], asked: JsonObject): Promise<void> {
    const { limit } = this.#roles;
    if (limit === undefined) return;
    const judge = schemas.request.judge(schemaOf(limit));
    for (const size of [1, 2].filter((number) => judge(number) === undefined)) {
      const query = { ...asked, [limit.name]: size };
      const [items = []] = listIn(schemaOfAnswer(this.#operation) ?? {}, await this.#get(query));
      if (canonical(items) !== canonical(all.slice(0, size))) {
        this.#fail(query, `has ${items.length} items, not the first ${size} of the whole list`);
      }
      if (this.#roles.cursor === undefined) continue;
      const pages = await this.read(query);
      if (canonical(pages) !== canonical(all)) {
        this.#fail(query, `and the pages after it have ${pages.length} items, not the ${all.length} of the whole list`);
      }
    }
  }

  #largestPage(): JsonObject {
    const { limit } = this.#roles;
    const { maximum } = limit === undefined ? {} : flatten(schemaOf(limit));
    return limit === undefined || maximum === undefined ? {} : { [limit.name]: maximum };
  }

  async #get(query: JsonObject): Promise<Json> {
    const request = toWire(this.#operation, { ...this.#base, query: { ...this.#base.query, ...query } });
    const response = await dispatch(this.#service, request);
    if (response.status !== 200) this.#fail(query, `is answered ${response.status}: ${response.text}`);
    return answerOf(response) ?? null;
  }

  #fail(query: JsonObject, fault: string): never {
    const request = toWire(this.#operation, { ...this.#base, query: { ...this.#base.query, ...query } });
    throw new Error(`${this.#operation.id}: GET ${request.target} ${fault}.\n${toCurl(request)}`);
  }
}

/**
 * Creates items with as many values of the filtered properties as the contract allows.
 * @returns each; undefined for one that the answer does not name.
 */
async function createItems(
  service: Service,
  operation: Operation,
  base: RequestValues,
  { filters, orders }: Roles,
): Promise<(Resource | undefined)[]> {
  const [creator] = contract.operations.filter(
    ({ method, path, responses }) => method === 'POST' && path === operation.path && responses['201'] !== undefined,
  );
  if (creator === undefined) return [];
  const example = { ...exampleRequest(creator), params: base.params ?? {} };
  const requests = [example, ...validVariations(creator, example).flatMap(({ values }) => values ?? [])];
  const differing = [...filters, ...orders].flatMap(({ property }) => {
    const byValue = requests.map((values) => [canonical(bodyObject(values.body)[property]), values] as const);
    return [...new Map(byValue).values()].slice(-VALUES);
  });
  const created: (Resource | undefined)[] = [];
  // The values shall not ascend with the ids.
  for (const [index, values] of [...new Set([example, ...differing.toReversed()])].entries()) {
    const numbered = withFreshId(creator, values, index + 1);
    const response = await dispatch(service, toWire(creator, numbered));
    if (response.status === 201) created.push(resourceOf(creator, numbered, response));
  }
  return created;
}
