import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AttemptLimits } from '../../../src/auth/rate-limit.ts';
import { newKey, startKeyServer, type KeyServer } from '../../support/key-server.ts';
import { recordLog, type RecordedLog } from '../../support/recorded-log.ts';
import { deletePlant, expectError } from '../../support/send.ts';
import { plantsIn, startService, type Service } from '../../support/service.ts';

let provider: KeyServer;
let recorded: RecordedLog;
let service: Service;
beforeEach(async () => {
  provider = await startKeyServer();
  recorded = recordLog();
});
afterEach(async () => {
  await service.close();
  await provider.close();
});

async function start(limits: Partial<AttemptLimits>): Promise<void> {
  service = await startService([1n, 2n, 3n], recorded.log, {
    identityProvider: provider.settings,
    limits: { authFailuresPerMinute: 0, tokenRequestsPerMinute: 0, ...limits },
    audit: true,
  });
}

const statusOf = async (token: string): Promise<number> => (await deletePlant(service, 404n, { token })).status;

test('JWTs that are refused count as failed authentications of their address; a missing scope does not', async () => {
  await start({ authFailuresPerMinute: 2 });
  for (let count = 0; count < 5; count++) {
    expect(await statusOf(provider.token({ claims: { scope: 'plants:read' } }))).toBe(403);
  }
  const forged = provider.token({ key: newKey('first') });
  expect([await statusOf(forged), await statusOf('a.b.c')]).toEqual([401, 401]);
  expectError(await deletePlant(service, 1n, { token: forged }), 42900);
  expect((await deletePlant(service, 2n, { token: provider.token() })).status).toBe(204);
  expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
});

test('the requests of one subject count together, whatever tokens it gets, and by themselves', async () => {
  await start({ tokenRequestsPerMinute: 2 });
  expect([await statusOf(provider.token()), await statusOf(provider.token())]).toEqual([404, 404]);
  expectError(await deletePlant(service, 1n, { token: provider.token() }), 42901);
  const bob = provider.token({ claims: { sub: 'bob' } });
  expect([await statusOf(bob), await statusOf(bob), await statusOf(bob)]).toEqual([404, 404, 429]);
  // Nor does a subject use up what a token of the service itself may do, under the same name.
  const namesake = provider.token({ claims: { sub: 'tests' } });
  expect([await statusOf(namesake), await statusOf(namesake), await statusOf(namesake)]).toEqual([404, 404, 429]);
  expect([await statusOf(service.token), await statusOf(service.token)]).toEqual([404, 404]);
  expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
});

test('the log names a subject on one line, safe to show, and never holds a JWT, accepted or refused', async () => {
  await start({});
  const sub = `eve\r\n{"level":30}\u{1b}[31m\u{202e}${'x'.repeat(300)}`;
  const tokens = [provider.token({ claims: { sub } }), provider.token({ key: newKey('first') })];
  expect((await deletePlant(service, 2n, { token: tokens[0] ?? '' })).status).toBe(204);
  expect((await deletePlant(service, 1n, { token: tokens[1] ?? '' })).status).toBe(401);
  const [line] = await recorded.linesOf('done');
  expect(line?.['token']).toMatch(/^jwt:eve\\u\{d\}\\u\{a\}\{"level":30\}\\u\{1b\}\[31m\\u\{202e\}x+~[0-9a-f]{32}$/);
  expect(line?.['token']).toHaveLength(104);
  await recorded.linesOf('request', 2);
  for (const part of tokens.flatMap((token) => token.split('.').slice(1))) expect(recorded.text()).not.toContain(part);
  expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
});
