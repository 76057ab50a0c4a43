import { expect, test } from '@jest/globals';
import { FixedWindow } from '../../src/auth/fixed-window.ts';
import { AttemptLimiter } from '../../src/auth/rate-limit.ts';
import type { Verifier } from 'openapi-exact';
import { serveContract } from '../support/contract-server.ts';

const known: Verifier<string> = (text) => Promise.resolve(text === 'good' ? { name: text } : undefined);

test('a request that one of two alternatives accepts does not count as a failure', async () => {
  const yes = () => ({ status: 204 });
  const schemes = ['token', 'key'];
  const server = await serveContract(
    new URL('../fixtures/contracts/alternatives.yaml', import.meta.url),
    yes,
    Object.fromEntries(schemes.map((scheme) => [scheme, known])),
    { guard: new AttemptLimiter({ authFailuresPerMinute: 1, tokenRequestsPerMinute: 0 }, () => '192.0.2.1') },
  );
  const status = async (path: string): Promise<number> => (await server.request('GET', path)).status;
  for (let count = 0; count < 3; count++) {
    expect(await status('/either?api_key=good')).toBe(204);
    expect(await status('/optional')).toBe(204);
  }
  // One failure each, not one for each scheme; and operations count together.
  expect([await status('/either'), await status('/both')]).toEqual([401, 429]);
  expect(await status('/either?api_key=good')).toBe(204);
  await server.close();
});

test('any number of addresses takes bounded memory: the least recently counted one is dropped', () => {
  const window = new FixedWindow(1, 60_000, 2);
  const allowed = (key: string): boolean => window.count(key) === 0;
  expect([allowed('a'), allowed('b'), allowed('a')]).toEqual([true, true, false]);
  // A third one takes the place of b, and then b that of the third.
  expect([allowed('c'), allowed('a'), allowed('b'), allowed('c')]).toEqual([true, false, true, true]);
});
