import { isJson, schemaOf } from 'openapi-exact-cli/examples';
import { expect } from '@jest/globals';
import { parse, stringify } from 'lossless-json';
import type { Operation } from 'openapi-exact';
import { fixtures } from '../../fixtures/operations.ts';
import type { WireResponse } from '../../support/conformance.ts';
import { contract } from '../../support/contract.ts';
import { dropTables } from '../../support/other-program.ts';
import { send } from '../../support/send.ts';
import { plantsIn, type Service, type ServiceOptions } from '../../support/service.ts';
import { isDerived } from './fixture.ts';
import { nameInMessages, namesIn } from './resources.ts';
import { withService, type DatabaseKind } from './services.ts';
import {
  exampleRequest,
  flatten,
  parametersOf,
  schemas,
  toCurl,
  toWire,
  type RequestValues,
  type WireRequest,
} from './wire.ts';

/** A request, and what a fixture says of its answer. */
type Expected = RequestValues & { readonly answer?: unknown; readonly plants?: readonly bigint[] };
type Scenario = (service: Service) => Expected | Promise<Expected>;

/** What a service is brought into before a request that the examples of the contract describe. */
interface State {
  readonly name: string;
  readonly options?: (operation: Operation) => ServiceOptions;
  readonly prepare: (service: Service, operation: Operation) => Promise<void>;
}

const STOCKED: State = { name: 'with the plant of the example', prepare: stock };
const EMPTY: State = { name: 'without the plant of the example', prepare: deleteAll };
const REPEATED: State = { name: 'sent for the second time', prepare: sendExample };
const FAILING: State = { name: 'with a handler that fails', options: withFailingHandler, prepare: stock };
const BROKEN: State = { name: 'with a database whose tables are gone', prepare: dropTables };
const STATES: Readonly<Record<string, readonly State[]>> = { 500: [FAILING], 503: [BROKEN] };

/** The statuses of an operation that need a state: the contract alone brings about the others. */
export function scenarioStatuses({ definition }: Operation): string[] {
  return Object.keys(definition.responses).filter((status) => /^\d+$/.test(status) && !isDerived(status));
}

/** The status of the success that the other tests of an operation vary. */
function successOf(operation: Operation): string {
  return scenarioStatuses(operation).find((status) => status.startsWith('2')) ?? '';
}

/** Brings a service into the state in which the returned request succeeds. */
export async function succeed(service: Service, operation: Operation): Promise<RequestValues> {
  const fixture = fixtureOf(operation, successOf(operation));
  if (fixture !== undefined) return fixture(service);
  await stock(service, operation);
  return exampleRequest(operation);
}

/**
 * Brings an operation to answer a status: as test/fixtures/operations.ts says, or else in one of
 * the states that are tried.
 * @throws Error for a wrong answer, and for a status that was not seen in any of them.
 */
export async function expectStatus(database: DatabaseKind, operation: Operation, status: string): Promise<void> {
  const fixture = fixtureOf(operation, status);
  if (fixture !== undefined) {
    await withService(database, (service) => expectScenario(service, operation, status, fixture));
    return;
  }
  const seen: string[] = [];
  for (const state of STATES[status] ?? [STOCKED, EMPTY, REPEATED]) {
    const response = await answerIn(database, state, operation);
    if (response.status === Number(status)) {
      requireEcho(operation, exampleRequest(operation), response);
      return;
    }
    seen.push(`${response.status} ${state.name}`);
  }
  const request = toCurl(toWire(operation, exampleRequest(operation)));
  throw new Error(
    `${operation.id} does not answer ${status} to the request of its examples, but ${seen.join(', ')}.\n` +
      `Add the status to ${operation.id} in test/fixtures/operations.ts, or correct the handler:\n${request}`,
  );
}

/** Sends a request, and holds the response against the contract. */
export function dispatch(service: Service, { method, target, headers, body }: WireRequest): Promise<WireResponse> {
  return send(service, method, target, { headers, ...(body !== undefined && { body }) });
}

