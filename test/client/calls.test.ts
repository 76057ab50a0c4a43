import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import { ClientError, createClient, ResponseError, type Client, type ClientOptions } from 'plant-store-client';
import { ERRORS } from '../../src/errors.ts';
import { listen } from 'test-support/listen.ts';
import { plantsIn, startService } from '../support/service.ts';

const INVALID_TOKEN = { name: 'TypeError', message: expect.stringContaining('RFC 6750') };
const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
/** Each beside the one that a number would make of it. */
const PLANTS = [MIN, MIN + 1n, -1n, 0n, 1n, 9007199254740992n, 9007199254740993n, 9007199254740994n, MAX - 1n, MAX];

const service = await startService();
const client = createClient({ baseUrl: service.url, token: service.token });
const warnings: string[] = [];
const note = ({ name }: Error): number => warnings.push(name);
process.on('warning', note);
beforeEach(() => service.stores.plants.insertPlants(PLANTS));
afterAll(async () => {
  process.off('warning', note);
  await service.close();
});

function deletePlant(id: bigint, by: Client = client, options: object = {}): ReturnType<Client['DELETE']> {
  return by.DELETE('/plants/{id}', { params: { path: { id } }, ...options });
}

/** What JavaScript lets one write. */
function clientOf(options: { readonly [Name in keyof ClientOptions]?: unknown }): Client {
  return createClient({ baseUrl: service.url, token: service.token, ...options } as ClientOptions);
}

async function expectOnlyGone(id: bigint): Promise<void> {
  expect(await plantsIn(service.stores)).toEqual(PLANTS.filter((plant) => plant !== id));
}

test.each([9007199254740993n, MAX, MIN, 0n])('deletes the plant %s and no other', async (id) => {
  const { data, response } = await deletePlant(id);
  expect({ data, status: response.status }).toEqual({ data: undefined, status: 204 });
  await expectOnlyGone(id);
});

describe('rejects before anything is sent', () => {
  afterEach(async () => {
    expect(await plantsIn(service.stores)).toEqual(PLANTS);
  });

  // packages/openapi-exact/test/client/require-arguments.test.ts has all kinds.
  test('an id that a number has rounded', async () => {
    await expect(deletePlant(9007199254740992 as never)).rejects.toBeInstanceOf(TypeError);
  });

  test('a call without arguments, and an operation that is not in the contract', async () => {
    // What JavaScript lets one write.
    const [remove, get] = [client.DELETE, client.GET] as unknown as ((path: string) => Promise<unknown>)[];
    await expect(remove?.('/plants/{id}')).rejects.toThrow(/^params\.path\.id /);
    await expect(get?.('/seeds')).rejects.toThrow(/GET \/seeds/);
  });

  test.each(['', 'two words', 'line\nbreak', undefined, null, true, ['a']])('the token %j', async (token) => {
    const tokens = [() => token, () => Promise.resolve(token), ...(typeof token === 'string' ? [token] : [])];
    for (const option of tokens) {
      await expect(deletePlant(1n, clientOf({ token: option }))).rejects.toMatchObject(INVALID_TOKEN);
    }
  });

  test.each([
    [{ retries: 1 }, TypeError],
    [{ header: {} }, TypeError],
    [{ headers: 'X-Trace: 1' }, TypeError],
    [{ parseAs: 'text' }, TypeError],
    [{ throwHttpErrors: 'never' }, TypeError],
    [{ query: {} }, TypeError],
    [{ timeout: '5000' }, TypeError],
    [{ timeout: -1 }, RangeError],
  ])('the options %j of a call', async (options, type) => {
    await expect(deletePlant(1n, client, options)).rejects.toBeInstanceOf(type);
  });
});

test.each<[what: string, url: (url: string) => unknown]>([
  ['slashes at its end', (url) => `${url}///`],
  ['blanks around it', (url) => ` ${url} `],
  ['the type URL', (url) => new URL(url)],
])('a base URL with %s leads to the service', async (_what, variant) => {
  const { response } = await deletePlant(1n, clientOf({ baseUrl: variant(service.url) }));
  expect(response.status).toBe(204);
  await expectOnlyGone(1n);
});

