import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
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

describe('the base URL', () => {
  test.each([
    ['with a slash at its end', (url: string) => `${url}/`],
    ['with several', (url: string) => `${url}///`],
    ['with blanks around it', (url: string) => ` ${url} `],
    ['as a URL object', (url: string) => new URL(url)],
  ])('%s leads to the service', async (_name, variant) => {
    const { response } = await deletePlant(clientOf({ baseUrl: variant(service.url) }));
    expect(response.status).toBe(204);
    expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
  });

  test.each([
    ...['127.0.0.1:3000', 'ftp://127.0.0.1', 'http://user:secret@127.0.0.1', '', undefined, null, 3000],
    ...['http://127.0.0.1/?', 'http://127.0.0.1/#', 'http://127.0.0.1?a=1', 'http://127.0.0.1/v1#a'],
  ])('is refused when it is %p, which may hold a password and is not repeated', (baseUrl) => {
    const message = 'The base URL must be such as http://127.0.0.1:3000, without credentials, query and fragment.';
    expect(() => clientOf({ baseUrl })).toThrow(new TypeError(message));
  });
});

describe('the token', () => {
  test.each([undefined, null, 12, {}])('is refused at once when it is %p', (token) => {
    const message = 'The token must be an access token, or a function that returns one.';
    expect(() => clientOf({ token })).toThrow(new TypeError(message));
  });

  test.each(['', 'two words', 'line\nbreak'])('%j is refused, and the message does not repeat it', async (token) => {
    await expect(deletePlant(clientOf({ token }))).rejects.toEqual(new TypeError(INVALID_TOKEN));
    expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
  });

  test.each([undefined, null, true, ['a'], ''])('from a function is refused when it is %p', async (token) => {
    for (const get of [() => token, () => Promise.resolve(token)]) {
      await expect(deletePlant(clientOf({ token: get }))).rejects.toEqual(new TypeError(INVALID_TOKEN));
    }
    expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
  });
});

describe('an unknown option is refused, and the message names the known ones:', () => {
  test.each(['retry', 'timeOut', 'headers'])('%s of a client', (name) => {
    const known = 'baseUrl, token, timeout, attemptTimeout, retries, maxResponseBytes';
    const message = `createClient has no option ${name}: its options are ${known}.`;
    expect(() => createClient({ baseUrl: service.url, token: service.token, [name]: 1 })).toThrow(
      new TypeError(message),
    );
  });

  test.each(['retries', 'headers', 'query'])('%s of a call, before anything is sent', async (name) => {
    const message = `DELETE has no option ${name}: its options are params, body, signal, timeout.`;
    await expect(deletePlant(clientOf({}), { [name]: 1 })).rejects.toEqual(new TypeError(message));
    expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
  });
});

describe('a time', () => {
  test.each([Infinity, 2 ** 31, 1e300])('may be %p, which is not cut to a short one', async (time) => {
    // A timer that is set for too long rings after 1 ms, and Node warns.
    const token = (): Promise<string> => new Promise((done) => setTimeout(done, 100, service.token));
    const client = clientOf({ timeout: time, attemptTimeout: time, token });
    expect((await deletePlant(client)).response.status).toBe(204);
    expect(warnings).toEqual([]);
    expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
  });

  test.each([...['5000', NaN, {}, true, 5n].map((time) => [time, TypeError] as const), [-1, RangeError] as const])(
    'is not %p',
    async (time, type) => {
      for (const name of ['timeout', 'attemptTimeout']) {
        expect(() => clientOf({ [name]: time })).toThrow(type);
        expect(() => clientOf({ [name]: time })).toThrow(`${name} must be a number of milliseconds, 0 or more`);
      }
      await expect(deletePlant(clientOf({}), { timeout: time })).rejects.toBeInstanceOf(type);
      expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
    },
  );
});

test.each(['5', NaN, -1, 1.5, {}, 5n])('neither the number of repetitions nor that of bytes is %p', (count) => {
  for (const name of ['retries', 'maxResponseBytes']) {
    const message = `${name} must be a whole number, 0 or more, or Infinity for no limit.`;
    expect(() => clientOf({ [name]: count })).toThrow(new TypeError(message));
  }
});

test('the number of repetitions may be Infinity', async () => {
  expect((await deletePlant(clientOf({ retries: Infinity }))).response.status).toBe(204);
  expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
});
