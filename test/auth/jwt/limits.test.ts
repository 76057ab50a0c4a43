import { expect, test } from '@jest/globals';
import type { AttemptLimits } from '../../../src/auth/rate-limit.ts';
import { newKey } from '../../support/key-server.ts';
import { deletePlant, expectError } from '../../support/send.ts';
import { plantsIn } from '../../support/service.ts';
import { ProvidedService } from './provided-service.ts';

const at = new ProvidedService();
const { start, statusOf } = at;

function startLimited(limits: Partial<AttemptLimits>): Promise<void> {
  return start({}, {}, { ...limits, audit: true });
}

test('JWTs that are refused count as failed authentications of their address; a missing scope does not', async () => {
  await startLimited({ authFailuresPerMinute: 2 });
  for (let count = 0; count < 5; count++) {
    expect(await statusOf(at.provider.token({ claims: { scope: 'plants:read' } }))).toBe(403);
  }
  const forged = at.provider.token({ key: newKey('first') });
  expect([await statusOf(forged), await statusOf('a.b.c')]).toEqual([401, 401]);
  expectError(await deletePlant(at.service, 1n, { token: forged }), 42900);
  expect((await deletePlant(at.service, 2n, { token: at.provider.token() })).status).toBe(204);
  expect(await plantsIn(at.service.stores)).toEqual([1n, 3n]);
});

test('the requests of one subject count together, whatever tokens it gets, and by themselves', async () => {
  await startLimited({ tokenRequestsPerMinute: 2 });
  expect([await statusOf(at.provider.token()), await statusOf(at.provider.token())]).toEqual([404, 404]);
  expectError(await deletePlant(at.service, 1n, { token: at.provider.token() }), 42901);
  const bob = at.provider.token({ claims: { sub: 'bob' } });
  expect([await statusOf(bob), await statusOf(bob), await statusOf(bob)]).toEqual([404, 404, 429]);
  // Nor does a subject use up what a token of the service itself may do, under the same name.
  const namesake = at.provider.token({ claims: { sub: 'tests' } });
  expect([await statusOf(namesake), await statusOf(namesake), await statusOf(namesake)]).toEqual([404, 404, 429]);
  expect([await statusOf(at.service.token), await statusOf(at.service.token)]).toEqual([404, 404]);
  expect(await plantsIn(at.service.stores)).toEqual([1n, 2n, 3n]);
});

test('the log names a subject on one line, safe to show, and never holds a JWT, accepted or refused', async () => {
  await startLimited({});
  const sub = `eve\r\n{"level":30}\u{1b}[31m\u{202e}${'x'.repeat(300)}`;
  const tokens = [at.provider.token({ claims: { sub } }), at.provider.token({ key: newKey('first') })];
  expect((await deletePlant(at.service, 2n, { token: tokens[0] ?? '' })).status).toBe(204);
  expect((await deletePlant(at.service, 1n, { token: tokens[1] ?? '' })).status).toBe(401);
  const [line] = await at.recorded.linesOf('done');
  expect(line?.['token']).toMatch(/^jwt:eve\\u\{d\}\\u\{a\}\{"level":30\}\\u\{1b\}\[31m\\u\{202e\}x+~[0-9a-f]{32}$/);
  expect(line?.['token']).toHaveLength(104);
  await at.recorded.linesOf('request', 2);
  for (const part of tokens.flatMap((token) => token.split('.').slice(1)))
    expect(at.recorded.text()).not.toContain(part);
  expect(await plantsIn(at.service.stores)).toEqual([1n, 3n]);
});