const NO_URLS = ['127.0.0.1:3000', 'ftp://127.0.0.1', 'http://user:secret@127.0.0.1', '', undefined, null, 3000];
const NO_BASES = ['http://127.0.0.1/?', 'http://127.0.0.1/#', 'http://127.0.0.1?a=1', 'http://127.0.0.1/v1#a'];
const NO_TIMES = ['5000', NaN, {}, true, 5n, -1];
const NO_COUNTS = ['5', NaN, -1, 1.5, {}, 5n];

test.each<[name: keyof ClientOptions | 'retry', values: readonly unknown[], message: string]>([
  ['baseUrl', [...NO_URLS, ...NO_BASES], 'The base URL must be '],
  ['token', [undefined, null, 12, {}], 'The token must be '],
  ['timeout', NO_TIMES, 'timeout must be a number of milliseconds'],
  ['attemptTimeout', NO_TIMES, 'attemptTimeout must be a number of milliseconds'],
  ['retries', NO_COUNTS, 'retries must be a whole number'],
  ['maxResponseBytes', NO_COUNTS, 'maxResponseBytes must be a whole number'],
  ['retry', [1], 'createClient has no option retry: its options are shapes, baseUrl, token, '],
])('a bad %s is refused at once, with a message that repeats no password', (name, values, message) => {
  for (const value of values) {
    const make = (): Client => clientOf({ [name]: value });
    expect(make).toThrow(value === -1 && name.toLowerCase().endsWith('timeout') ? RangeError : TypeError);
    expect(make).toThrow(message);
    expect(make).not.toThrow('secret');
  }
});

test.each([Infinity, 2 ** 31, 1e300])(
  'times and repetitions may be %p, which is not cut to a short one',
  async (most) => {
    // A timer that is set for too long rings after 1 ms, and Node warns.
    const token = (): Promise<string> => new Promise((done) => setTimeout(done, 100, service.token));
    const bounded = clientOf({ timeout: most, attemptTimeout: most, retries: most, token });
    expect((await deletePlant(1n, bounded)).response.status).toBe(204);
    expect(warnings).toEqual([]);
    await expectOnlyGone(1n);
  },
);

describe('a refusal is a typed error with the code and the sentence of the service:', () => {
  const SECRET = 'plant_secret';
  test.each([
    ['404 for a plant that is not there', 404n, service.token, 40401, 'There is no plant with the id 404.'],
    ['401 for a token that is unknown, which the error does not hold', 1n, SECRET, 40101, expect.any(String)],
  ])('%s', async (_what, id, token, code, message) => {
    const error: unknown = await deletePlant(id, clientOf({ token })).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toBeInstanceOf(ClientError);
    const status = Math.floor(code / 100);
    const rest = { outcome: 'nothing done', retryAfter: undefined, requestId: expect.stringMatching(/./) };
    expect(error).toMatchObject({ kind: 'response', status, code, message, ...rest });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(SECRET);
    expect(await plantsIn(service.stores)).toEqual(PLANTS);
  });
});

test.each(Object.values(ERRORS).filter(({ code }) => code >= 50_000))(
  'the outcome for code $code agrees with its meaning "$meaning"',
  async ({ code, meaning }) => {
    const body = JSON.stringify({ error: code, message: meaning });
    const failing = await listen(createServer((_, response) => response.writeHead(Math.floor(code / 100)).end(body)));
    const outcome = meaning.endsWith('; nothing was done.') ? 'nothing done' : 'unknown';
    const call = deletePlant(1n, clientOf({ baseUrl: failing.url, retries: 0 }));
    await expect(call).rejects.toMatchObject({ status: Math.floor(code / 100), code, outcome });
    await failing.close();
  },
);
