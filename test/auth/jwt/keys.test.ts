import { afterEach, describe, expect, test } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { newKey } from '../../support/key-server.ts';
import { deletePlant, expectError } from '../../support/send.ts';
import { ProvidedService } from './provided-service.ts';

// Before the service is closed.
afterEach(() => at.expectKept());
const at = new ProvidedService();
const { start, statusOf } = at;

/** Expects that it cannot be told whether a token is valid. */
async function expectUnavailable(token: string): Promise<void> {
  const response = await deletePlant(at.service, 1n, { token });
  expectError(response, 50303);
  expect(response.headers['retry-after']).toMatch(/^([1-9]|10)$/);
  expect(response.headers['www-authenticate']).toBeUndefined();
}

describe('while the provider is down', () => {
  test('from the start on, an invalid token is still refused, and others are 503 until it is there', async () => {
    await at.provider.close();
    await start({}, { coolDown: 50 });
    expect(await statusOf('a.b.c')).toBe(401);
    for (const alg of ['none', 'HS256']) expect(await statusOf(at.provider.token({ header: { alg } }))).toBe(401);
    await expectUnavailable(at.provider.token());
    await at.provider.comeBack();
    // Its keys are fetched before a token needs them.
    while (!at.provider.requests.includes('/keys')) await pause(5);
    expect(await statusOf(at.provider.token())).toBe(404);
  });

  test('its known keys keep working, for new tokens too, and unknown ones are 503, never 401', async () => {
    await start({}, { coolDown: 50 });
    const seen = at.provider.token();
    expect(await statusOf(seen)).toBe(404);
    await at.provider.close();
    for (let count = 0; count < 3; count++) {
      await expectUnavailable(at.provider.token({ key: newKey('second') }));
      expect(await statusOf(seen)).toBe(404);
      expect(await statusOf(at.provider.token())).toBe(404);
      expect(await statusOf(at.provider.token({ claims: { aud: 'x' } }))).toBe(401);
      await pause(60);
    }
    await at.provider.comeBack();
    await pause(60);
    expect(await statusOf(at.provider.token({ key: newKey('second') }))).toBe(401);
  });

  test('known keys expire after a while: then every JWT gets 503 until the provider is back', async () => {
    await start({}, { coolDown: 50, maxAge: 1_500 });
    const seen = at.provider.token();
    expect(await statusOf(seen)).toBe(404);
    await at.provider.close();
    await pause(1_600);
    await expectUnavailable(seen);
    await expectUnavailable(at.provider.token());
    await at.provider.comeBack();
    await pause(60);
    expect(await statusOf(seen)).toBe(404);
  });
});

test('an outage is logged once with its reason, and again after a recovery', async () => {
  const fails: RequestListener = (_request, response) => response.writeHead(500).end();
  at.provider.answer = fails;
  await start({}, { coolDown: 20, refresh: 20 });
  // An attempt asks for metadata at two places.
  while (at.provider.requests.length < 8) await pause(5);
  const err: unknown = expect.objectContaining({ message: expect.stringContaining('was answered 500') });
  expect(await at.recorded.linesOf('identity provider keys unavailable')).toMatchObject([{ level: 40, err }]);
  at.provider.answer = undefined;
  await at.recorded.linesOf('identity provider keys fetched');
  at.provider.answer = fails;
  expect(await at.recorded.linesOf('identity provider keys unavailable', 2)).toHaveLength(2);
});

test.each([
  ['causes one fetch in a cool-down, and known keys work meanwhile', 401],
  ['while the provider is down causes one attempt', 503],
])('a flood of unknown key ids %s', async (_what, status) => {
  await start({}, { coolDown: 3_600_000 });
  expect(await statusOf(at.provider.token())).toBe(404);
  if (status === 503) at.provider.answer = (_request, response) => response.writeHead(500).end();
  const before = at.provider.requests.length;
  const foreign = newKey('foreign');
  const flood = Array.from({ length: 100 }, (_, index) =>
    statusOf(at.provider.token({ key: { ...foreign, kid: `key-${index}` } })),
  );
  expect(await statusOf(at.provider.token())).toBe(404);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([status]));
  expect(await statusOf(at.provider.token({ header: { kid: 'another' } }))).toBe(status);
  expect(at.provider.requests.slice(before)).toEqual(['/keys']);
});

test('keys are fetched anew from time to time: a withdrawn one is refused, also for a token that was accepted', async () => {
  await start({}, { refresh: 100 });
  const seen = at.provider.token();
  // The first uses may come before the keys or beside a fetch, and are not cached then.
  for (let use = 0; use < 5; use++) expect(await statusOf(seen)).toBe(404);
  const second = newKey('second');
  at.provider.keys = [second];
  const { length } = at.provider.requests;
  // The second fetch from now has begun after the keys were changed.
  while (at.provider.requests.length < length + 2) await pause(20);
  expect(await statusOf(seen)).toBe(401);
  expect(await statusOf(at.provider.token())).toBe(401);
  expect(await statusOf(at.provider.token({ key: second }))).toBe(404);
});
