import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createClient, type ClientCredentials, type ClientOptions, type ContractShapes } from '../../src/client.ts';
import { clientShapes } from 'openapi-exact-cli';
import { loadContract } from '../../src/server/load-contract.ts';
import { serveContract, type ContractServer } from '../support/contract-server.ts';
import { scriptedServer } from './scripted-server.ts';

/** The types that are generated for fixtures/contracts/security.yaml. */
interface Schemes {
  token: 'bearer';
  password: 'basic';
  custom: 'http';
  key: 'apiKey';
  header: 'apiKey';
  name: 'apiKey';
  cookie: 'apiKey';
  openid: 'bearer';
  oauth: 'bearer';
}
type Paths = Record<'/inherited' | '/either' | '/both', { get: { responses: { 204: { content?: never } } } }>;
type Credentials = ClientCredentials<Schemes>;

const CONTRACT = new URL('../fixtures/contracts/security.yaml', import.meta.url);
const SCHEMES = ['token', 'password', 'custom', 'key', 'header', 'name', 'cookie', 'openid', 'oauth'];
let shapes: ContractShapes;
let server: ContractServer;
/** The credentials that the service read of the last request, by scheme. */
let verified: Record<string, unknown>;

beforeAll(async () => {
  const module = clientShapes(await loadContract(CONTRACT));
  // The module is the table as JSON.
  shapes = JSON.parse(/ContractShapes = ([^]*);/.exec(module)?.[1] ?? '') as ContractShapes;
  const verifier = (name: string) => (credentials: unknown) => {
    verified[name] = credentials;
    return credentials === 'expired' ? undefined : { name };
  };
  const verifiers = Object.fromEntries(SCHEMES.map((name) => [name, verifier(name)]));
  server = await serveContract(CONTRACT, () => ({ status: 204 }), verifiers);
});
afterAll(() => server.close());
beforeEach(() => {
  verified = {};
});

/** Calls an operation of the service. @returns what its verifiers were given. */
async function called(path: string, options: Omit<ClientOptions<Schemes>, 'shapes' | 'baseUrl'>): Promise<object> {
  const client = createClient<Paths, Schemes>({
    shapes,
    baseUrl: server.url,
    retries: 0,
    timeout: 100_000,
    attemptTimeout: 100_000,
    ...options,
  });
  await client.GET(path as keyof Paths);
  return verified;
}

const KEY = 'a b+c&d=ü%2F';
test.each<[path: string, credentials: Credentials, expected: object]>([
  ['/header', { header: 'k;e,y "1"' }, { header: 'k;e,y "1"' }],
  ['/name', { name: 'secret' }, { name: 'secret' }],
  ['/cookie', { cookie: 'a=b%20"c,d' }, { cookie: 'a=b%20"c,d' }],
  ['/basic', { password: { username: 'ännä', password: 'a:b' } }, { password: { username: 'ännä', password: 'a:b' } }],
  ['/custom', { custom: 'key="a", sig=b' }, { custom: 'key="a", sig=b' }],
  ['/oauth', { oauth: 'secret' }, { oauth: 'secret' }],
  ['/openid', { openid: async () => Promise.resolve('secret') }, { openid: 'secret' }],
  // An operation may need several, or allow one of several.
  ['/both', { token: 'secret', key: KEY }, { token: 'secret', key: KEY }],
  ['/either', { key: () => KEY }, { key: KEY }],
  ['/optional', { token: 'secret' }, { token: 'secret' }],
  // Others are not sent.
  ['/header', { header: 'a', key: 'b', cookie: 'c', password: { username: 'd', password: 'e' } }, { header: 'a' }],
  ['/open', { token: 'secret', header: 'a' }, {}],
])('%s gets the credentials of its scheme: %j', async (path, credentials, expected) => {
  expect(await called(path, { credentials })).toEqual(expected);
});

describe('the option token', () => {
  test('is the credentials of each bearer scheme, beside an API key too', async () => {
    expect(await called('/both', { token: 'secret', credentials: { key: 'k' } })).toEqual({
      token: 'secret',
      key: 'k',
    });
    verified = {};
    expect(await called('/oauth', { token: () => 'secret' })).toEqual({ oauth: 'secret' });
  });

  test('loses against the credentials of a scheme, and stays where these are undefined', async () => {
    expect(await called('/oauth', { token: 'other', credentials: { oauth: 'own' } })).toEqual({ oauth: 'own' });
    expect(await called('/oauth', { token: 'other', credentials: { oauth: undefined } })).toEqual({ oauth: 'other' });
  });
});

