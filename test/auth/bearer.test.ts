import { afterAll, afterEach, expect, test } from '@jest/globals';
import { startKeyServer } from '../support/key-server.ts';
import { deleteExactly, deletePlant, expectError } from '../support/send.ts';
import { plantsIn, startService } from '../support/service.ts';

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

test.each(['application/x-www-form-urlencoded', 'text/plain'])(
  'a valid token is not accepted from a body of %s (RFC 6750, section 2.2)',
  async (type) => {
    const given = { headers: { 'Content-Type': type }, body: `access_token=${service.token}` };
    expectError(await deletePlant(service, 1n, { token: null, ...given }), 40100);
    expectError(await deletePlant(service, 1n, given), 40003);
  },
);

test('without an identity provider no JWT is a valid token', async () => {
  const provider = await startKeyServer();
  expectError(await deletePlant(service, 1n, { token: provider.token() }), 40101);
  await provider.close();
});
