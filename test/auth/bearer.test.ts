import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { createToken } from '../../src/auth/tokens/token.ts';
import { startKeyServer } from '../support/key-server.ts';
import { deleteExactly, deletePlant, expectError, requestText, sendRaw } from '../support/send.ts';
import { plantsIn, startService, type Service } from '../support/service.ts';

const PLANTS = [0n, 1n, 2n, 9007199254740993n];

const service = await startService(PLANTS);
afterEach(async () => {
  expect(await plantsIn(service.stores)).toEqual(PLANTS);
});
afterAll(() => service.close());

// test/fixtures/credentials.ts has what no operation takes for a token.
test.each(['Bearer', 'bearer', 'bEaReR', 'Bearer  '])(
  "a valid token is accepted after '%s': the scheme is case-insensitive, and spaces may follow (RFC 6750, section 2.1)",
  async (scheme) => {
    const accepted = await deleteExactly(service, '/plants/1', [`Authorization: ${scheme} ${service.token}`]);
    expect(accepted).toMatchObject({ status: 204, text: '' });
    await service.stores.plants.insertPlants([1n]);
  },
);

test.each([
  ['application/x-www-form-urlencoded', (token: string) => `access_token=${token}`],
  ['application/json; charset=utf-8', (token: string) => JSON.stringify({ access_token: token })],
  ['text/plain', (token: string) => `access_token=${token}`],
])('a valid token is not accepted from a body of %s', async (type, bodyOf) => {
  const [headers, body] = [{ 'Content-Type': type }, bodyOf(service.token)];
  expectError(await deletePlant(service, 1n, { token: null, headers, body }), 40100);
  expectError(await deletePlant(service, 1n, { headers, body }), 40003);
});

test('without an identity provider no JWT is a valid token', async () => {
  const provider = await startKeyServer();
  expectError(await deletePlant(service, 1n, { token: provider.token() }), 40101);
  await provider.close();
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
