import { beforeAll, describe, expect, test } from '@jest/globals';
import { declaredStatus } from '../support/declared-status.ts';
import type { Operation } from 'openapi-exact';
import { refusedCredentials } from '../fixtures/credentials.ts';
import { expectErrorObject } from '../support/conformance.ts';
import { requestText, sendRaw } from '../support/send.ts';
import { contract, plantsIn, type Service } from '../support/service.ts';
import { expectList, isList } from './derived/lists.ts';
import { expectReadBack } from './derived/read-back.ts';
import { dispatch, expectStatus, pathIds, requireEcho, scenarioStatuses, succeed } from './derived/scenarios.ts';
import { DATABASES, sharedService, withService } from './derived/services.ts';
import { invalidVariations, validVariations, type Variation } from './derived/variations.ts';
import { exampleRequest, toCurl, toWire, withQuery, type WireRequest } from './derived/wire.ts';

/** Expects a refusal that has changed nothing; a failure shows the request as a command. */
async function expectRefused(service: Service, { name, request }: Variation): Promise<void> {
  const before = await plantsIn(service.stores);
  const response = await dispatch(service, request);
  const after = await plantsIn(service.stores);
  // Not 404 or 409: those would come from a handler, which must not have seen it.
  if ([400, 413, 415].includes(response.status) && after.join() === before.join()) return;
  throw new Error(`${name} was answered ${response.status}:\n${toCurl(request)}`);
}

async function expectAllowed(
  service: Service,
  operation: Operation,
  { name, request, values = {} }: Variation,
): Promise<void> {
  const response = await dispatch(service, request);
  const { status, text } = response;
  requireEcho(operation, values, response);
  if (![400, 413, 415].includes(status) && status < 500) return;
  throw new Error(`${name} is allowed, but was answered ${status}: ${text}\n${toCurl(request)}`);
}

/** Tests what needs the database on each. */
function testOnEachDatabase(name: string, use: (service: Service) => Promise<void>): void {
  test.each(DATABASES)(`${name}, on %s`, (database) => withService(database, use));
}

function testWithService(name: string, use: (service: Service) => Promise<void>): void {
  test(name, () => withService('SQLite', use));
}