test('a part of what an operation needs is sent beside headers of the caller', async () => {
  const options = { credentials: { key: 'k' }, headers: { Authorization: 'Bearer secret' } };
  expect(await called('/both', options)).toEqual({ key: 'k', token: 'secret' });
});

test('credentials that a function returns are renewed once after 401', async () => {
  const keys = ['expired', 'fresh', 'unused'];
  expect(await called('/header', { credentials: { header: () => keys.shift() ?? '' } })).toEqual({ header: 'fresh' });
  expect(keys).toEqual(['unused']);
  let calls = 0;
  const header = (): string => {
    calls += 1;
    return 'expired';
  };
  const expired = called('/header', { credentials: { header } });
  await expect(expired).rejects.toMatchObject({ status: 401 });
  expect(calls).toBe(2);
});

describe('in the URL and in cookies', () => {
  const scripted = scriptedServer();
  async function received(path: string, credentials: Credentials, options: object = {}): Promise<unknown> {
    let seen: unknown;
    scripted.answer = ({ url, headers }, response) => {
      seen = [url, headers.cookie];
      response.writeHead(204).end();
    };
    const client = createClient<Paths, Schemes>({ shapes, baseUrl: scripted.url, credentials, ...options });
    await client.GET(path as keyof Paths);
    return seen;
  }

  test('API keys stand beside what else is there', async () => {
    expect(await received('/either', { key: KEY })).toEqual([`/either?api_key=${encodeURIComponent(KEY)}`, undefined]);
    expect(await received('/cookie', { cookie: 'k' }, { headers: { Cookie: 'a=1' } })).toEqual([
      '/cookie',
      'a=1; sid=k',
    ]);
  });

  test('an error does not show a key', async () => {
    scripted.answer = (_, response) => response.writeHead(500).end();
    const options = { shapes, baseUrl: scripted.url, retries: 0, credentials: { key: 'secret' } };
    for (const baseUrl of [scripted.url, 'http://127.0.0.1:1']) {
      const call = createClient<Paths, Schemes>({ ...options, baseUrl }).GET('/either');
      const error: unknown = await call.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('secret');
    }
  });
});

describe('wrong credentials are refused before anything is sent, with a message that does not show them:', () => {
  test.each<[path: string, credentials: object, message: string]>([
    ['/header', { header: 'secret\n' }, 'credentials.header must be an API key for a header: '],
    ['/header', { header: '' }, 'credentials.header must be '],
    ['/header', { header: () => 7 }, 'credentials.header must be '],
    ['/cookie', { cookie: 'secret;' }, 'credentials.cookie must be an API key for a cookie: '],
    ['/cookie', { cookie: 'secret ä' }, 'credentials.cookie must be '],
    ['/either', { key: 'secret\ud800' }, 'credentials.key must be an API key for a query: '],
    ['/basic', { password: 'secret' }, 'credentials.password must be { username, password }'],
    ['/basic', { password: { username: 'a:secret', password: 'b' } }, "without ':' in the user name"],
    ['/basic', { password: { username: 'a', password: 'secret\n' } }, 'without control characters'],
    ['/custom', { custom: 'secret\n' }, "credentials.custom must be the text behind 'Custom-1.0'"],
    ['/oauth', { oauth: 'two secrets' }, 'An access token must be '],
  ])('%s %j', async (path, credentials, message) => {
    const error: unknown = await called(path, { credentials }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(message);
    expect(String(error)).not.toContain('secret');
    expect(verified).toEqual({});
  });

  test.each([
    [{ apiKy: 'secret' }, `The contract has no security scheme 'apiKy': its schemes are ${SCHEMES.join(', ')}.`],
    [{ toString: 'secret' }, "The contract has no security scheme 'toString'"],
    // It is not served.
    [{ certificate: 'secret' }, "The contract has no security scheme 'certificate'"],
    [{ key: 7 }, 'credentials.key must be credentials, or a function'],
    [{ key: null }, 'credentials.key must be credentials, or a function'],
    ['include', 'cookies are an option too'],
    [null, 'credentials must be an object'],
  ])('%j when the client is created', (credentials, message) => {
    const create = (): unknown => createClient({ shapes, baseUrl: server.url, credentials: credentials as never });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
  });
});
