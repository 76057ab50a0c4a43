import {
  canonical,
  ExampleMessages,
  objectOf,
  textOf,
  type Json,
  type JsonObject,
} from '../../support/contract-messages.ts';
import type { Operation } from 'openapi-exact';
import type { WireResponse } from '../../support/conformance.ts';
import { contract } from '../../support/contract.ts';
import { plantsIn, type Service } from '../../support/service.ts';
import {
  bodyObject,
  contradiction,
  countIn,
  itemPath,
  keyOf,
  mismatch,
  nameInMessages,
  namesIn,
  readsOf,
  resourceOf,
  resourcePath,
  type Resource,
} from './resources.ts';
import { dispatch, pathIds, succeed } from './scenarios.ts';
import { withSecondService } from './services.ts';
import { textVariations, validVariations } from './variations.ts';
import {
  answerOf,
  document,
  exampleRequest,
  placeOf,
  schemas,
  toCurl,
  toWire,
  bodyOf,
  type RequestValues,
} from './wire.ts';

/**
 * Sends every request that the contract allows, and reads after each: what it has stored comes
 * back from all operations that return it, also from another process; everything else is as before.
 */
export async function expectReadBack(service: Service, operation: Operation): Promise<void> {
  const base = await succeed(service, operation);
  await withSecondService(service, async (second) => {
    const store = new KnownStore(service, second);
    for (const creator of creatorsFor(operation)) await store.create(creator);
    store.watchNeighbours(operation, base);
    const target = store.find(operation);
    const values = target === undefined ? base : { ...base, params: { ...base.params, ...target.params } };
    const variations = [...validVariations(operation, values), ...textVariations(operation, values)];
    // What changes nothing needs no second try with another body.
    const requests = [values, ...variations.flatMap((variation) => variation.values ?? [])];
    for (const [index, request] of requests.entries()) {
      await store.send(operation, isCreator(operation) ? withFreshId(operation, request, index + FIRST) : request);
    }
    if (isCreator(operation)) await store.createAgain(operation, requests);
  });
}

/** The first number of an id that a test makes; smaller ones are those of what it creates before. */
const FIRST = 10;

/** What the tests know of the content of a service. */
class KnownStore {
  readonly #service: Service;
  readonly #second: Service;
  readonly #seen = new Set<string>();
  /** What no request may change unless it is about it. */
  readonly #watched = new Map<string, Resource>();
  /** The resource of the last request, which the next one may not change either. */
  #last: Resource | undefined;

  constructor(service: Service, second: Service) {
    this.#service = service;
    this.#second = second;
  }

  /** Creates some resources, which differ. */
  async create(creator: Operation): Promise<void> {
    const base = exampleRequest(creator);
    const all = validVariations(creator, base).flatMap(({ values }) => values ?? []);
    const middle = all[Math.floor(all.length / 2)];
    const requests = [
      base,
      { ...base, body: wholeBody(creator) ?? base.body },
      ...(middle === undefined ? [] : [middle]),
    ];
    for (const [index, values] of requests.entries()) {
      const resource = await this.send(creator, withFreshId(creator, values, index));
      if (resource !== undefined) this.#watched.set(keyOf(resource), resource);
    }
  }

  /** Watches those whose ids are next to the one of a request. */
  watchNeighbours(operation: Operation, { params = {} }: RequestValues): void {
    for (const { name, neighboursOf } of pathIds(operation)) {
      for (const id of neighboursOf(BigInt(String(params[name])))) {
        const texts = Object.entries({ ...params, [name]: id }).map(([key, value]): [string, string] => [
          key,
          String(value),
        ]);
        const resource = { path: resourcePath(operation.path), params: Object.fromEntries<string>(texts), said: {} };
        this.#watched.set(keyOf(resource), resource);
      }
    }
  }

  /** A resource that an operation can be about, with neighbours on both sides. */
  find({ path }: Operation): Resource | undefined {
    const names = namesIn(path);
    const fitting = [...this.#watched.values()].filter(
      (resource) =>
        names.length > 0 &&
        Object.keys(resource.said).length > 0 &&
        `${path}/`.startsWith(`${resource.path}/`) &&
        names.every((name) => Object.hasOwn(resource.params, name)),
    );
    return fitting[1] ?? fitting[0];
  }