describe.each(contract.operations.map((operation): [string, Operation] => [operation.id, operation]))(
  '%s',
  (_id, operation) => {
    const statuses = scenarioStatuses(operation).flatMap((status) =>
      DATABASES.map((database) => [status, database] as const),
    );
    test.each(statuses)('answers %s, on %s', (status, database) => expectStatus(database, operation, status));

    testOnEachDatabase('accepts every value that the contract allows, at each boundary', async (service) => {
      const base = await succeed(service, operation);
      for (const variation of validVariations(operation, base)) await expectAllowed(service, operation, variation);
    });

    testOnEachDatabase('refuses everything beyond a boundary, and changes nothing', async (service) => {
      const base = await succeed(service, operation);
      for (const variation of invalidVariations(operation, base)) await expectRefused(service, variation);
    });

    testOnEachDatabase('keeps what it is sent, for all operations and processes, and changes nothing else', (service) =>
      expectReadBack(service, operation),
    );

    if (isList(operation))
      testOnEachDatabase('lists what was created, filters it, and divides it into pages', (service) =>
        expectList(service, operation),
      );

    const schemes = [...new Set(operation.security.flatMap((requirement) => Object.keys(requirement)))];
    const refused = schemes.flatMap((scheme) => refusedCredentials[scheme] ?? []);
    test('has credentials to refuse for each of its security schemes', () => {
      for (const scheme of schemes) expect(refusedCredentials[scheme]?.length).toBeGreaterThan(5);
    });

    // An operation with `security: []` has none to refuse.
    if (refused.length > 0)
      describe('without valid credentials', () => {
        const service = sharedService();
        let requests: WireRequest[];
        beforeAll(async () => {
          const base = await succeed(service(), operation);
          const [invalid] = invalidVariations(operation, base);
          requests = [toWire(operation, base), ...(invalid === undefined ? [] : [invalid.request])];
        });

        test.each(refused)(
          'refuses $name before it validates, and changes nothing',
          async ({ status, challenge, headers, query }) => {
            const before = await plantsIn(service().stores);
            const refuse = async (request: WireRequest): Promise<void> => {
              const { method, body = '' } = request;
              const target = query === undefined ? request.target : withQuery(request.target, query(service()));
              const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
              const own = Object.entries({ Connection: 'close', ...request.headers, ...length });
              const lines = [...own.map(([name, value]) => `${name}: ${value}`), ...(await headers(service()))];
              const bytes = `${requestText(service(), method, target, lines)}${body}`;
              const [response] = await sendRaw(service(), bytes, { method, target });
              expect(response).toMatchObject({ status });
              expect(response?.headers['www-authenticate'] ?? '').toBe(challenge);
            };
            await Promise.all(requests.map(refuse));
            expect(await plantsIn(service().stores)).toEqual(before);
          },
        );
      });

    const declares = (status: string): boolean => status in operation.definition.responses;
    test('declares every status that the service may answer on its own', () => {
      const { responses, requestBody, method, parameters } = operation;
      const preconditions = parameters.filter(({ name }) => /^if-(none-)?match$/i.test(name));
      const own = [400, 421, 500, 503];
      const further = [
        ...(schemes.length > 0 ? [401, 403, 429] : []),
        ...(requestBody === undefined ? [] : [413, 415]),
        ...(preconditions.length === 2 || ['OPTIONS', 'TRACE'].includes(method) ? [] : [412]),
      ];
      expect([...own, ...further].filter((status) => declaredStatus(responses, status) === undefined)).toEqual([]);
    });

    if (declares('404') && pathIds(operation).length > 0)
      testOnEachDatabase('takes no id for one of its neighbours', async (service) => {
        const { plants } = service.stores;
        const base = await succeed(service, operation);
        for (const { name, ids, neighboursOf } of pathIds(operation))
          for (const id of ids) {
            const neighbours = neighboursOf(id);
            await plants.insertPlants(neighbours);
            await plants.deletePlants([id]);
            const values = { ...base, params: { ...base.params, [name]: id } };
            const request = toWire(operation, values);
            const { status } = await dispatch(service, request);
            expect({ id, status }).toEqual({ id, status: 404 });
            await plants.insertPlants([id]);
            requireEcho(operation, values, await dispatch(service, request));
            expect(await plants.findPlants(neighbours)).toEqual(new Set(neighbours));
            await plants.deletePlants([id, ...neighbours]);
          }
      });

    if (declares('412'))
      testWithService('is not carried out if a precondition does not hold', async (service) => {
        const { headers, ...request } = toWire(operation, await succeed(service, operation));
        const before = await plantsIn(service.stores);
        const response = await dispatch(service, { ...request, headers: { ...headers, 'If-Match': '"x"' } });
        expect(response.status).toBe(412);
        expect(await plantsIn(service.stores)).toEqual(before);
      });

    if (declares('421'))
      testWithService('is not carried out for an https URL that came without TLS', async (service) => {
        const { method, target, headers, body = '' } = toWire(operation, await succeed(service, operation));
        const before = await plantsIn(service.stores);
        const length = { 'Content-Length': Buffer.byteLength(body) };
        const lines = Object.entries({ ...length, ...headers }).map(([name, value]) => `${name}: ${value}`);
        const own = [`Authorization: Bearer ${service.token}`, ...lines];
        const bytes = `${requestText(service, method, `https://plants${target}`, own)}${body}`;
        expect(await sendRaw(service, bytes, { method, target })).toMatchObject([{ status: 421 }]);
        expect(await plantsIn(service.stores)).toEqual(before);
      });
  },
);

describe.each([...new Set(contract.operations.map(({ path }) => path))])('the path %s', (path) => {
  const service = sharedService();
  const here = contract.operations.filter((operation) => operation.path === path);
  const declared = here.map(({ method }) => method);
  const implied = [...(declared.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  const allowed = [...new Set([...declared, ...implied])].sort();
  const undeclared = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD', 'PATCH', 'TRACE'].filter(
    (method) => !allowed.includes(method),
  );
  const [operation] = here;
  if (operation === undefined) throw new Error('unreachable: the path comes from an operation');
  const { target } = toWire(operation, exampleRequest(operation));

  if (undeclared.length > 0)
    test.each(undeclared)('refuses %s with the declared methods in Allow, and changes nothing', async (method) => {
      const before = await plantsIn(service().stores);
      const bytes = `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const [response] = await sendRaw(service(), bytes, { method, target });
      if (response === undefined) throw new Error(`${method} was not answered.`);
      expect(response.status).toBe(405);
      expect(response.headers['allow']?.split(', ').sort()).toEqual(allowed);
      if (method !== 'HEAD') expectErrorObject(response);
      expect(await plantsIn(service().stores)).toEqual(before);
    });
});
