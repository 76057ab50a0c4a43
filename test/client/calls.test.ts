import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, PlantStoreError, ResponseError, type Client } from '../../src/client/create-client.ts';
import { send } from '../../src/client/send.ts';
import { plantsIn, startService, type Service } from '../support/service.ts';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
/** Each beside the one that a number would make of it. */
const PLANTS = [MIN, MIN + 1n, -1n, 0n, 1n, 9007199254740992n, 9007199254740993n, 9007199254740994n, MAX - 1n, MAX];

let service: Service;
let client: Client;
const closing: (() => void)[] = [];
beforeEach(async () => {
  service = await startService(PLANTS);
  client = createClient({ baseUrl: urlOf(service), token: service.token });
});
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await service.close();
});

function urlOf({ port }: Pick<Service, 'port'>): string {
  return `http://127.0.0.1:${port}`;
}

/** Deletes a plant with a client. */
function deletePlant(id: bigint, by: Client = client): ReturnType<Client['DELETE']> {
  return by.DELETE('/plants/{id}', { params: { path: { id } } });
}

/** What a call rejects with. */
async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Something else that listens where a plant store is expected. */
async function otherServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([9007199254740993n, MAX, MIN, 0n])('deletes the plant %s and none beside it', async (id) => {
  const { data, response } = await deletePlant(id);
  expect({ data, status: response.status }).toEqual({ data: undefined, status: 204 });
  expect(response.headers.get('X-Request-Id')).toMatch(/./);
  expect(await plantsIn(service.stores)).toEqual(PLANTS.filter((plant) => plant !== id));
});

describe('rejects before anything is sent', () => {
  const sent = (id: unknown): Promise<unknown> => failureOf(deletePlant(id as bigint));

  afterEach(async () => {
    expect(await plantsIn(service.stores)).toEqual(PLANTS);
  });

  test('an id that is a number, whether it was rounded or not', async () => {
    for (const id of [1, 9007199254740992, -1]) {
      const error = await sent(id);
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toHaveProperty(
        'message',
        'params.path.id must be a bigint such as 12n, not a number: beyond 2^53 numbers are rounded.',
      );
    }
  });

  test('an id that is anything else than a bigint', async () => {
    const others = [...[1.5, NaN, Infinity, '1', '9007199254740993', true], ...[[1n], { a: 1n }, () => 1n]];
    for (const id of others) {
      const error = await sent(id);
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toHaveProperty(
        'message',
        expect.stringMatching(/^params\.path\.id must be a bigint such as 12n, not an? /),
      );
    }
  });

  test('an id that makes the path another one', async () => {
    for (const id of ['.', '..']) {
      expect(await sent(id)).toEqual(
        new TypeError(`params.path.id must not be '${id}': in a URL it stands for another path.`),
      );
    }
  });

  test('an id that is no int64', async () => {
    for (const id of [MAX + 1n, MIN - 1n]) {
      const error = await sent(id);
      expect(error).toBeInstanceOf(RangeError);
      expect(error).toHaveProperty('message', `params.path.id must be between ${MIN} and ${MAX}, not ${id}.`);
    }
  });

  test('a missing id, in whatever way', async () => {
    for (const id of [undefined, null, '', [], {}]) {
      expect(await sent(id)).toEqual(new TypeError('params.path.id is missing.'));
    }
    // What JavaScript lets one write.
    const call = client.DELETE as unknown as (path: string) => Promise<unknown>;
    expect(await failureOf(call('/plants/{id}'))).toEqual(new TypeError('params.path.id is missing.'));
  });

  test('an operation that is not in the contract', async () => {
    const call = client.GET as unknown as (path: string) => Promise<unknown>;
    expect(await failureOf(call('/seeds'))).toEqual(new TypeError('The contract has no operation GET /seeds.'));
  });
});

describe('a refusal is a typed error with the code and the sentence of the service:', () => {
  test('404 for a plant that is not there', async () => {
    const error = await failureOf(deletePlant(404n));
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toBeInstanceOf(PlantStoreError);
    expect(error).toMatchObject({
      kind: 'response',
      status: 404,
      code: 40401,
      message: 'There is no plant with the id 404.',
      outcome: 'nothing done',
      retryAfter: undefined,
      requestId: expect.stringMatching(/./),
    });
    expect(await plantsIn(service.stores)).toEqual(PLANTS);
  });

  test('401 for a token that is unknown, which the error does not hold', async () => {
    const error = await failureOf(deletePlant(1n, createClient({ baseUrl: urlOf(service), token: 'plant_secret' })));
    expect(error).toMatchObject({ status: 401, code: 40101, outcome: 'nothing done' });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('plant_secret');
    expect(await plantsIn(service.stores)).toEqual(PLANTS);
  });

  test('400 for what no id is, which is asked for past the types', async () => {
    const request = new Request(`${urlOf(service)}/plants/01`, { method: 'DELETE' });
    const times = { timeout: 10_000, attemptTimeout: 10_000, retries: 0, maxResponseBytes: Infinity };
    const call = send(request, {
      ...times,
      token: service.token,
      signal: undefined,
      isSuccess: (status) => status === 204,
    });
    expect(await failureOf(call)).toMatchObject({ status: 400, code: 40001, outcome: 'nothing done' });
    expect(await plantsIn(service.stores)).toEqual(PLANTS);
  });
});

describe('what no plant store answers is no success:', () => {
  test('200 where the contract says 204', async () => {
    const baseUrl = await otherServer((_, response) => response.end('<p>Welcome'));
    expect(await failureOf(deletePlant(1n, createClient({ baseUrl, token: 'x' })))).toMatchObject({
      kind: 'response',
      status: 200,
      code: undefined,
      message: `DELETE was answered with 200, which is not in the contract: is there the plant store at ${baseUrl}?`,
      outcome: 'unknown',
    });
  });

  test('503 without an Error object, as proxies answer', async () => {
    const baseUrl = await otherServer((_, response) => response.writeHead(503).end('<p>Sorry'));
    expect(await failureOf(deletePlant(1n, createClient({ baseUrl, token: 'x' })))).toMatchObject({
      status: 503,
      code: undefined,
      message: `DELETE was answered with 503, without the contract's Error object: is there the plant store at ${baseUrl}?`,
      outcome: 'unknown',
    });
  });

  test('a redirection, which is not followed', async () => {
    const asked: (string | undefined)[] = [];
    const target = await otherServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(204).end();
    });
    const baseUrl = await otherServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(303, { Location: `${target}/elsewhere` }).end();
    });
    expect(await failureOf(deletePlant(1n, createClient({ baseUrl, token: 'x' })))).toMatchObject({ status: 303 });
    expect(asked).toEqual(['/plants/1']);
  });
});
