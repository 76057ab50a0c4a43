import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { INT64_MAX } from 'openapi-exact/int64';
import { deleteExactly, deletePlant, expectError, requestText, send, sendRaw } from '../support/send.ts';
import { plantsIn, startService } from '../support/service.ts';

const PLANTS = [0n, 1n, 2n, 12n, 9007199254740992n, 9007199254740993n, INT64_MAX];

const service = await startService();
describe('before the handler', () => {
  beforeEach(() => service.stores.plants.insertPlants(PLANTS));
  // Whatever a test does, it deletes nothing that it does not put back.
  afterEach(async () => {
    expect(await plantsIn(service.stores)).toEqual(PLANTS);
  });
  afterAll(() => service.close());

  // test/http/probes.test.ts has what parsers read differently: targets, bodies and headers.
  test('a path that the contract does not have is answered 404 without a token too', async () => {
    for (const path of ['/', '/plant/1', '/plants/1/', '/openapi.yaml', '/__proto__']) {
      expectError(await deleteExactly(service, path, []), 40400);
    }
  });

  test('a method that the path does not have is answered 405 although the id and the query are bad', async () => {
    const response = await send(service, 'COPY', '/plants/abc?x=1', { token: null });
    expectError(response, 40500);
    expect(response.headers['allow']).toContain('DELETE');
  });

  test('an id may be percent-encoded, and the rest of a path has one form alone', async () => {
    expect((await deleteExactly(service, '/%70lants/1')).status).toBe(404);
    expect(await plantsIn(service.stores)).toEqual(PLANTS);
    expect(await deleteExactly(service, '/plants/%31')).toMatchObject({ status: 204, text: '' });
    expect(await plantsIn(service.stores)).toEqual(PLANTS.filter((id) => id !== 1n));
    await service.stores.plants.insertPlants([1n]);
  });

  test('a URL of https is for this server when it comes from a proxy that is trusted', async () => {
    for (const trustProxy of [1, ['127.0.0.0/8'], ['::1', '127.0.0.1']]) {
      const proxied = await startService([1n, 2n], undefined, { trustProxy });
      const bytes = requestText(proxied, 'DELETE', 'https://plants/plants/1');
      const responses = await sendRaw(proxied, bytes, { method: 'DELETE', target: '/plants/1', responses: 1 });
      expect(responses).toMatchObject([{ status: 204 }]);
      expect(await plantsIn(proxied.stores)).toEqual([2n]);
      await proxied.close();
    }
    const behindProxy = await startService([1n], undefined, { trustProxy: ['10.0.0.0/8'] });
    const bytes = requestText(behindProxy, 'DELETE', 'https://plants/plants/1', [
      `Authorization: Bearer ${behindProxy.token}`,
      'X-Forwarded-For: 10.0.0.1',
      'X-Forwarded-Proto: https',
    ]);
    expect(await sendRaw(behindProxy, bytes, { method: 'DELETE', target: '/plants/1' })).toMatchObject([
      { status: 421 },
    ]);
    expect(await plantsIn(behindProxy.stores)).toEqual([1n]);
    await behindProxy.close();
  });

  test('a request body of 5 MB is refused with an answer that the client can read', async () => {
    expectError(await deletePlant(service, 1n, { body: 'x'.repeat(5_000_000) }), 40003);
  });

  test.each(['Authorization: Bearer x', 'AUTHORIZATION: Basic eA==', 'Host: x'])(
    'a request with a second header "%s" is refused, even after 90 other headers',
    async (second) => {
      const first = [`Authorization: Bearer ${service.token}`];
      expectError(await deleteExactly(service, '/plants/1', [...first, second]), 40005);
      const many = Array.from({ length: 90 }, () => 'a:');
      expectError(await deleteExactly(service, '/plants/1', [...first, ...many, second]), 40005);
    },
  );
});
