import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { createToken } from '../../src/auth/tokens/token.ts';
import { loggedPath } from '../../src/logging/logged-path.ts';
import { createAudit } from '../../src/logging/audit-log.ts';
import { serveContract } from '../support/contract-server.ts';
import { SqliteConnection } from '../../src/stores/sqlite/driver.ts';
import { RecordedLog, type LogLine } from '../support/recorded-log.ts';
import { deleteExactly, deletePlant, requestText, send, sendRaw } from '../support/send.ts';
import { DELETE_PLANT, startService, type Service } from '../support/service.ts';

let service: Service;
let recorded: RecordedLog;
const JSON_BODY = { 'Content-Type': 'application/json' };
const COMMON = { level: 30, time: expect.any(Number), pid: process.pid, hostname: expect.any(String) };

beforeEach(async () => {
  recorded = new RecordedLog();
  service = await startService([1n, 2n, 9007199254740993n], recorded.log);
});
afterEach(() => service.close());

describe('the request log', () => {
  describe('each request has one line in the log', () => {
    test('with its id, operation, status, duration and the name of the token', async () => {
      await deletePlant(service, 1n);
      expect(await recorded.linesOf('request')).toEqual([
        {
          ...COMMON,
          requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
          operation: DELETE_PLANT,
          method: 'DELETE',
          path: '/plants/1',
          status: 204,
          durationMs: expect.any(Number),
          token: 'tests',
          msg: 'request',
        },
      ]);
    });

    test.each<
      [what: string, method: string, target: string, status: number, operation: string | null, name: string | null]
    >([
      ['is not authenticated', 'DELETE', '/plants/1', 401, DELETE_PLANT, null],
      ['is refused for its id', 'DELETE', '/plants/x', 400, DELETE_PLANT, 'tests'],
      ['finds no plant', 'DELETE', '/plants/404', 404, DELETE_PLANT, 'tests'],
      ['has an unknown path', 'DELETE', '/nowhere', 404, null, null],
      ['has an unknown method', 'TRACE', '/plants/1', 405, null, null],
    ])('also one that %s', async (_what, method, path, status, operation, token) => {
      await send(service, method, path, status === 401 ? { token: null } : {});
      expect(await recorded.linesOf('request')).toMatchObject([{ method, path, status, operation, token }]);
    });
  });

  describe('the path of a request is logged', () => {
    const credentials = (text: string): Record<string, string> => ({ Authorization: `Bearer ${text}` });
    const logged = async (target: string, headers: Record<string, string> = {}): Promise<unknown> => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      await deleteExactly(service, target, lines);
      return (await recorded.linesOf('request'))[0]?.['path'];
    };

    test.each([
      ['/plants/9007199254740993', '/plants/9007199254740993'],
      ['/plants/1?name=x&y', '/plants/1'],
      ['/plants/%31%0a%1b%22', '/plants/%31%0a%1b%22'],
      ['/plants/%ff%', '/plants/%ff%'],
      ['http://127.0.0.1/plants/7?x', '/plants/7'],
      [`/${'x'.repeat(300)}`, `/${'x'.repeat(199)}…`],
    ])('of %j as %j', async (target, path) => {
      expect(await logged(target)).toBe(path);
    });

    const encoded = (text: string): string => text.replaceAll(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`);
    const jwt = `${Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url')}.e30.c2lnbmF0dXJl`;
    test.each<[string, string, Record<string, string>]>([
      ['a token', `/plants/${createToken()}`, {}],
      ['most of a token', `/plants/x${createToken().slice(0, 16)}`, {}],
      ['a token with a mistyped prefix', `/${createToken().replace('plant_', 'Plant_')}`, {}],
      ['an encoded token', `/plants/${encoded(createToken())}`, {}],
      ['a token that is encoded twice', `/${encoded(encoded(createToken()))}`, {}],
      ['a JWT', `/${jwt}/x`, {}],
      ['the credentials of the request, whatever they are', '/plants/secret', credentials('secret')],
    ])('as null when it holds %s', async (_what, target, headers) => {
      expect(await logged(target, headers)).toBeNull();
    });

    test('in linear time, however often it is encoded', () => {
      const request = new IncomingMessage(new Socket());
      request.url = `/%${'25'.repeat(50_000)}70${createToken().slice(1)}`;
      expect(loggedPath(request)).toBeNull();
    });
  });

  test('beyond the limit of failed authentications, requests share one line a second, with their number', async () => {
    const limited = await startService([1n, 2n], recorded.log, { authFailuresPerMinute: 2 });
    // A token that is known to be valid passes from any address.
    expect((await deletePlant(limited, 1n)).status).toBe(204);
    const start = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await deletePlant(limited, 1n, { token: createToken() })).status),
    );
    const seconds = Math.ceil((performance.now() - start) / 1000);
    expect(statuses.sort((a, b) => a - b)).toEqual([401, 401, ...Array.from({ length: 18 }, () => 429)]);
    expect((await deletePlant(limited, 2n)).status).toBe(204);
    const message = 'too many failed authentications: requests rejected';
    let lines: readonly LogLine[] = [];
    let total = 0;
    while (total < 18) {
      lines = await recorded.linesOf(message, lines.length + 1);
      total = lines.reduce((sum, { refused }) => sum + Number(refused), 0);
    }
    expect(total).toBe(18);
    expect(new Set(lines.map(({ level }) => level))).toEqual(new Set([40]));
    // A busy machine may take more than a second for these requests.
    expect(lines.length).toBeLessThanOrEqual(seconds + 1);
    expect((await recorded.linesOf('request', 4)).map(({ status }) => status)).toEqual([204, 401, 401, 204]);
    await limited.close();
  });

  test.each([
    [400, /HPE_INVALID_METHOD/, 'hello\r\n\r\n'],
    [431, /HPE_HEADER_OVERFLOW/, `DELETE / HTTP/1.1\r\nX: ${'x'.repeat(10_000)}\r\n\r\n`],
    [501, /CONNECT/, 'CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n'],
    [417, /Expect: 100-continue/i, 'DELETE / HTTP/1.1\r\nHost: h\r\nExpect: x\r\n\r\n'],
  ])('malformed HTTP, answered %d, has a line that says why: %s', async (status, cause, bytes) => {
    await sendRaw(service, bytes);
    const line = { status, requestId: expect.any(String), cause: expect.stringMatching(cause) };
    expect(await recorded.linesOf('request')).toMatchObject([{ ...line, operation: null, path: null, token: null }]);
    expect(recorded.lines).toHaveLength(1);
  });

  test('no token is ever in the log, whatever becomes of the request that carries it', async () => {
    const mistyped = service.token.slice(0, -1) + (service.token.endsWith('0') ? '1' : '0');
    const authorization = `Authorization: Bearer ${service.token}`;
    for (const id of [1n, 404n, service.token]) await deletePlant(service, id);
    for (const token of [createToken(), mistyped]) await deletePlant(service, 2n, { token });
    await deleteExactly(service, `/plants/2?access_token=${service.token}`);
    await deleteExactly(service, `/plants/2?${service.token}=1`, []);
    await deleteExactly(service, `/plants/2#${service.token}`);
    await deleteExactly(service, '/plants/2', [authorization, authorization]);
    await deleteExactly(service, '/plants/2', [`Authorization: Basic ${service.token}`]);
    await deletePlant(service, 2n, { body: `access_token=${service.token}` });
    await send(service, 'GET', `/${service.token}`);
    await sendRaw(service, requestText(service, 'DELETE', '/plants/2', [authorization, 'no colon']));
    await sendRaw(service, `${service.token} / HTTP/1.1\r\n\r\n`);
    await sendRaw(service, requestText(service, 'DELETE', '/plants/2', [authorization, 'Expect: x']));
    await sendRaw(service, requestText(service, 'CONNECT', 'h:1'));
    const second = new SqliteConnection(service.file);
    second.exec('DROP TABLE plants; DROP TABLE tokens');
    second.close();
    await deletePlant(service, 2n);
    await deletePlant(service, 2n, { token: createToken() });
    await recorded.linesOf('request', 13);

    expect(recorded.text()).toContain('"token":"tests"');
    expect(recorded.text()).not.toMatch(/plant_[0-9A-Za-z]/);
    expect(recorded.text()).not.toContain(service.token.slice('plant_'.length, -6));
  });

  describe('the id of a request', () => {
    const idOf = async (headers: Record<string, string>): Promise<string | undefined> =>
      (await deletePlant(service, 404n, { headers })).headers['x-request-id'];

    test('is made by the service, returned and logged, and no other has it', async () => {
      const ids = new Set(await Promise.all(Array.from({ length: 20 }, () => idOf({}))));
      expect(ids.size).toBe(20);
      expect(new Set((await recorded.linesOf('request', 20)).map(({ requestId }) => requestId))).toEqual(ids);
    });

    test('is the one from the client, unless it is unsafe', async () => {
      const safe = ['abc', 'A.b:c_d-0', 'x'.repeat(64)];
      for (const id of safe) expect(await idOf({ 'X-Request-Id': id })).toBe(id);
      expect(await recorded.linesOf('request', 3)).toMatchObject(safe.map((requestId) => ({ requestId })));
      for (const id of ['x'.repeat(65), 'a b', 'a"b', '', 'ä', '{}']) {
        expect(await idOf({ 'X-Request-Id': id })).toMatch(/^[0-9a-f]{32}$/);
      }
    });

    test.each<[string, string | undefined, (token: string) => string]>([
      ['the token of the request', undefined, (token) => token],
      ['a token with something around it', undefined, (token) => `id:${token}.0`],
      ['most of a token', undefined, (token) => token.slice(0, -3)],
      ['a refused token of whatever form', 'secret', () => 'secret'],
    ])('is not %s', async (_name, token, idFor) => {
      const id = idFor(service.token);
      const credentials = token === undefined ? {} : { token };
      const answer = await deletePlant(service, 404n, { ...credentials, headers: { 'X-Request-Id': id } });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
      await recorded.linesOf('request');
      expect(recorded.text()).not.toContain(id);
    });
  });

  const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  test.each([
    ['passed on in the log', TRACE, { traceId: TRACE.slice(3, 35), parentId: TRACE.slice(36, 52) }],
    ...[
      ...[TRACE.toUpperCase(), TRACE.replace('00-', 'ff-'), TRACE.replace(TRACE.slice(3, 35), '0'.repeat(32))],
      ...[TRACE.replace(TRACE.slice(36, 52), '0'.repeat(16)), TRACE.slice(0, -1), 'x'],
    ].map((wrong) => ['left out when it is not valid', wrong, {}] as const),
  ])('a trace context is %s: %s', async (_what, traceparent, expected) => {
    await deletePlant(service, 404n, { headers: { traceparent } });
    const [{ traceId, parentId } = {}] = await recorded.linesOf('request');
    expect({ traceId, parentId }).toEqual(expected);
  });
});

