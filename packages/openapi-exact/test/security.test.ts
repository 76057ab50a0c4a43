import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Request } from 'express';
import { runInNewContext } from 'node:vm';
import passport from 'passport';
import { Strategy } from 'passport-http-bearer';
import { RequestError, type Reason } from '../src/errors/errors.ts';
import { passportVerifier } from '../src/security/passport-verifier.ts';
import type { Verifier } from '../src/security/verifier.ts';
import { withFiles } from 'test-support/contract-files.ts';
import { refused, serveContract, type Answer, type ContractServer } from './support/contract-server.ts';

/** What the verifiers were given, in turn. */
let seen: unknown[];
beforeEach(() => {
  seen = [];
});

/** Knows the text 'good'; 'weak' lacks rights, and for 'down' it cannot decide. */
const verify: Verifier<string> = (text, scopes) => {
  seen.push([text, scopes]);
  if (text === 'weak') throw new RequestError('insufficientScope', 'A better one, please.');
  if (text === 'down') throw new RequestError('storeUnavailable', 'Later.', { status: 503 });
  return Promise.resolve(text === 'good' ? { name: 'somebody' } : undefined);
};
const schemes = ['token', 'key', 'header', 'name', 'cookie', 'oauth', 'openid', 'custom'];
const verifiers = {
  ...Object.fromEntries(schemes.map((scheme) => [scheme, verify])),
  password: ({ username, password }: { username: string; password: string }, scopes: readonly string[]) => {
    seen.push([{ username, password }, scopes]);
    return Promise.resolve(password === 'good' ? { name: username || 'nameless' } : undefined);
  },
};

const yes = () => ({ status: 204 });
const server = await serveContract('security.yaml', yes, verifiers);
afterAll(() => server.close());

test.each([
  ['the security of the contract holds for operations without their own', '/inherited', [401, 204]],
  ['it holds where they have the key alone', '/blank', [401, 204]],
  ['security: [] makes an operation public', '/open', [204, 204]],
  ['an empty alternative makes credentials optional', '/optional', [204, 204]],
  ['one of two alternatives is enough', '/either', [401, 204, 204, 204]],
  ['schemes that are named together are needed together', '/both', [401, 401, 401, 204]],
  ['so are those without scopes', '/scopeless', [401, 401, 401, 204]],
])('%s', async (_what, path, expected) => {
  const [key, headers] = ['?api_key=good', { Authorization: 'Bearer good' }];
  // Without credentials, with the token, with the key, with both.
  const requests = [{ query: '' }, { query: '', headers }, { query: key }, { query: key, headers }];
  const statuses = [];
  for (const { query, ...options } of requests.slice(0, expected.length)) {
    statuses.push((await server.request('GET', `${path}${query}`, options)).status);
  }
  expect(statuses).toEqual(expected);
});

test('optional credentials that are sent are verified', async () => {
  await server.request('GET', '/optional', { headers: { Authorization: 'Bearer good' } });
  expect(seen).toEqual([['good', []]]);
});

test('a client that the guard refuses is refused, although an alternative needs no credentials', async () => {
  const accept = (): never => {
    throw new RequestError('insufficientScope', 'Not you.');
  };
  const guarded = await serveContract('security.yaml', yes, verifiers, { guard: { accept, refuse: () => undefined } });
  const headers = { Authorization: 'Bearer good' };
  expect(await guarded.request('GET', '/optional', { headers })).toMatchObject({ status: 403 });
  expect(await guarded.request('GET', '/optional')).toMatchObject({ status: 204 });
  await guarded.close();
});

test('credentials that are good but do not suffice are 403, unless an alternative lets the request in', async () => {
  const headers = { Authorization: 'Bearer weak' };
  expect(await server.request('GET', '/inherited', { headers })).toMatchObject({ status: 403 });
  expect(await server.request('GET', '/either', { headers })).toMatchObject({ status: 403 });
  expect(await server.request('GET', '/either?api_key=weak')).toMatchObject({ status: 403 });
  expect(await server.request('GET', '/either?api_key=good', { headers })).toMatchObject({ status: 204 });
  expect(await server.request('GET', '/both?api_key=good', { headers })).toMatchObject({ status: 403 });
});

test('a verifier that fails is not overruled by another alternative', async () => {
  const headers = { Authorization: 'Bearer down' };
  expect(await server.request('GET', '/either?api_key=good', { headers })).toMatchObject({ status: 503 });
  expect(await server.request('GET', '/optional', { headers })).toMatchObject({ status: 503 });
});

