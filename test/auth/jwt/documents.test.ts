import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { KEY_TIMES } from '../../../src/auth/jwt/provider-keys.ts';
import { jwkOf, newKey, startKeyServer, type KeyServer } from '../../support/key-server.ts';
import { deletePlant, expectError } from '../../support/send.ts';
import { plantsIn, startService, type Service } from '../../support/service.ts';

const PLANTS = [1n, 2n, 3n];

let provider: KeyServer;
let service: Service;
beforeEach(async () => {
  provider = await startKeyServer();
});
afterEach(async () => {
  expect(await plantsIn(service.stores)).toEqual(PLANTS);
  await service.close();
  await provider.close();
});

async function start(settings: Partial<KeyServer['settings']> = {}): Promise<void> {
  service = await startService(PLANTS, undefined, {
    identityProvider: { ...provider.settings, ...settings },
    keyTimes: { ...KEY_TIMES, coolDown: 0, timeout: 500 },
  });
}

/** The status for a token. It deletes nothing: the plant does not exist. */
async function statusOf(token: string): Promise<number> {
  return (await deletePlant(service, 404n, { token })).status;
}

describe('the metadata of the provider', () => {
  test.each([
    ['of another issuer', { issuer: 'https://evil.example' }],
    ['without issuer', { issuer: undefined }],
    ['without jwks_uri', { jwks_uri: undefined }],
    ['whose jwks_uri is not safe', { jwks_uri: 'http://keys.example/' }],
    ['whose jwks_uri is a file', { jwks_uri: 'file:///etc/hosts' }],
  ])('are rejected with 503: %s', async (_name, change) => {
    provider.answer = (_request, response) =>
      response.end(JSON.stringify({ issuer: provider.issuer, jwks_uri: `${provider.issuer}/keys`, ...change }));
    await start();
    expectError(await deletePlant(service, 1n, { token: provider.token() }), 50303);
    expect(provider.requests).not.toContain('/keys');
  });

  test('are found where RFC 8414 has them, too', async () => {
    provider.answer = (request, response) => {
      if (request.url === '/.well-known/oauth-authorization-server/tenant') {
        response.end(JSON.stringify({ issuer: `${provider.issuer}/tenant`, jwks_uri: `${provider.issuer}/keys` }));
      } else if (request.url === '/keys') response.end(JSON.stringify({ keys: [jwkOf(provider.key)] }));
      else response.writeHead(404).end();
    };
    await start({ issuer: `${provider.issuer}/tenant` });
    expect(await statusOf(provider.token({ claims: { iss: `${provider.issuer}/tenant` } }))).toBe(404);
    expect(provider.requests[0]).toBe('/tenant/.well-known/openid-configuration');
  });

  test('are not asked for where AUTH_JWKS_URL says where the keys are', async () => {
    await start({ jwksUrl: new URL(`${provider.issuer}/keys`) });
    expect(await statusOf(provider.token())).toBe(404);
    expect(provider.requests).toEqual(['/keys']);
  });
});

describe('a key set is rejected, so that unknown keys get 503 and known keys keep working, when it is', () => {
  const second = newKey('second');
  const document = JSON.stringify({ keys: [jwkOf(second)] });
  test.each<[string, RequestListener]>([
    ['answered with an error', (_request, response) => response.writeHead(503).end(document)],
    ['not answered in time', () => undefined],
    [
      'cut off',
      (_request, response) =>
        response.writeHead(200, { 'Content-Length': 9_999 }).write(document, () => response.destroy()),
    ],
    ['no JSON', (_request, response) => response.end('{"keys":')],
    ['no key set', (_request, response) => response.end('null')],
    ['without any key', (_request, response) => response.end('{"keys":[]}')],
    ['with shared secrets only', (_request, response) => response.end('{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}')],
    ['larger than 256 KiB', (_request, response) => response.end(document + ' '.repeat(300_000))],
    [
      'elsewhere',
      (request, response) =>
        request.url === '/elsewhere'
          ? response.end(document)
          : response.writeHead(302, { Location: '/elsewhere' }).end(),
    ],
  ])('%s', async (_name, answer) => {
    await start({ jwksUrl: new URL(`${provider.issuer}/keys`) });
    expect(await statusOf(provider.token())).toBe(404);
    provider.answer = answer;
    expectError(await deletePlant(service, 1n, { token: provider.token({ key: second }) }), 50303);
    expect(await statusOf(provider.token())).toBe(404);
    expect(provider.requests).not.toContain('/elsewhere');
    provider.answer = (_request, response) => response.end(document);
    expect(await statusOf(provider.token({ key: second }))).toBe(404);
  });
});
