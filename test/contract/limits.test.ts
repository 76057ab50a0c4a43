import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from 'openapi-exact';
import { createToken } from '../../src/auth/tokens/token.ts';
import type { WireResponse } from '../support/conformance.ts';
import { expectError, send } from '../support/send.ts';
import { contract, issueToken, plantsIn, startService, type Service, type ServiceOptions } from '../support/service.ts';

let service: Service;
describe('with limits', () => {
  afterEach(() => service.close());

  async function start(options: ServiceOptions): Promise<void> {
    service = await startService([1n, 2n, 3n], undefined, options);
  }

  /** Sends a request with an unknown token, as from a client behind a proxy. */
  function fail(forwardedFor?: string): Promise<WireResponse> {
    const headers = forwardedFor === undefined ? {} : { 'X-Forwarded-For': forwardedFor };
    return send(service, 'DELETE', '/plants/1', { token: createToken(), headers });
  }

  const LIMITED = contract.operations.filter(
    ({ definition, security }) => '429' in definition.responses && security.length > 0,
  );

  describe.each(LIMITED.map((operation): [string, Operation] => [operation.id, operation]))('%s', (_id, operation) => {
    test('answers 429 with Retry-After to an address with too many failed authentications, and changes nothing', async () => {
      await start({ authFailuresPerMinute: 2 });
      const target = operation.path.replaceAll(/\{[^}]+\}/g, '1');
      const statuses: number[] = [];
      for (let count = 0; count < 3; count++) {
        statuses.push(
          (await send(service, operation.method, target, { token: count === 0 ? null : createToken() })).status,
        );
      }
      expect(statuses).toEqual([401, 401, 429]);
      const refused = await send(service, operation.method, target, { token: createToken() });
      expectError(refused, 42900);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
      expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
    });
  });

  test('a cached token is accepted from an address with too many failures, until it is revoked', async () => {
    await start({ authFailuresPerMinute: 1 });
    expect((await send(service, 'DELETE', '/plants/404')).status).toBe(404);
    expect([(await fail()).status, (await fail()).status]).toEqual([401, 429]);
    const clock = jest.spyOn(performance, 'now');
    const later = async (milliseconds: number): Promise<void> => {
      const now = performance.now();
      clock.mockImplementation(() => now + milliseconds);
      // The memory of tokens reads its clock once in a millisecond at most.
      await pause(20);
    };
    // Longer than the memory of tokens lasts, so that it is looked up again.
    await later(6_000);
    expect((await send(service, 'DELETE', '/plants/2')).status).toBe(204);
    await service.stores.tokens.revokeToken('tests', Date.now());
    await later(6_000);
    expect((await send(service, 'DELETE', '/plants/3')).status).toBe(429);
    clock.mockRestore();
    expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
  });

  test('an address with too many failures causes no lookup: a token that is not cached gets 429 there and is accepted from elsewhere', async () => {
    await start({ authFailuresPerMinute: 1, trustProxy: 1 });
    expect([(await fail('10.0.0.1')).status, (await fail('10.0.0.1')).status]).toEqual([401, 429]);
    const lookUps = jest.spyOn(service.stores.tokens, 'findToken');
    const deleteFrom = (address: string): Promise<WireResponse> =>
      send(service, 'DELETE', '/plants/2', { headers: { 'X-Forwarded-For': address } });
    expectError(await deleteFrom('10.0.0.1'), 42900);
    expect((await fail('10.0.0.1')).status).toBe(429);
    expect(lookUps).not.toHaveBeenCalled();
    expect((await deleteFrom('10.0.0.2')).status).toBe(204);
    expect((await deleteFrom('10.0.0.1')).status).toBe(404);
    expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
  });

  test.each<[what: string, trustProxy: number | string[], answers: string[]]>([
    ['X-Forwarded-For is ignored without a trusted proxy', 0, ['10.0.0.1: 401', '10.0.0.2: 429']],
    [
      'behind a trusted proxy each client has its own count',
      1,
      // What the client itself wrote stands before what the proxy added.
      ['10.0.0.1: 401', '10.0.0.1: 429', '10.0.0.2: 401', '10.0.0.3, 10.0.0.1: 429'],
    ],
    [
      'a client with a whole IPv6 network has one count',
      ['127.0.0.1', '::ffff:127.0.0.1'],
      ['2001:db8::1: 401', '2001:db8:0:0:ffff::2: 429', '2001:db8:0:1::1: 401'],
    ],
  ])('%s', async (_what, trustProxy, answers) => {
    await start({ authFailuresPerMinute: 1, trustProxy });
    for (const answer of answers) {
      const [address, status] = answer.split(/: (?=\d+$)/);
      expect((await fail(address)).status).toBe(Number(status));
    }
  });

  test('a token may be limited in its requests, each by itself', async () => {
    await start({ tokenRequestsPerMinute: 2 });
    const otherToken = await issueToken(service.stores, 'other');
    const statusesOf = async (token: string): Promise<number[]> => {
      const statuses: number[] = [];
      for (const id of [8, 9, 1]) statuses.push((await send(service, 'DELETE', `/plants/${id}`, { token })).status);
      return statuses;
    };
    expect(await statusesOf(service.token)).toEqual([404, 404, 429]);
    expectError(await send(service, 'DELETE', '/plants/1'), 42901);
    expect(await statusesOf(otherToken)).toEqual([404, 404, 429]);
    expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
  });
});
