import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { INT64_MAX } from '../../src/contract/numbers/int64.ts';
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

  /** Expects a DELETE of this target to delete plant 1 and no other; plants it again. */
  async function expectDeletesPlant1(target: string): Promise<void> {
    expect(await deleteExactly(service, target)).toMatchObject({ status: 204, text: '' });
    expect(await plantsIn(service.stores)).toEqual(PLANTS.filter((id) => id !== 1n));
    await service.stores.plants.insertPlants([1n]);
  }

  // test/http/probes.test.ts has what parsers read differently: targets, bodies and headers.
  test.each([
    ...['/', '/plant', '/plants/', '/plants//', '/plants//1', '//plants/1', '/plants/1/', '/plants/1/2'],
    ...['/PLANTS/1', '/Plants/1', '/plant/1', '/PLANTS', '/never-declared/plants/1', '/plants/../plants/1'],
    ...['/./plants/1', '/openapi.yaml', '/favicon.ico', '/plants%2F1', '/__proto__', '/plants/:id/x', '/*'],
  ])('a path that the contract does not have %s is answered 404, with and without a token', async (path) => {
    expectError(await deleteExactly(service, path), 40400);
    expectError(await deleteExactly(service, path, []), 40400);
  });

  test('a method that the path does not have is answered 405 although the id and the query are bad', async () => {
    const response = await send(service, 'COPY', '/plants/abc?x=1', { token: null });
    expectError(response, 40500);
    expect(response.headers['allow']).toContain('DELETE');
  });

  describe('a query', () => {
    const UNKNOWN = 'force=1 id=1 toString=1 access_token=1 ?=1 x=1;y=2 %20=1 %C3%A9=1 [ ]=1 a%0D%0Ab=1'.split(' ');
    test('that is not in the contract is refused with a message of one line, and nothing is deleted', async () => {
      for (const query of [...UNKNOWN, 'a&'.repeat(2_000)]) {
        expectError(await deleteExactly(service, `/plants/1?${query}`), 40002);
      }
    });

    test('that is empty is ignored', async () => {
      await expectDeletesPlant1('/plants/1?');
    });
  });

  describe('a URL', () => {
    test.each(['/plants/%', '/plants/%1', '/plants/%ZZ', '/plants/%FF', '/plants/%C3', '/plants/%C0%80', '/x%'])(
      '%s whose path has malformed percent-encoding is refused',
      async (target) => {
        expectError(await deleteExactly(service, target), 40004);
      },
    );

    test.each(['/plants/1#', '/plants/1#2', '/plants/1?#', '/#/plants/1', '//a@[x/#', 'http://plants/plants/1#x'])(
      '%s that holds a fragment is refused',
      async (target) => {
        const message = expectError(await deleteExactly(service, target), 40004);
        expect(message).toBe("The URL holds a '#': leave the fragment out, or encode it as %23.");
      },
    );

    test.each(['https://plants', 'HTTPS://elsewhere:1', 'https://127.0.0.1'])(
      'of https, %s/plants/1, is not for this server when it comes without TLS (RFC 9110, section 7.4)',
      async (origin) => {
        const bytes = requestText(service, 'DELETE', `${origin}/plants/1`);
        const responses = await sendRaw(service, bytes + bytes, { method: 'DELETE', target: '/plants/1' });
        expect(responses).toHaveLength(1);
        for (const response of responses) expectError(response, 42100);
      },
    );

    test('of https is for this server when it comes from a proxy that is trusted', async () => {
      for (const trustProxy of [1, ['127.0.0.0/8'], ['::1', '127.0.0.1']]) {
        const proxied = await startService([1n, 2n], undefined, { trustProxy });
        const bytes = requestText(proxied, 'DELETE', 'https://plants/plants/1');
        const responses = await sendRaw(proxied, bytes, { method: 'DELETE', target: '/plants/1', responses: 1 });
        expect(responses).toMatchObject([{ status: 204 }]);
        expect(await plantsIn(proxied.stores)).toEqual([2n]);
        await proxied.close();
      }
      const other = await startService([1n], undefined, { trustProxy: ['10.0.0.0/8'] });
      const bytes = requestText(other, 'DELETE', 'https://plants/plants/1', [
        `Authorization: Bearer ${other.token}`,
        'X-Forwarded-For: 10.0.0.1',
        'X-Forwarded-Proto: https',
      ]);
      expect(await sendRaw(other, bytes, { method: 'DELETE', target: '/plants/1' })).toMatchObject([{ status: 421 }]);
      expect(await plantsIn(other.stores)).toEqual([1n]);
      await other.close();
    });

    test('that encodes what needs no encoding names the same plant', async () => {
      await expectDeletesPlant1('/%70lants/%31');
    });
  });

  describe('a request body', () => {
    test('of 5 MB is refused with an answer that the client can read', async () => {
      expectError(await deletePlant(service, 1n, { body: 'x'.repeat(5_000_000) }), 40003);
    });

    test('in chunks that come later is refused before anything is deleted', async () => {
      const socket = connect(service.port, '127.0.0.1');
      const received = socket.setEncoding('utf8').toArray();
      const headers = [`Authorization: Bearer ${service.token}`, 'transfer-encoding: Chunked'];
      socket.write(requestText(service, 'DELETE', '/plants/1', headers));
      await pause(100);
      expect(await plantsIn(service.stores)).toEqual(PLANTS);
      socket.write('1\r\na\r\n');
      expect((await received).join('')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n.*\{"error":40003,/s);
    });
  });

  test.each([
    'Host: plants',
    'host: other',
    'Authorization: Bearer x',
    'AUTHORIZATION: Basic eA==',
    'Content-type: a/b',
  ])('a request with a second header "%s" is refused, even after 90 other headers', async (second) => {
    const once = [`Authorization: Bearer ${service.token}`, 'Content-Type: a/b'];
    const response = await deleteExactly(service, '/plants/1', [...once, second]);
    const name = second.split(':')[0]?.toLowerCase() ?? '';
    expect(expectError(response, 40005)).toBe(`The header ${name} was sent more than once: send it once.`);
    const many = Array.from({ length: 90 }, () => 'a:');
    expectError(await deleteExactly(service, '/plants/1', [...once, ...many, second]), 40005);
  });
});