const REALM = 'realm="Credentials of all kinds "';
const BEARER = `Bearer ${REALM}`;
const INVALID_BEARER = `${BEARER}, error="invalid_token"`;
const BASIC = `Basic ${REALM}, charset="UTF-8"`;
const basic = (text: string | Buffer): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('credentials reach the verifier of their scheme', () => {
  test.each([
    ['a bearer token', '/inherited', { Authorization: 'bearer  good' }, 'good', []],
    ['an oauth2 token, with the scopes', '/oauth', { Authorization: 'Bearer good' }, 'good', ['read', 'write']],
    ['an openIdConnect token', '/openid', { Authorization: 'Bearer good' }, 'good', []],
    ['what follows another scheme', '/custom', { Authorization: 'CUSTOM-1.0  good' }, 'good', []],
    ['a key in a header', '/header', { 'x-key': 'good' }, 'good', []],
    ['a key in the query', '/either?api_key=%67ood', {}, 'good', []],
    ['a key in a cookie', '/cookie', { Cookie: 'a=b; sid=good;c=sid=x' }, 'good', []],
    ['a key beside an object of cookies', '/cookies', { Cookie: 'sid=good; a=1' }, 'good', []],
    ['a user and a password', '/basic', { Authorization: basic('Ä:good') }, { username: 'Ä', password: 'good' }, []],
    ['a user without name', '/basic', { Authorization: basic(':good') }, { username: '', password: 'good' }, []],
  ])('%s', async (_name, path, headers, credentials, scopes) => {
    expect(await server.request('GET', path, { headers })).toMatchObject({ status: 204, text: '' });
    expect(seen).toEqual([[credentials, scopes]]);
  });

  test('a password may hold colons', async () => {
    const headers = { Authorization: basic('user:pass:word') };
    expect(await server.request('GET', '/basic', { headers })).toMatchObject({ status: 401 });
    expect(seen).toEqual([[{ username: 'user', password: 'pass:word' }, []]]);
  });
});

/** The status, code and challenge of a refusal. */
function refusalOf({ status, text, headers }: Answer): unknown {
  // Every refusal has a reason.
  return [status, (JSON.parse(text) as { reason: string }).reason, headers['www-authenticate']];
}

const CUSTOM = `Custom-1.0 ${REALM}`;
const KEY = `ApiKey ${REALM}, in="query", name="api_key"`;
const HEADER = `ApiKey ${REALM}, in="header", name="X-Key"`;
const NAME = `ApiKey ${REALM}, in="header", name="constructor"`;
const COOKIE = `ApiKey ${REALM}, in="cookie", name="sid"`;

