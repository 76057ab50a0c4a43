import {
  canonical,
  ExampleMessages,
  isJson,
  isObject,
  objectOf,
  type Json,
  type JsonObject,
} from 'openapi-exact-cli/examples';
import type { Operation } from 'openapi-exact';
import { messageOf } from '../../../src/errors.ts';
import type { WireResponse } from '../../support/conformance.ts';
import { contract } from '../../support/contract.ts';
import { plantsIn, type Service } from '../../support/service.ts';
import { common, contradiction, countIn, expectedBy, mismatch } from './contradictions.ts';
import { withFreshId } from './fresh-ids.ts';
import {
  bodyObject,
  keyOf,
  namesIn,
  readsOf,
  resourceOf,
  resourcePath,
  schemaOfAnswer,
  type Read,
  type Resource,
} from './resources.ts';
import { dispatch, pathIds, succeed } from './scenarios.ts';
import { withSecondService } from './services.ts';
import { spacedBody, mangledVariations, validVariations } from './variations.ts';
import {
  answerOf,
  bodyOf,
  document,
  essenceOf,
  exampleRequest,
  operationKeyOf,
  type RequestValues,
  toCurl,
  toWire,
} from './wire.ts';

/**
 * Sends every request that the contract allows, and reads after each: what it has stored comes
 * back from all operations that return it, also from another process; everything else is as before.
 */
export async function expectReadBack(service: Service, operation: Operation): Promise<void> {
  // The ids that a store gives from here on are not those that a number makes of them.
  await service.stores.plants.insertPlants([2n ** 53n]);
  const base = await succeed(service, operation);
  await withSecondService(service, async (second) => {
    const store = new KnownStore(service, second);
    for (const creator of creatorsFor(operation)) await store.create(creator);
    store.watchNeighbours(operation, base);
    const targets = store.find(operation);
    const [values = base, ...others] = targets.map((target) => aimedAt(base, target));
    const variations = [...validVariations(operation, values), ...mangledVariations(operation, values)];
    const requests = [values, ...variations.flatMap((variation) => variation.values ?? [])];
    const creates = isCreator(operation);
    const numbered = requests.map((request, index) =>
      creates ? withFreshId(operation, request, index + FIRST) : request,
    );
    for (const request of numbered) await store.send(operation, request);
    if (creates) {
      await store.createAgain(operation, requests);
      await store.createAfterDelete(operation, withFreshId(operation, base, FRESH));
    }
    const bodies = requests.map(({ body }) => body);
    await store.sendTogether(
      operation,
      creates
        ? bodies.slice(0, 5).map((body, index) => withFreshId(operation, { ...base, body }, index + FRESH + 1))
        : [values, ...others].map((request, index) => ({ ...request, body: bodies.at(-1 - index) })),
    );
  });
}

/** The first number of an id in a test; smaller numbers are those of resources created before. */
const FIRST = 10;
/** The first number of those that come after the variations. */
const FRESH = 1_000;
/** How often a test creates what exists. */
const AGAIN = 3;