async function expectScenario(
  service: Service,
  operation: Operation,
  status: string,
  scenario: Scenario,
): Promise<void> {
  const { answer, plants, ...values } = await scenario(service);
  const response = await dispatch(service, toWire(operation, values));
  expect(response.status).toBe(Number(status));
  // Numbers are compared as they are written: JSON.parse would make two different int64 equal.
  if (plants !== undefined) expect(await plantsIn(service.stores)).toEqual(plants);
  if (answer !== undefined) expect(parse(response.text)).toEqual(parse(stringify(answer) ?? ''));
}

function answerIn(database: DatabaseKind, { options, prepare }: State, operation: Operation): Promise<WireResponse> {
  const answer = async (service: Service): Promise<WireResponse> => {
    await prepare(service, operation);
    return dispatch(service, toWire(operation, exampleRequest(operation)));
  };
  return withService(database, answer, options?.(operation));
}

/**
 * What a client sends comes back: a successful answer that names a parameter of the path, or a
 * property of the request's body, has its value.
 */
export function requireEcho(
  { method, path }: Operation,
  { params = {}, body }: RequestValues,
  { status, headers, text }: WireResponse,
): void {
  if (status >= 300 || !isJson(headers['content-type'] ?? '')) return;
  const answer: unknown = parse(text);
  if (!isRecord(answer)) return;
  const inPath = Object.entries(params).flatMap(([parameter, value]) => {
    const name = nameInMessages(parameter, namesIn(path), answer);
    // What is created has an id of its own.
    const isOfParent = method === 'POST' && status === 201 && name === 'id';
    return name === undefined || isOfParent ? [] : [[name, value] as const];
  });
  const sent = { ...(isRecord(body) ? body : {}), ...Object.fromEntries(inPath) };
  const common = Object.keys(sent).filter((name) => Object.hasOwn(answer, name));
  const pick = (values: Readonly<Record<string, unknown>>): unknown =>
    parse(stringify(Object.fromEntries(common.map((name) => [name, values[name]]))) ?? '');
  // A merge patch may name a part of an object.
  expect(pick(answer)).toMatchObject(pick(sent) as object);
}

function fixtureOf({ id }: Operation, status: string): Scenario | undefined {
  // The compiler has checked each for its own operation.
  const known = fixtures as Readonly<Record<string, Readonly<Record<string, Scenario>> | undefined>>;
  return known[id]?.[status];
}

/** An id in the path of an operation. */
interface PathId {
  readonly name: string;
  /** Ids that a double, or 64 bits with a wrong sign, takes for another one. */
  readonly ids: readonly bigint[];
  readonly neighboursOf: (id: bigint) => readonly bigint[];
}

/** The int64s in the path of an operation. */
export function pathIds(operation: Operation): PathId[] {
  return parametersOf(operation).flatMap((parameter) => {
    const schema = schemaOf(parameter);
    if (parameter.in !== 'path' || flatten(schema)['format'] !== 'int64') return [];
    const judge = schemas.request.judge(schema);
    const [low, high] = [-(2n ** 63n), 2n ** 63n - 1n];
    const within = (id: bigint): boolean => id >= low && id <= high && judge(id) === undefined;
    const ids = [2n ** 53n + 1n, -(2n ** 53n) - 1n, low, high].filter(within);
    return [{ name: parameter.name, ids, neighboursOf: (id) => [id - 1n, id + 1n].filter(within) }];
  });
}

/** Adds the plants that the path identifies, each with its neighbours, and what a GET shall get. */
async function stock(service: Service, operation: Operation): Promise<void> {
  const { params = {} } = exampleRequest(operation);
  for (const { name, neighboursOf } of pathIds(operation)) {
    const id = BigInt(String(params[name]));
    await service.stores.plants.insertPlants([id, ...neighboursOf(id)]);
  }
  const put = contract.operations.find(({ method, path }) => method === 'PUT' && path === operation.path);
  if (operation.method === 'GET' && put !== undefined) await dispatch(service, toWire(put, exampleRequest(put)));
}

async function deleteAll({ stores }: Service): Promise<void> {
  await stores.plants.deletePlants(await plantsIn(stores));
}

async function sendExample(service: Service, operation: Operation): Promise<void> {
  await stock(service, operation);
  await dispatch(service, toWire(operation, exampleRequest(operation)));
}

function withFailingHandler({ id }: Operation): ServiceOptions {
  const fail = (): never => {
    throw new Error('a handler that fails');
  };
  return { handlers: { [id]: fail } };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