describe('a request is refused with the challenge of the scheme, and the verifier is not asked:', () => {
  test.each([
    ['no token', '/inherited', {}, 'noCredentials', BEARER],
    ['another scheme', '/inherited', { Authorization: basic('a:good') }, 'noCredentials', BEARER],
    ['a token of the longer scheme Bearers', '/inherited', { Authorization: 'Bearers good' }, 'noCredentials', BEARER],
    ['two tokens', '/inherited', { Authorization: 'Bearer good good' }, 'invalidCredentials', INVALID_BEARER],
    ['no oauth2 token', '/oauth', {}, 'noCredentials', BEARER],
    ['no password', '/basic', {}, 'noCredentials', BASIC],
    ['a bearer token for a password', '/basic', { Authorization: 'Bearer good' }, 'noCredentials', BASIC],
    ['a scheme alone', '/basic', { Authorization: 'Basic' }, 'noCredentials', BASIC],
    ['no base64', '/basic', { Authorization: 'Basic a:good' }, 'invalidCredentials', BASIC],
    ['no colon', '/basic', { Authorization: basic('good') }, 'invalidCredentials', BASIC],
    [
      'no UTF-8',
      '/basic',
      { Authorization: basic(Buffer.from('c4:good', 'latin1').fill(0xc4, 0, 1)) },
      'invalidCredentials',
      BASIC,
    ],
    ['a control character', '/basic', { Authorization: basic('a\n:good') }, 'invalidCredentials', BASIC],
    ['another scheme with a similar name', '/custom', { Authorization: 'Custom-1x0 good' }, 'noCredentials', CUSTOM],
    [
      'malformed credentials of another scheme',
      '/custom',
      { Authorization: 'Custom-1.0=good' },
      'invalidCredentials',
      CUSTOM,
    ],
    ['no key in the header', '/header', {}, 'noCredentials', HEADER],
    ['an empty key', '/header', { 'x-key': '' }, 'noCredentials', HEADER],
    ['the key in the query instead', '/header?X-Key=good', {}, 'noCredentials', HEADER],
    ['no key in a header whose name every object has', '/name', {}, 'noCredentials', NAME],
    ['two keys in headers', '/header', { 'x-key': ['good', 'good'] }, 'invalidCredentials', HEADER],
    ['no cookie', '/cookie', { Cookie: 'sid2=good; asid=good' }, 'noCredentials', COOKIE],
    ['an empty key beside a good one', '/either?api_key=&api_key=good', {}, 'invalidCredentials', KEY],
    ['an empty cookie beside a good one', '/cookie', { Cookie: 'sid=; sid=good' }, 'invalidCredentials', COOKIE],
    [
      'a cookie without a value beside a good one',
      '/cookie',
      { Cookie: 'sid; sid=good' },
      'invalidCredentials',
      COOKIE,
    ],
    [
      'a cookie that other programs may read',
      '/cookie',
      { Cookie: 'sid =bad; sid=good' },
      'invalidCredentials',
      COOKIE,
    ],
    ['two cookies', '/cookie', { Cookie: 'sid=good; sid=other' }, 'invalidCredentials', COOKIE],
    ['nothing where either is enough', '/either', {}, 'noCredentials', `${BEARER}, ${KEY}`],
    ['two keys, where either is enough', '/either?api_key=good&api_key=good', {}, 'invalidCredentials', KEY],
  ])('%s', async (_name, path, headers, reason, challenge) => {
    expect(refusalOf(await server.request('GET', path, { headers }))).toEqual([401, reason, challenge]);
    expect(seen).toEqual([]);
  });
});

test.each([
  ['/inherited', { Authorization: 'Bearer unknown' }, INVALID_BEARER],
  ['/basic', { Authorization: basic('user:unknown') }, BASIC],
  ['/header', { 'X-Key': 'unknown' }, HEADER],
  ['/either?api_key=unknown', {}, KEY],
])('credentials that a verifier does not know are 401: %s', async (path, headers, challenge) => {
  expect(refusalOf(await server.request('GET', path, { headers }))).toEqual([401, 'invalidCredentials', challenge]);
});

describe('a verifier without types that resolves to', () => {
  const named = (value: object): object => Object.assign(value, { name: '' });
  test.each<[what: string, verdict: unknown, reason: Reason]>([
    ['null', null, 'invalidCredentials'],
    ['false', false, 'invalidCredentials'],
    ['true', true, 'internal'],
    ['a text', 'somebody', 'internal'],
    ['no rows', [], 'internal'],
    ['an empty object', {}, 'internal'],
    ['an object with an empty name', named({}), 'internal'],
    ['an object whose name is a number', { name: 1 }, 'internal'],
    ['an error', new Error('no such token'), 'internal'],
    ['an error of another realm', runInNewContext('new Error()'), 'internal'],
    ['a date', new Date(), 'internal'],
    ['a map', new Map([['name', 'me']]), 'internal'],
    ['a function', () => ({ name: 'me' }), 'internal'],
  ])('%s lets no request in', async (_what, verdict, reason) => {
    const failures: unknown[] = [];
    const token = (credentials: string): Promise<never> =>
      credentials === 'at-once' ? (verdict as never) : Promise.resolve(verdict as never);
    const onError = ({ error }: { error: unknown }): undefined => void failures.push(error);
    const served = await serveContract('security.yaml', yes, { ...verifiers, token }, { onError });
    for (const text of ['later', 'at-once']) {
      for (const path of ['/inherited', '/optional']) {
        const headers = { Authorization: `Bearer ${text}` };
        const expected = path === '/optional' && reason === 'invalidCredentials' ? { status: 204 } : refused(reason);
        expect(await served.request('GET', path, { headers })).toMatchObject(expected);
      }
    }
    if (reason === 'internal')
      expect(String(failures[0])).toContain("The verifier of 'token' must resolve to an object");
    await served.close();
  });
});