/** What the tests know of the content of a service. */
class KnownStore {
  readonly #service: Service;
  readonly #second: Service;
  /** The keys of all resources that requests have created or changed. */
  readonly #existing = new Set<string>();
  /** What no request may change unless it is about it. */
  readonly #watched = new Map<string, Resource>();
  /** The resource of the last request, which the next one may not change either. */
  #last: Resource | undefined;
  /** What other processes saw after the last request. */
  #before: State | undefined;

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
      // A change must keep the texts that it does not name as they are.
      { ...base, body: spacedBody(creator) ?? wholeBody(creator) ?? base.body },
      ...(middle === undefined ? [] : [middle]),
    ];
    for (const [index, values] of requests.entries()) {
      const resource = await this.send(creator, withFreshId(creator, values, index + 1));
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

  /** The resources that an operation can be about, first one with neighbours on both sides. */
  find({ path }: Operation): Resource[] {
    const names = namesIn(path);
    const fitting = [...this.#watched.values()].filter(
      (resource) =>
        names.length > 0 &&
        Object.keys(resource.said).length > 0 &&
        `${path}/`.startsWith(`${resource.path}/`) &&
        names.every((name) => Object.hasOwn(resource.params, name)),
    );
    return [...fitting.slice(1, 2), ...fitting.slice(0, 1), ...fitting.slice(2)];
  }

  /** Sends a request and reads what it has changed. @returns the resource that it is about. */
  async send(operation: Operation, values: RequestValues): Promise<Resource | undefined> {
    const request = toWire(operation, values);
    try {
      const before = this.#before ?? (await this.#state());
      const response = await dispatch(this.#service, request);
      if (response.status >= 500) throw new Error(`it is answered ${response.status}: ${response.text}`);
      const hasWritten = operation.method !== 'GET' && response.status < 300;
      const resource = hasWritten ? this.#note(operation, values, response) : undefined;
      if (resource !== undefined) await this.#expectRead(operation, resource, values, response);
      this.#before = await this.#state();
      // What neither Location nor the messages name may be anything.
      if (!hasWritten || resource !== undefined) requireSame(before, this.#before, resource);
      return resource;
    } catch (cause) {
      throw new Error(`${operation.id}: ${messageOf(cause)}\n${toCurl(request)}`, { cause });
    }
  }

  /** Creates what exists, with other values: refused or not, nothing exists twice. */
  async createAgain(operation: Operation, requests: readonly RequestValues[]): Promise<void> {
    const [known] = this.#watched.values();
    const again = requests
      .map((values) => ({ values, known: withFreshId(operation, values, 1) }))
      // Where clients do not choose the id, each creation is another one.
      .filter((request) => canonical(request.known) !== canonical(request.values))
      .map((request) => request.known)
      .filter(({ body }) => mismatch(bodyObject(body), known?.said ?? {}) !== undefined);
    for (const values of again.slice(-AGAIN)) await this.send(operation, values);
  }

  /** Sends requests at the same time: each must have its own effect. */
  async sendTogether(operation: Operation, requests: readonly RequestValues[]): Promise<void> {
    if (operation.method === 'GET' || operation.method === 'DELETE') return;
    const wires = requests.map((values) => toWire(operation, values));
    const responses = await Promise.all(wires.map((wire) => dispatch(this.#service, wire)));
    const commands = `These were sent at the same time:\n${wires.map(toCurl).join('\n')}`;
    try {
      for (const [index, response] of responses.entries()) {
        const values = requests[index] ?? {};
        // Which of two is refused is theirs to decide, but neither may fail.
        if (response.status === 500) throw new Error(`one is answered 500: ${response.text}`);
        const resource = response.status < 300 ? this.#note(operation, values, response) : undefined;
        if (resource !== undefined) await this.#expectRead(operation, resource, values, response);
      }
    } catch (cause) {
      throw new Error(`${operation.id}: ${messageOf(cause)}\n${commands}`, { cause });
    }
  }

  /** Deletes and creates again: nothing is left of what was deleted. */
  async createAfterDelete(creator: Operation, values: RequestValues): Promise<void> {
    if (Object.keys(bodyObject(values.body)).length === 0) return;
    const whole = { ...values, body: { ...bodyObject(wholeBody(creator)), ...bodyObject(values.body) } };
    const first = await this.#createAndDelete(creator, values);
    await this.#createAndDelete(creator, whole);
    const again = await this.#createAndDelete(creator, values);
    const wrong = first.flatMap((answer, index) => mismatch(answer, again[index] ?? null) ?? []);
    const left = again.flatMap((answer, index) => mismatch(answer, first[index] ?? null) ?? []);
    const fault = [...wrong, ...left][0];
    if (fault === undefined) return;
    throw new Error(`${creator.id}: what is created after a deletion has ${fault}.\n${toCurl(toWire(creator, whole))}`);
  }

  /** @returns what clients can say of it, by each operation that returned it. */
  async #createAndDelete(creator: Operation, values: RequestValues): Promise<JsonObject[]> {
    const resource = await this.send(creator, values);
    const remove = contract.operations.find(({ method, path }) => method === 'DELETE' && path === resource?.path);
    if (resource === undefined || remove === undefined) return [];
    const answers: JsonObject[] = [];
    for (const { operation } of readsOf(resource).filter(({ kind }) => kind === 'whole')) {
      const got = await dispatch(this.#second, { method: 'GET', target: targetOf(operation, resource), headers: {} });
      answers.push(common(objectOf(answerOf(got)), bodyObject(wholeBody(creator))));
    }
    await this.send(remove, { params: resource.params });
    return answers;
  }

  /** What a write is about, with all that clients have said of it by now. */
  #note(operation: Operation, values: RequestValues, response: WireResponse): Resource | undefined {
    // A 202 may take effect later.
    const found = response.status === 202 ? undefined : resourceOf(operation, values, response);
    if (found === undefined) return undefined;
    const key = keyOf(found);
    if (response.status === 201 && this.#existing.has(key)) {
      throw new Error(`${JSON.stringify(found.params)} is created, but it was there before.`);
    }
    if (operation.method === 'DELETE') this.#existing.delete(key);
    else this.#existing.add(key);
    const resource = { ...found, said: saidAfter(operation, response, found, this.#saidOf(key)) };
    if (this.#watched.has(key)) this.#watched.set(key, resource);
    this.#last = resource;
    return resource;
  }

  #saidOf(key: string): JsonObject {
    const isLast = this.#last !== undefined && keyOf(this.#last) === key;
    return (isLast ? this.#last : this.#watched.get(key))?.said ?? {};
  }

  /** Reads a resource by each operation that returns it, in this process and in another one. */
  async #expectRead(
    operation: Operation,
    resource: Resource,
    values: RequestValues,
    response: WireResponse,
  ): Promise<void> {
    const written = objectOf(answerOf(response));
    const schema = schemaOfAnswer(operation, response.status);
    const own = schema && mismatch(expectedBy(schema, resource.said), written);
    if (own !== undefined) throw new Error(`the answer has ${own}.`);
    const isDeleted = operation.method === 'DELETE' && operation.path === resource.path;
    for (const read of readsOf(resource)) {
      const target = targetOf(read.operation, resource);
      for (const reader of [this.#service, this.#second]) {
        const got = await dispatch(reader, { method: 'GET', target, headers: {} });
        const fault = isDeleted
          ? remainder(resource, read, got)
          : (faultOf(resource, read, got, written) ??
            contentFault(operation, values, read, got) ??
            tagFault(operation, response, read, got));
        const process = reader === this.#second ? ' of another process' : '';
        if (fault !== undefined) throw new Error(`GET ${target}${process} ${fault}.`);
      }
    }
  }

  /** What other processes see: the answers to all reads of what is watched, and the plants. */
  async #state(): Promise<State> {
    const answers = new Map<string, SeenAnswer>();
    const resources = [...this.#watched.values(), ...(this.#last === undefined ? [] : [this.#last])];
    for (const resource of resources) {
      for (const { operation, kind } of readsOf(resource)) {
        const target = targetOf(operation, resource);
        if (answers.has(target)) continue;
        const { status, text, headers } = await dispatch(this.#second, { method: 'GET', target, headers: {} });
        const answer = { text: `${status} ${text}`, tag: headers['etag'] };
        answers.set(target, { ...answer, resource: kind === 'list' ? undefined : resource });
      }
    }
    return { answers, plants: await plantsIn(this.#second.stores) };
  }
}

/** What still returns a deleted resource; undefined if nothing does. */
function remainder(resource: Resource, { operation, kind }: Read, got: WireResponse): string | undefined {
  const isGone = kind === 'list' ? countIn(resource, operation, answerOf(got) ?? null) === 0 : got.status >= 400;
  return isGone ? undefined : 'still returns what was deleted';
}

/** What is wrong with the answer to a read; undefined if it has what was said and answered. */
function faultOf(resource: Resource, read: Read, got: WireResponse, written: JsonObject): string | undefined {
  if (got.status !== 200) return read.kind === 'part' ? undefined : `is answered ${got.status}: ${got.text}`;
  const answer = answerOf(got);
  if (answer === undefined) return undefined;
  const same = read.kind === 'whole' ? mismatch(common(written, answer), answer) : undefined;
  const wrong = contradiction(resource, read, answer) ?? same;
  return wrong === undefined ? undefined : `has ${wrong}`;
}

/** What is wrong with the answer to a read where a body that is not JSON was put. */
function contentFault(written: Operation, { body }: RequestValues, read: Read, got: WireResponse): string | undefined {
  const { type } = bodyOf(written);
  const isPut = written.method === 'PUT' && read.operation.path === written.path;
  if (!isPut || typeof body !== 'string' || isJson(type)) return undefined;
  if (got.status !== 200) return `is answered ${got.status} after something was put there: ${got.text}`;
  const isSameType = essenceOf(got.headers['content-type'] ?? '') === essenceOf(type);
  return isSameType && got.text !== body
    ? `returns another content: ${JSON.stringify(got.text.slice(0, 80))}`
    : undefined;
}

/** What is wrong with the entity tag of a read, if the answer to the write had one. */
function tagFault(written: Operation, wrote: WireResponse, read: Read, got: WireResponse): string | undefined {
  const isOfResource = read.kind === 'whole' && (wrote.status === 201 || read.operation.path === written.path);
  const { etag = '(none)' } = got.headers;
  const { etag: announced = etag } = wrote.headers;
  return isOfResource && announced !== etag ? `has the ETag ${etag}, not ${announced} as the change said` : undefined;
}

/** Where an operation reads a resource. */
function targetOf(read: Operation, { params }: Resource): string {
  const base = exampleRequest(read);
  return toWire(read, { ...base, params: { ...base.params, ...params } }).target;
}

interface SeenAnswer {
  /** What the answer is about; undefined for a list. */
  readonly resource: Resource | undefined;
  readonly text: string;
  readonly tag: string | undefined;
}

interface State {
  /** By the target of the GET. */
  readonly answers: ReadonlyMap<string, SeenAnswer>;
  readonly plants: readonly bigint[];
}

/** @throws Error for a change of something that a request was not about. */
function requireSame(before: State, after: State, changed: Resource | undefined): void {
  for (const [target, { resource, text, tag }] of before.answers) {
    const now = after.answers.get(target) ?? { text, tag };
    const mayChange = changed !== undefined && (resource === undefined || isWithin(resource, changed));
    if (now.text !== text && !mayChange) throw new Error(`GET ${target} was answered ${text}, and now ${now.text}.`);
    // A weak tag may stay where the change does not matter to clients.
    if (tag === undefined || tag.startsWith('W/') || now.tag === undefined) continue;
    if (now.text !== text && now.tag === tag)
      throw new Error(`GET ${target} still has the ETag ${tag} after a change.`);
    if (now.tag !== tag && !mayChange) throw new Error(`GET ${target} had the ETag ${tag}, and now ${now.tag}.`);
  }
  const ids = Object.values(changed?.params ?? {});
  const difference = [
    ...before.plants.filter((id) => !after.plants.includes(id)),
    ...after.plants.filter((id) => !before.plants.includes(id)),
  ].filter((id) => !ids.includes(String(id)));
  if (difference.length > 0) throw new Error(`it added or removed other plants: ${difference.join(', ')}`);
}

/** Whether one of two resources is the other one, or a part of it. */
function isWithin(left: Resource, right: Resource): boolean {
  const [outer, inner] = left.path.length < right.path.length ? [left, right] : [right, left];
  const isBelow = `${inner.path}/`.startsWith(`${outer.path}/`);
  return isBelow && Object.entries(outer.params).every(([name, value]) => inner.params[name] === value);
}

/** The operations that create what an operation is about. */
function creatorsFor({ path }: Operation): Operation[] {
  const [, first] = path.split('/');
  return contract.operations.filter((operation) => isCreator(operation) && operation.path.split('/')[1] === first);
}

function isCreator({ method, responses }: Operation): boolean {
  return ['POST', 'PUT'].includes(method) && responses['201'] !== undefined;
}

/** A request that is about a resource. */
function aimedAt(values: RequestValues, { params }: Resource): RequestValues {
  return { ...values, params: { ...values.params, ...params } };
}

/** The body with everything optional. */
function wholeBody(operation: Operation): Json | undefined {
  // The body of a JSON message is JSON.
  return new ExampleMessages(document).request(operationKeyOf(operation)).body?.value as Json | undefined;
}

/** What clients have said of a resource, the last write included. */
function saidAfter(
  { method, path }: Operation,
  { status }: WireResponse,
  found: Resource,
  before: JsonObject,
): JsonObject {
  if (status === 201 || (method === 'PUT' && path === found.path)) return found.said;
  // What a POST means that creates nothing is its own: it may add to a number.
  return method === 'POST' ? {} : merged(before, found.said);
}

/** What is known after a change of some properties. */
function merged(known: JsonObject, said: JsonObject): JsonObject {
  const entries = Object.entries(said).map(([name, value]) => {
    const before = known[name];
    return [name, isObject(value) && isObject(before) ? merged(before, value) : value] as const;
  });
  return { ...known, ...Object.fromEntries(entries) };
}
