import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { createToken } from '../../src/auth/tokens/token.ts';
import type { WireResponse } from '../support/conformance.ts';
import { deleteExactly, deletePlant, expectError, requestText, sendRaw } from '../support/send.ts';
import { issueToken, plantsIn, startService, type Service } from '../support/service.ts';

const PLANTS = [0n, 1n, 2n, 9007199254740993n];

const service = await startService(PLANTS);
// Only the tests that restore the plant delete it.
afterEach(async () => {
  expect(await plantsIn(service.stores)).toEqual(PLANTS);
});
afterAll(() => service.close());

/**
 * Asks for the deletion of plant 1 with this Authorization header, exactly as it is; without one
 * for undefined.
 */
function deleteWith(authorization: string | undefined, query = ''): Promise<WireResponse> {
  const headers = authorization === undefined ? [] : [`Authorization: ${authorization}`];
  return deleteExactly(service, `/plants/1${query}`, headers);
}

function expectNoCredentials(response: WireResponse): void {
  expect(expectError(response, 40100)).toBe(
    "This operation needs a token: send the header 'Authorization: Bearer <ACCESS_TOKEN>'.",
  );
  expect(response.headers['www-authenticate']).toBe('Bearer realm="plant-store"');
}

function expectInvalidToken(response: WireResponse): void {
  expect(expectError(response, 40101)).toBe(
    'The access token is not valid: ask the operator of the service for a new one.',
  );
  expect(response.headers['www-authenticate']).toBe('Bearer realm="plant-store", error="invalid_token"');
}

/** Expects plant 1 to be deleted by a request with this header, and plants it again. */
async function expectAccepted(authorization: string): Promise<void> {
  expect(await deleteWith(authorization)).toMatchObject({ status: 204, text: '' });
  await service.stores.plants.insertPlants([1n]);
}

describe('a request without credentials for the scheme Bearer gets a challenge without error code:', () => {
  const others = [
    undefined,
    '',
    'Basic eDp5',
    'Basic bearer',
    'Basic Bearer x',
    'Basic',
    'Digest username="x"',
    'Token',
  ];
  test.each([...others, 'Bearer', 'bearer', 'BEARER', 'Bearer ', 'Bearer   ', 'Bearer \t'])(
    "the header '%s'",
    async (authorization) => {
      expectNoCredentials(await deleteWith(authorization));
    },
  );

  test.each(['', 'Token ', 'Basic ', 'Bearertoken ', 'bearer-x ', 'x-bearer ', 'Bearer. ', '_Bearer ', '"Bearer" '])(
    "a valid token behind the scheme '%s'",
    async (scheme) => {
      expectNoCredentials(await deleteWith(scheme + service.token));
    },
  );
});

describe('a token that is not valid gets one and the same answer:', () => {
  test.each(['Bearer a b', 'Bearer ,', 'Bearer plant_', 'Bearer null', 'Bearer ""', 'Bearer ='])(
    "the malformed header '%s'",
    async (authorization) => {
      expectInvalidToken(await deleteWith(authorization));
    },
  );

  test.each([
    'Bearer %s x',
    'Bearer x %s',
    'Bearer "%s"',
    'Bearer %s,',
    'Bearer %s %s',
    'Bearer: %s',
    'Bearer=%s',
    'Bearer\t%s',
  ])("a valid token in the malformed header '%s'", async (form) => {
    expectInvalidToken(await deleteWith(form.replaceAll('%s', service.token)));
  });

  test('with a token that has a typo, the wrong case or a missing end', async () => {
    const { token } = service;
    const typo = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
    for (const wrong of [typo, token.toLowerCase(), token.toUpperCase(), token.slice(0, -1), token.slice(1)]) {
      expectInvalidToken(await deleteWith(`Bearer ${wrong}`));
    }
  });
});

describe('a valid token', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  '])(
    "is accepted after '%s': the scheme is case-insensitive, and spaces may follow (RFC 6750, section 2.1)",
    async (scheme) => {
      await expectAccepted(`${scheme} ${service.token}`);
    },
  );

  test('is accepted as soon as it is created, though it was tried before, and until it expires', async () => {
    const token = await issueToken(service.stores, 'new', Date.now() + 60_000);
    await expectAccepted(`Bearer ${token}`);
  });

  test('is not accepted from the query, alone or beside other credentials', async () => {
    const query = `?access_token=${service.token}`;
    expectNoCredentials(await deleteWith(undefined, query));
    expectNoCredentials(await deleteWith('Basic eDp5', query));
    expectInvalidToken(await deleteWith('Bearer x', query));
    expectError(await deleteWith(`Bearer ${service.token}`, query), 40002);
  });

  test.each(['application/x-www-form-urlencoded', 'application/json', 'text/plain'])(
    'is not accepted from a body of %s',
    async (type) => {
      const token = service.token;
      const body = type === 'application/json' ? JSON.stringify({ access_token: token }) : `access_token=${token}`;
      const headers = { 'Content-Type': type };
      expectNoCredentials(await deletePlant(service, 1n, { token: null, headers, body }));
      headers['Content-Type'] += '; charset=utf-8';
      expectNoCredentials(await deletePlant(service, 1n, { token: null, headers, body }));
      expectError(await deletePlant(service, 1n, { headers, body }), 40003);
    },
  );

  test.each(['Cookie: access_token=%s', 'Proxy-Authorization: Bearer %s', 'X-Authorization: Bearer %s'])(
    "is not accepted from the header '%s'",
    async (header) => {
      expectNoCredentials(await deleteExactly(service, '/plants/1', [header.replace('%s', service.token)]));
    },
  );
});

test('authentication happens for each request of a connection anew', async () => {
  const bytes = [service.token, createToken()].map((token) =>
    requestText(service, 'DELETE', '/plants/404', [`Authorization: Bearer ${token}`]),
  );
  const responses = await sendRaw(service, bytes.join(''), { method: 'DELETE', target: '/plants/404', responses: 2 });
  expect(responses.map(({ status }) => status)).toEqual([404, 401]);
});

describe('without a token store', () => {
  let broken: Service;
  beforeAll(async () => {
    broken = await startService(PLANTS);
    const second = new Database(broken.file);
    second.exec('DROP TABLE tokens');
    second.close();
  });
  afterAll(() => broken.close());

  test.each(['a valid', 'an unknown'])(
    'a request with %s token gets 503: the token is neither accepted nor refused',
    async (kind) => {
      const response = await deletePlant(broken, 1n, kind === 'a valid' ? {} : { token: createToken() });
      expectError(response, 50300);
      expect(response.headers['retry-after']).toBe('1');
      expect(response.headers['www-authenticate']).toBeUndefined();
      expect(await plantsIn(broken.stores)).toEqual(PLANTS);
    },
  );
});