test.each([
  ['throws', false],
  ['rejects', true],
])('credentials that are refused count for a guard that %s, also where none are needed', async (_how, rejects) => {
  const refusals: unknown[] = [];
  const refuse = (_request: unknown, { reason }: RequestError): void => {
    if (refusals.push(reason) > 1) throw new RequestError('tooManyFailures', 'Later.', { status: 429 });
  };
  const refuseLater = async (request: unknown, refusal: RequestError): Promise<void> => {
    await Promise.resolve();
    refuse(request, refusal);
  };
  const guard = { accept: () => undefined, refuse: rejects ? refuseLater : refuse };
  const guarded = await serveContract('security.yaml', yes, verifiers, { guard });
  const ask = async (token: string): Promise<number> =>
    (await guarded.request('GET', '/optional', { headers: { Authorization: token } })).status;
  expect(await ask('Bearer wrong')).toBe(204);
  expect(await ask('Bearer wrong')).toBe(429);
  expect(await ask('Bearer good')).toBe(204);
  expect(await ask('')).toBe(204);
  expect(refusals).toEqual(['invalidCredentials', 'invalidCredentials']);
  await guarded.close();
});

test('credentials that are refused count for a guard also where others let the request in', async () => {
  const told: string[] = [];
  const guard = {
    accept: ({ name }: { name: string }): void => void told.push(name),
    refuse: (_request: unknown, { reason }: RequestError): void => {
      told.push(reason);
      if (told.length > 2) throw new RequestError('tooManyFailures', 'Later.', { status: 429 });
    },
  };
  const guarded = await serveContract('security.yaml', yes, verifiers, { guard });
  const ask = async (token: string): Promise<number> =>
    (await guarded.request('GET', '/either?api_key=good', { headers: { Authorization: token } })).status;
  expect(await ask('Bearer guess')).toBe(204);
  expect(await ask('Bearer guess')).toBe(429);
  expect(await ask('Bearer good')).toBe(204);
  expect(told).toEqual(['invalidCredentials', 'somebody', 'invalidCredentials', 'somebody']);
  await guarded.close();
});

test.each([
  ['without one', undefined],
  ['with its own', 'Bearer realm="elsewhere"'],
])("a verifier's own 401 %s has a challenge, and counts where no credentials are needed", async (_how, own) => {
  const counted: string[] = [];
  const guard = {
    accept: () => undefined,
    refuse: (_request: unknown, { reason }: RequestError): void => void counted.push(reason),
  };
  const token = (): never => {
    const headers = { 'X-Hint': 'x', ...(own !== undefined && { 'www-authenticate': own }) };
    throw new RequestError('noCredentials', 'Sign in anew.', { headers });
  };
  const guarded = await serveContract('security.yaml', yes, { ...verifiers, token }, { guard });
  const headers = { Authorization: 'Bearer old' };
  const answer = await guarded.request('GET', '/inherited', { headers });
  expect(answer).toMatchObject(refused('noCredentials'));
  expect(answer.headers['www-authenticate']).toBe(
    own ?? 'Bearer realm="Credentials of all kinds ", error="invalid_token"',
  );
  expect(answer.headers['x-hint']).toBe('x');
  expect(await guarded.request('GET', '/optional', { headers })).toMatchObject({ status: 204 });
  expect(counted).toEqual(['noCredentials', 'noCredentials']);
  await guarded.close();
});

test('a verifier may return a promise of another realm, as the functions of Node.js do under Jest', async () => {
  const token = (): Promise<{ name: string }> =>
    // Safe: the expression is a promise of such an object.
    runInNewContext('Promise.resolve({ name: "me" })') as Promise<{ name: string }>;
  const served = await serveContract('security.yaml', yes, { ...verifiers, token });
  const headers = { Authorization: 'Bearer good' };
  expect(await served.request('GET', '/inherited', { headers })).toMatchObject({ status: 204 });
  await served.close();
});

test('a repeated Authorization header is refused, since another program may have read the other one', async () => {
  for (const path of ['/inherited', '/optional', '/basic', '/custom']) {
    const headers = { Authorization: ['Bearer good', 'Bearer other'] };
    expect(await server.request('GET', path, { headers })).toMatchObject(refused('repeatedHeader'));
  }
  expect(seen).toEqual([]);
});

