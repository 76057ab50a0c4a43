import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { KEY_TIMES } from '../../../src/auth/jwt/provider-keys.ts';
import { newKey, startKeyServer, type KeyServer } from '../../support/key-server.ts';
import { recordLog, type RecordedLog } from '../../support/recorded-log.ts';
import { deletePlant, expectError } from '../../support/send.ts';
import { plantsIn, startService, type Service, type ServiceOptions } from '../../support/service.ts';

const PLANTS = [1n, 2n, 3n];
const CANNOT = 'identity provider keys unavailable';
const KNOWN = 'identity provider keys fetched';

let provider: KeyServer;
let recorded: RecordedLog;
let service: Service;
beforeEach(async () => {
  provider = await startKeyServer();
  recorded = recordLog();
});
afterEach(async () => {
  expect(await plantsIn(service.stores)).toEqual(PLANTS);
  await service.close();
  await provider.close();
});

/** Starts the service; it does not wait for the provider. */
async function start(times: Partial<typeof KEY_TIMES> = {}): Promise<void> {
  const options: ServiceOptions = {
    identityProvider: provider.settings,
    keyTimes: { ...KEY_TIMES, ...times },
  };
  service = await startService(PLANTS, recorded.log, options);
}

/** The status for a token. It deletes nothing: the plant does not exist. */
async function statusOf(token: string): Promise<number> {
  return (await deletePlant(service, 404n, { token })).status;
}

/** Expects that it cannot be told whether a token is valid. */
async function expectUnavailable(token: string): Promise<void> {
  const response = await deletePlant(service, 1n, { token });
  expect(expectError(response, 50303)).toBe(
    'The identity provider is unavailable, so the access token could not be verified and nothing was done. ' +
      'Repeat the request after the seconds in Retry-After.',
  );
  expect(response.headers['retry-after']).toMatch(/^([1-9]|10)$/);
  expect(response.headers['www-authenticate']).toBeUndefined();
}

describe('while the provider is down', () => {
  test('the service starts, says so, serves its own tokens, and JWTs once the provider is there', async () => {
    await provider.goDown();
    await start({ coolDown: 100 });
    const [line] = await recorded.linesOf(CANNOT);
    expect(line).toMatchObject({ level: 40, issuer: provider.issuer });
    expect(JSON.stringify(line)).toContain('ECONNREFUSED');
    await expectUnavailable(provider.token());
    expect(await statusOf(service.token)).toBe(404);
    await provider.comeBack();
    await pause(150);
    expect(await statusOf(provider.token())).toBe(404);
    await recorded.linesOf(KNOWN);
  });

  test('an invalid token is still refused', async () => {
    await provider.goDown();
    await start();
    expect(await statusOf('a.b.c')).toBe(401);
    expect(await statusOf(provider.token({ header: { alg: 'none' } }))).toBe(401);
    expect(await statusOf(provider.token({ header: { alg: 'HS256' } }))).toBe(401);
  });

  test('its known keys keep working, for new tokens too, and unknown ones are 503, never 401', async () => {
    await start({ coolDown: 50 });
    const seen = provider.token();
    expect(await statusOf(seen)).toBe(404);
    await provider.goDown();
    for (let count = 0; count < 3; count++) {
      await expectUnavailable(provider.token({ key: newKey('second') }));
      expect(await statusOf(seen)).toBe(404);
      expect(await statusOf(provider.token())).toBe(404);
      expect(await statusOf(provider.token({ claims: { aud: 'x' } }))).toBe(401);
      await pause(60);
    }
    await provider.comeBack();
    await pause(60);
    expect(await statusOf(provider.token({ key: newKey('second') }))).toBe(401);
  });

  test('known keys expire after a while: then every JWT gets 503 until the provider is back', async () => {
    await start({ coolDown: 50, maxAge: 1_500 });
    const seen = provider.token();
    expect(await statusOf(seen)).toBe(404);
    await provider.goDown();
    await pause(1_600);
    await expectUnavailable(seen);
    await expectUnavailable(provider.token());
    await provider.comeBack();
    await pause(60);
    expect(await statusOf(seen)).toBe(404);
  });
});

test('a flood of unknown key ids causes one fetch in a cool-down, and known keys work meanwhile', async () => {
  await start();
  expect(await statusOf(provider.token())).toBe(404);
  const before = provider.requests.length;
  const flood = Array.from({ length: 200 }, (_, index) => statusOf(provider.token({ key: newKey(`key-${index}`) })));
  expect(await statusOf(provider.token())).toBe(404);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([401]));
  for (let index = 0; index < 20; index++)
    expect(await statusOf(provider.token({ header: { kid: `x${index}` } }))).toBe(401);
  expect(provider.requests.slice(before)).toEqual(['/keys']);
});

test('a flood while the provider is down causes one attempt in a cool-down', async () => {
  await start();
  expect(await statusOf(provider.token())).toBe(404);
  await provider.goDown();
  const flood = Array.from({ length: 100 }, (_, index) => statusOf(provider.token({ key: newKey(`key-${index}`) })));
  expect(new Set(await Promise.all(flood))).toEqual(new Set([503]));
  expect(await recorded.linesOf(CANNOT)).toHaveLength(1);
});

test('keys are fetched anew from time to time: a withdrawn one is refused, also for a token that was accepted', async () => {
  await start({ refresh: 100 });
  const seen = provider.token();
  // The first uses may come before the keys or beside a fetch, and are not cached then.
  for (let use = 0; use < 5; use++) expect(await statusOf(seen)).toBe(404);
  const second = newKey('second');
  provider.keys = [second];
  const { length } = provider.requests;
  // The second fetch from now has begun after the keys were changed.
  while (provider.requests.length < length + 2) await pause(20);
  expect(await statusOf(seen)).toBe(401);
  expect(await statusOf(provider.token())).toBe(401);
  expect(await statusOf(provider.token({ key: second }))).toBe(404);
});