describe('the audit log', () => {
  beforeEach(async () => {
    await service.close();
    service = await startService([1n, 9007199254740993n], recorded.log, { audit: true });
  });

  test('each deletion has a line in the log named audit: when, which plant, whose token, which request', async () => {
    await deletePlant(service, 9007199254740993n, { headers: { 'X-Request-Id': 'order-7' } });
    expect(await recorded.linesOf('done')).toEqual([
      {
        ...COMMON,
        name: 'audit',
        operation: DELETE_PLANT,
        id: '9007199254740993',
        token: 'tests',
        requestId: 'order-7',
        msg: 'done',
      },
    ]);
  });

  test('requests that delete nothing have no line: unknown plants, bad requests, failed authentications', async () => {
    await deletePlant(service, 2n);
    await deletePlant(service, 'x');
    await deletePlant(service, 1n, { token: null });
    await deletePlant(service, 1n);
    await recorded.linesOf('request', 4);
    expect(recorded.lines.filter(({ name }) => name === 'audit')).toMatchObject([{ id: '1', msg: 'done' }]);
  });

  test('a line of any operation names what it changed: what it has made, its path, its query, or the ids anywhere in its body', async () => {
    const server = await serveContract(
      new URL('../fixtures/contracts/audit.yaml', import.meta.url),
      {
        createGarden: () => ({
          status: 201,
          headers: { Location: '/gardens/9007199254740993' },
          body: { id: 9007199254740993n, name: 'secret' },
        }),
        replaceBed: () => ({ status: 204 }),
        deleteBeds: () => ({ status: 204 }),
        moveBed: () => ({ status: 204 }),
        orderPlants: () => ({ status: 202, body: { jobId: 'a1' } }),
        addPlants: () => ({ status: 201, body: [{ id: 4n }, { id: 5n, name: 'secret' }] }),
        waterPlants: () => ({ status: 204 }),
        addTask: () => ({ status: 201, body: { id: 9223372036854775807n, name: 'secret' } }),
      },
      {},
      { onChange: createAudit(recorded.log, true) },
    );
    await server.request('POST', '/gardens');
    await server.request('PUT', '/gardens/9007199254740993/beds/north');
    await server.request('DELETE', '/beds?garden=north&name=rose&bed=9007199254740993&bed=2');
    const ids = '"bedId":9007199254740993,"plant_ids":[1,9223372036854775807]';
    await server.request('POST', '/moves', { headers: JSON_BODY, body: `{${ids},"password":"secret"}` });
    const order = '[{"plantID":6,"to":{"bedId":3,"note":"secret"}},{"plantID":7,"constructor":{"id":8}}]';
    await server.request('POST', '/orders', { headers: JSON_BODY, body: order });
    await server.request('PATCH', '/plants', { headers: JSON_BODY, body: '[9007199254740993]' });
    const named = '"bed":{"id":3,"name":"secret"},"plants":[{"id":1,"name":"secret"},{"id":9007199254740993}]';
    await server.request('POST', '/plants', { headers: JSON_BODY, body: `{${named},"tags":["secret"]}` });
    await server.request('POST', '/plants/9007199254740993/tasks');
    await server.close();
    const lines = await recorded.linesOf('done', 8);
    expect(
      lines.slice(2).map(({ level: _1, time: _2, pid: _3, hostname: _4, requestId: _5, ...line }) => line),
    ).toEqual([
      {
        name: 'audit',
        operation: 'deleteBeds',
        garden: 'north',
        name_: 'rose',
        bed: ['9007199254740993', '2'],
        token: null,
        msg: 'done',
      },
      {
        ...{ name: 'audit', operation: 'moveBed', token: null, msg: 'done' },
        ...{ bedId: '9007199254740993', plant_ids: ['1', '9223372036854775807'] },
      },
      {
        ...{ name: 'audit', operation: 'orderPlants', token: null, msg: 'done' },
        ...{ plantID: ['6', '7'], bedId: ['3'], constructor: ['8'], jobId: 'a1' },
      },
      { name: 'audit', operation: 'waterPlants', id: ['9007199254740993'], token: null, msg: 'done' },
      {
        ...{ name: 'audit', operation: 'addPlants', token: null, msg: 'done' },
        ...{ bed: '3', plants: ['1', '9007199254740993'], id: ['4', '5'] },
      },
      {
        ...{ name: 'audit', operation: 'addTask', token: null, msg: 'done' },
        ...{ id: '9007199254740993', newId: '9223372036854775807' },
      },
    ]);
    expect(lines.slice(0, 2).map(({ requestId: _, ...line }) => line)).toEqual([
      {
        ...COMMON,
        name: 'audit',
        operation: 'createGarden',
        id: '9007199254740993',
        location: '/gardens/9007199254740993',
        token: null,
        msg: 'done',
      },
      {
        ...COMMON,
        name: 'audit',
        operation: 'replaceBed',
        garden: '9007199254740993',
        bed: 'north',
        token: null,
        msg: 'done',
      },
    ]);
  });
});