  /** Sends a request and reads what it has changed. @returns the resource that it is about. */
  async send(operation: Operation, values: RequestValues): Promise<Resource | undefined> {
    const request = toWire(operation, values);
    try {
      const before = await this.#state();
      const response = await dispatch(this.#service, request);
      const resource = this.#note(operation, values, response);
      if (resource !== undefined) await this.#expectRead(operation, resource, values, response);
      requireSame(before, await this.#state(), resource);
      return resource;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`${operation.id}: ${reason}\n${toCurl(request)}`, { cause });
    }
  }

  /** Creates what exists, with other values: refused or not, nothing exists twice. */
  async createAgain(operation: Operation, requests: readonly RequestValues[]): Promise<void> {
    const [known] = this.#watched.values();
    const values = requests.find(({ body }) => mismatch(bodyObject(body), known?.said ?? {}) !== undefined);
    if (known === undefined || values === undefined) return;
    const again = withFreshId(operation, values, 0);
    if (canonical(again) !== canonical(values)) await this.send(operation, again);
  }

  /** What a successful write is about, with all that clients have said of it by now. */
  #note(operation: Operation, values: RequestValues, response: WireResponse): Resource | undefined {
    if (operation.method === 'GET' || response.status >= 300) return undefined;
    const found = resourceOf(operation, values, response);
    if (found === undefined) return undefined;
    const key = keyOf(found);
    if (response.status === 201 && this.#seen.has(key)) {
      throw new Error(`${JSON.stringify(found.params)} is created, but it was there before.`);
    }
    if (operation.method === 'DELETE') this.#seen.delete(key);
    else this.#seen.add(key);
    const known =
      this.#watched.get(key) ?? (this.#last !== undefined && keyOf(this.#last) === key ? this.#last : undefined);
    const isReplaced = response.status === 201 || (operation.method === 'PUT' && operation.path === found.path);
    const resource = isReplaced ? found : { ...found, said: merged(known?.said ?? {}, found.said) };
    if (this.#watched.has(key)) this.#watched.set(key, resource);
    this.#last = resource;
    return resource;
  }

  /** Reads a resource by each operation that returns it. */
  async #expectRead(
    operation: Operation,
    resource: Resource,
    { body }: RequestValues,
    response: WireResponse,
  ): Promise<void> {
    const written = objectOf(answerOf(response));
    const own = mismatch(common(resource.said, written), written);
    if (own !== undefined) throw new Error(`the answer has ${own}.`);
    for (const { read, kind } of readsOf(resource)) {
      const base = exampleRequest(read);
      const { target } = toWire(read, { ...base, params: { ...base.params, ...resource.params } });
      for (const reader of [this.#service, this.#second]) {
        const got = await dispatch(reader, { method: 'GET', target, headers: {} });
        const where = `GET ${target}${reader === this.#second ? ' of another process' : ''}`;
        const answer = answerOf(got) ?? null;
        if (operation.method === 'DELETE' && operation.path === resource.path) {
          if (kind === 'list' ? countIn(resource, read, answer) === 0 : got.status >= 400) continue;
          throw new Error(`${where} still returns what was deleted.`);
        }
        if (got.status !== 200) {
          if (kind === 'part') continue;
          throw new Error(`${where} is answered ${got.status}: ${got.text}`);
        }
        const same = kind === 'whole' ? mismatch(common(written, answer), answer) : undefined;
        const wrong = contradiction(resource, read, kind, answer) ?? same;
        if (wrong !== undefined) throw new Error(`${where} has ${wrong}.`);
        if (read.path !== operation.path || typeof body !== 'string') continue;
        if (got.headers['content-type'] === bodyOf(operation).type && got.text !== body) {
          throw new Error(`${where} returns another content.`);
        }
      }
    }
  }

  /** What other processes see: the answers to all reads of what is watched, and the plants. */
  async #state(): Promise<State> {
    const answers = new Map<string, string>();
    const resources = new Map([
      ...this.#watched,
      ...(this.#last === undefined ? [] : [[keyOf(this.#last), this.#last] as const]),
    ]);
    for (const [key, resource] of resources) {
      for (const { read, kind } of readsOf(resource)) {
        const base = exampleRequest(read);
        const { target } = toWire(read, { ...base, params: { ...base.params, ...resource.params } });
        const name = kind === 'list' ? target : `${key} ${target}`;
        if (answers.has(name)) continue;
        const { status, text } = await dispatch(this.#second, { method: 'GET', target, headers: {} });
        answers.set(name, `${status} ${text}`);
      }
    }
    return { answers, plants: await plantsIn(this.#second.stores) };
  }
}

interface State {
  /** By the key of a resource and the target of a read; that of a list by its target alone. */
  readonly answers: ReadonlyMap<string, string>;
  readonly plants: readonly bigint[];
}

/** @throws Error for a change of something that a request was not about. */
function requireSame(before: State, after: State, changed: Resource | undefined): void {
  const key = changed === undefined ? undefined : keyOf(changed);
  for (const [name, answer] of before.answers) {
    const isOfChanged = key !== undefined && (name.startsWith(key) || name.startsWith('/'));
    const now = after.answers.get(name);
    if (isOfChanged || now === undefined || now === answer) continue;
    throw new Error(`it changed something else, ${name}: ${answer} became ${now}`);
  }
  const ids = Object.values(changed?.params ?? {});
  const difference = [
    ...before.plants.filter((id) => !after.plants.includes(id)),
    ...after.plants.filter((id) => !before.plants.includes(id)),
  ].filter((id) => !ids.includes(String(id)));
  if (difference.length > 0) throw new Error(`it added or removed other plants: ${difference.join(', ')}`);
}

/** The operations that create what an operation is about. */
function creatorsFor({ path }: Operation): Operation[] {
  const [, first] = path.split('/');
  return contract.operations.filter((operation) => isCreator(operation) && operation.path.split('/')[1] === first);
}

function isCreator({ method, responses }: Operation): boolean {
  return ['POST', 'PUT'].includes(method) && responses['201'] !== undefined;
}

/** The body with everything optional. */
function wholeBody(operation: Operation): Json | undefined {
  // The body of a JSON message is JSON.
  return new ExampleMessages(document).request(placeOf(operation)).body?.value as Json | undefined;
}

/** A request to create something with an id that no other number gives, where clients choose it. */
function withFreshId(operation: Operation, values: RequestValues, number: number): RequestValues {
  if (operation.method === 'PUT') {
    // The values of a request are typed by the contract, which knows only values of JSON.
    const params = { ...(values.params as JsonObject | undefined) };
    const schemaIn = (name: string): Json => operation.parameters.find((one) => one.name === name)?.schema as Json;
    for (const name of namesIn(operation.path)) params[name] = freshId(params[name] ?? null, schemaIn(name), number);
    return { ...values, params };
  }
  const body = bodyObject(values.body);
  const [parameter = ''] = namesIn((itemPath(operation) ?? '').slice(operation.path.length));
  const name = nameInMessages(parameter, body);
  if (name === undefined) return values;
  const { content } = bodyOf(operation);
  const judge = schemas.request.judge(content?.['schema'] ?? {});
  const fresh = candidates(body[name] ?? null, number).find((id) => judge({ ...body, [name]: id }) === undefined);
  return fresh === undefined ? values : { ...values, body: { ...body, [name]: fresh } };
}

function freshId(value: Json, schema: Json, number: number): Json {
  const judge = schemas.request.judge(schema);
  return candidates(value, number).find((id) => judge(id) === undefined) ?? value;
}

/** Neighbours beyond 2^53 where the schema allows them. */
function candidates(value: Json, number: number): Json[] {
  return [2n ** 53n + BigInt(number), 1_000 + number, `${textOf(value)}-${number}`, `${textOf(value)}${number}`];
}

/** What is known after a change: null removes a property (RFC 7396). */
function merged(known: JsonObject, said: JsonObject): JsonObject {
  const entries = Object.entries(said).map(([name, value]) => {
    const isNested =
      canonical(objectOf(value)) === canonical(value) && canonical(objectOf(known[name])) === canonical(known[name]);
    return [name, isNested ? merged(objectOf(known[name]), objectOf(value)) : value] as const;
  });
  return { ...known, ...Object.fromEntries(entries) };
}

/** The properties of an answer that another one has too. */
function common(values: JsonObject, answer: Json): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(objectOf(answer), name)));
}
