import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createClient, type Client, type ClientOptions } from '../../src/client/create-client.ts';
import { plantsIn, startService } from '../support/service.ts';

const INVALID_TOKEN = 'An access token must be letters, digits and -._~+/ without spaces (RFC 6750).';

const service = await startService();
const warnings: string[] = [];
const note = ({ name }: Error): number => warnings.push(name);
process.on('warning', note);
beforeEach(() => service.stores.plants.insertPlants([1n, 2n, 3n]));
afterAll(async () => {
  process.off('warning', note);
  await service.close();
});

/** What JavaScript lets one write. */
function clientOf(options: { readonly [Name in keyof ClientOptions]?: unknown }): Client {
  return createClient({ baseUrl: service.url, token: service.token, ...options } as ClientOptions);
}

function deletePlant(client: Client, options: object = {}): ReturnType<Client['DELETE']> {
  return client.DELETE('/plants/{id}', { params: { path: { id: 2n } }, ...options });
}

test.each<[what: string, url: (url: string) => unknown]>([
  ['slashes at its end', (url) => `${url}///`],
  ['blanks around it', (url) => ` ${url} `],
  ['the type URL', (url) => new URL(url)],
])('a base URL with %s leads to the service', async (_what, variant) => {
  const { response } = await deletePlant(clientOf({ baseUrl: variant(service.url) }));
  expect(response.status).toBe(204);
  expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
});

const NO_URLS = ['127.0.0.1:3000', 'ftp://127.0.0.1', 'http://user:secret@127.0.0.1', '', undefined, null, 3000];
const NO_BASES = ['http://127.0.0.1/?', 'http://127.0.0.1/#', 'http://127.0.0.1?a=1', 'http://127.0.0.1/v1#a'];
const NO_TIMES = ['5000', NaN, {}, true, 5n, -1];
const NO_COUNTS = ['5', NaN, -1, 1.5, {}, 5n];

test.each<[name: keyof ClientOptions | 'retry' | 'headers', values: readonly unknown[], message: string]>([
  ['baseUrl', [...NO_URLS, ...NO_BASES], 'The base URL must be '],
  ['token', [undefined, null, 12, {}], 'The token must be '],
  ['timeout', NO_TIMES, 'timeout must be a number of milliseconds'],
  ['attemptTimeout', NO_TIMES, 'attemptTimeout must be a number of milliseconds'],
  ['retries', NO_COUNTS, 'retries must be a whole number'],
  ['maxResponseBytes', NO_COUNTS, 'maxResponseBytes must be a whole number'],
  ['retry', [1], 'createClient has no option retry: its options are baseUrl, token, timeout, '],
  ['headers', [{}], 'createClient has no option headers: '],
])('a bad %s is refused at once, with a message that repeats no password', (name, values, message) => {
  for (const value of values) {
    const make = (): Client => clientOf({ [name]: value });
    expect(make).toThrow(value === -1 && name.toLowerCase().endsWith('timeout') ? RangeError : TypeError);
    expect(make).toThrow(message);
    expect(make).not.toThrow('secret');
  }
});

describe('before anything is sent', () => {
  afterEach(async () => {
    expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
  });

  test.each(['', 'two words', 'line\nbreak', undefined, null, true, ['a']])(
    'the token %j is refused',
    async (token) => {
      const tokens = [() => token, () => Promise.resolve(token), ...(typeof token === 'string' ? [token] : [])];
      for (const option of tokens) {
        await expect(deletePlant(clientOf({ token: option }))).rejects.toEqual(new TypeError(INVALID_TOKEN));
      }
    },
  );

  test.each([
    [{ retries: 1 }, TypeError],
    [{ headers: {} }, TypeError],
    [{ query: {} }, TypeError],
    [{ timeout: '5000' }, TypeError],
    [{ timeout: -1 }, RangeError],
  ])('the options %j of a call are refused', async (options, type) => {
    await expect(deletePlant(clientOf({}), options)).rejects.toBeInstanceOf(type);
  });
});

test.each([Infinity, 2 ** 31, 1e300])(
  'times and repetitions may be %p, which is not cut to a short one',
  async (most) => {
    // A timer that is set for too long rings after 1 ms, and Node warns.
    const token = (): Promise<string> => new Promise((done) => setTimeout(done, 100, service.token));
    const client = clientOf({ timeout: most, attemptTimeout: most, retries: most, token });
    expect((await deletePlant(client)).response.status).toBe(204);
    expect(warnings).toEqual([]);
    expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
  },
);