describe('a passport strategy', () => {
  /** Takes the user from a header; 'slow' takes longer. */
  class HeaderStrategy extends passport.Strategy {
    override readonly name = 'header';

    override authenticate(
      this: passport.StrategyCreated<this, this & passport.StrategyCreatedStatic>,
      { headers }: Request,
    ): void {
      const name = String(headers['x-key']);
      const decide = (): void => {
        if (name === 'unknown') this.fail();
        else if (name === 'challenged') this.fail('Own realm="x"', 401);
        else if (name === 'injected') this.fail('Own realm="a\r\nb→"');
        else if (name === 'forbidden') this.fail(403);
        else if (name === 'weak') this.fail('Own realm="x"', 403);
        else if (name === 'broken') this.error(new RequestError('providerUnavailable', 'Later.', { status: 503 }));
        else if (name === 'redirected') this.redirect('/login');
        else if (name === 'passed') this.pass();
        else if (name === 'nameless') this.success({ id: 1 });
        else this.success({ name });
      };
      // Passport's type has no promise.
      if (name === 'rejected') return Promise.reject(new Error('Not now.')) as never;
      setTimeout(decide, name === 'slow' ? 50 : 0);
    }
  }

  let served: ContractServer;
  const principals: string[] = [];
  beforeAll(async () => {
    const own = { ...verifiers, header: passportVerifier(new HeaderStrategy()) };
    const guard = {
      accept: ({ name }: { name: string }) => void principals.push(name),
      refuse: () => undefined,
    };
    served = await serveContract('security.yaml', yes, own, { guard });
  });
  afterAll(() => served.close());

  test.each([
    ['unknown', 401, 'invalidCredentials', HEADER],
    ['challenged', 401, 'invalidCredentials', 'Own realm="x"'],
    ['weak', 403, 'insufficientScope', 'Own realm="x"'],
    ['injected', 401, 'invalidCredentials', 'Own realm="ab"'],
    ['forbidden', 403, 'insufficientScope', undefined],
    ['rejected', 500, 'internal', undefined],
    ['broken', 503, 'providerUnavailable', undefined],
    ['redirected', 500, 'internal', undefined],
    ['passed', 500, 'internal', undefined],
    ['nameless', 500, 'internal', undefined],
  ])('decides: %s is %i', async (key, status, reason, challenge) => {
    const answer = await served.request('GET', '/header', { headers: { 'x-key': key } });
    expect(refusalOf(answer)).toEqual([status, reason, challenge]);
    expect(principals).toEqual([]);
  });

  test('may have an async callback, whose rejection is a failure of the service', async () => {
    const verify = async (token: string, done: (error: unknown, user: unknown) => void): Promise<void> => {
      await Promise.resolve();
      if (token === 'down') throw new RequestError('providerUnavailable', 'Later.', { status: 503 });
      done(null, token === 'good' ? { name: 'me' } : false);
    };
    // The types of passport know callbacks without a promise only.
    const token = passportVerifier(new Strategy(verify as never));
    const bearer = await serveContract('security.yaml', yes, { ...verifiers, token });
    const statuses = [];
    for (const given of ['good', 'wrong', 'down']) {
      const headers = { Authorization: `Bearer ${given}` };
      statuses.push((await bearer.request('GET', '/inherited', { headers })).status);
    }
    expect(statuses).toEqual([204, 401, 503]);
    await bearer.close();
  });

  test('decides on each of several requests at the same time, whichever is first', async () => {
    const names = ['slow', 'unknown', 'fast', 'unknown'];
    const answers = await Promise.all(
      names.map((name) => served.request('GET', '/header', { headers: { 'x-key': name } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 401, 204, 401]);
    expect(principals.toSorted()).toEqual(['fast', 'slow']);
  });
});

test('a request without credentials is told of every scheme that would do', async () => {
  const contract = `
openapi: 3.1.0
info: { title: Choice, version: 1.0.0 }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
    key: { type: apiKey, in: header, name: X-Key }
paths:
  /either: { get: { security: [{ token: [] }, { key: [] }], responses: { '204': { description: Done. } } } }
  /both: { get: { security: [{ token: [], key: [] }], responses: { '204': { description: Done. } } } }
`;
  const verifiers = { token: verify, key: verify };
  const choice = await withFiles({ 'openapi.yaml': contract }, (file) => serveContract(file, yes, verifiers));
  const token = "'Authorization: Bearer <ACCESS_TOKEN>'\\.";
  const key = "[^.]*'X-Key'\\.";
  const message = async (path: string): Promise<unknown> => JSON.parse((await choice.request('GET', path)).text);
  expect(await message('/either')).toEqual({
    reason: 'noCredentials',
    message: expect.stringMatching(`${token} Or ${key}$`),
  });
  expect(await message('/both')).toEqual({
    reason: 'noCredentials',
    message: expect.stringMatching(`${token} And ${key}$`),
  });
  await choice.close();
});
