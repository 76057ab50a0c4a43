import { afterAll, afterEach, expect, test } from '@jest/globals';
import { deletePlant, expectError } from '../../support/send.ts';
import { AUDIENCE, startIdentityProvider } from '../../support/identity-provider.ts';
import { RecordedLog } from '../../support/recorded-log.ts';
import { DELETE_PLANT, plantsIn, startService } from '../../support/service.ts';

const provider = await startIdentityProvider();
const recorded = new RecordedLog();
const options = { identityProvider: provider.settings, audit: true };
const service = await startService([1n, 2n, 3n, 4n], recorded.log, options);
const tokens: string[] = [];
afterEach(() => {
  for (const token of tokens) expect(recorded.text()).not.toContain(token.split('.')[2]);
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

/** The header of a token. */
function headerOf(token: string): unknown {
  tokens.push(token);
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
}

test('an access token of a real provider deletes a plant, and the log says for whom', async () => {
  const token = await provider.accessToken();
  expect(headerOf(token)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: 'key-1' });
  for (const [id, status] of [[2n, 204] as const, [2n, 404] as const]) {
    expect((await deletePlant(service, id, { token })).status).toBe(status);
  }
  expect(await plantsIn(service.stores)).toEqual([1n, 3n, 4n]);
  const [line] = await recorded.linesOf('done');
  expect(line).toMatchObject({ name: 'audit', operation: DELETE_PLANT, id: '2', token: `jwt:${AUDIENCE}` });
  expect((await recorded.linesOf('request', 2))[0]).toMatchObject({ status: 204, token: `jwt:${AUDIENCE}` });
});

test('after a key rotation new tokens are accepted without a restart and old tokens are refused, cached or not', async () => {
  const [remembered, unseen] = [await provider.accessToken(), await provider.accessToken()];
  expect((await deletePlant(service, 9n, { token: remembered })).status).toBe(404);
  const before = provider.keyRequests();
  provider.rotate();
  const token = await provider.accessToken();
  expect(headerOf(token)).toMatchObject({ kid: 'key-2' });
  expect((await deletePlant(service, 3n, { token })).status).toBe(204);
  expect(provider.keyRequests()).toBe(before + 1);
  for (const old of [remembered, unseen]) expectError(await deletePlant(service, 1n, { token: old }), 40101);
  expect(provider.keyRequests()).toBe(before + 1);
  expect((await deletePlant(service, 4n, { token })).status).toBe(204);
  expect(await plantsIn(service.stores)).toEqual([1n]);
});
