import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { jwkOf, newKey, startKeyServer, type KeyServer } from '../../support/key-server.ts';
import { deletePlant, expectError } from '../../support/send.ts';
import { plantsIn, startService, type Service } from '../../support/service.ts';

let provider: KeyServer;
let service: Service;
beforeEach(async () => {
  provider = await startKeyServer();
});
afterEach(async () => {
  await service.close();
  await provider.close();
});

async function start(settings: Partial<KeyServer['settings']> = {}): Promise<void> {
  service = await startService([1n, 2n, 3n], undefined, { identityProvider: { ...provider.settings, ...settings } });
}

test('a signature is accepted by the algorithms of AUTH_ALGORITHMS only', async () => {
  await start({ algorithms: ['RS256'] });
  expectError(await deletePlant(service, 1n, { token: provider.token() }), 40101);
  expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
});

test('a key of the provider that is too weak signs nothing (RFC 7518, section 3.3)', async () => {
  const weak = { kid: 'weak', ...generateKeyPairSync('rsa', { modulusLength: 1024 }) };
  const strong = { kid: 'strong', ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
  provider.keys = [weak, strong, provider.key];
  await start();
  const header = { alg: 'RS256' };
  expectError(await deletePlant(service, 1n, { token: provider.token({ key: weak, header }) }), 40101);
  expect((await deletePlant(service, 2n, { token: provider.token({ key: strong, header }) })).status).toBe(204);
  expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
});

test('a key of the provider that is broken signs nothing, and harms no other', async () => {
  const broken = { ...jwkOf(newKey('broken')), x: 'AAAA' };
  const answer = JSON.stringify({ keys: [broken, { kty: 'RSA', kid: 'empty' }, null, 7, jwkOf(provider.key)] });
  provider.answer = (_request, response) => response.end(answer);
  await start({ jwksUrl: new URL(provider.issuer) });
  for (const kid of ['broken', 'empty']) {
    expectError(await deletePlant(service, 1n, { token: provider.token({ header: { kid } }) }), 40101);
  }
  expect((await deletePlant(service, 2n, { token: provider.token() })).status).toBe(204);
  expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
});

test('a token without a key id is refused if several keys of the provider fit', async () => {
  provider.keys = [provider.key, newKey('second')];
  await start();
  const header = { kid: undefined };
  expectError(await deletePlant(service, 1n, { token: provider.token({ header }) }), 40101);
  expect((await deletePlant(service, 2n, { token: provider.token() })).status).toBe(204);
  expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
});

test('without an identity provider no JWT is a valid token', async () => {
  service = await startService([1n, 2n, 3n]);
  expectError(await deletePlant(service, 1n, { token: provider.token() }), 40101);
  expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
});
