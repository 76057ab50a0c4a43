import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { exchange } from '../support/raw-connection.ts';
import { plantsIn, startService, type Service, type ServiceOptions } from '../support/service.ts';

const APP = 'https://app.example';
const EXPOSED = 'Retry-After,WWW-Authenticate,X-Request-Id';

let service: Service;
afterEach(() => service.close());

async function start(options: ServiceOptions): Promise<void> {
  service = await startService([1n, 2n, 3n], undefined, options);
}

function call(method: string, path: string, headers: Record<string, string>): Promise<Response> {
  return fetch(service.url + path, { method, headers, redirect: 'manual' });
}

function corsOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'));
}

// test/client/package.test.ts has a page of another origin in a browser.
const PREFLIGHT = { 'Access-Control-Request-Method': 'DELETE', 'Access-Control-Request-Headers': 'authorization' };

describe('with CORS_ORIGINS', () => {
  beforeEach(() => start({ corsOrigins: ['http://localhost:5173', APP] }));

  test.each(['/plants/1', '/plants/x', '/nowhere'])(
    'the preflight for %s is answered without a token',
    async (path) => {
      const response = await call('OPTIONS', path, { Origin: APP, ...PREFLIGHT });
      expect(response.status).toBe(204);
      expect(corsOf(response)).toEqual({
        'access-control-allow-origin': APP,
        'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
        'access-control-allow-headers': 'authorization',
        'access-control-expose-headers': EXPOSED,
        vary: 'Origin, Access-Control-Request-Headers',
      });
      expect(response.headers.get('x-request-id')).toEqual(expect.any(String));
      expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
    },
  );

  test('every answer allows the origin to read it, refusals included', async () => {
    const authorization = `Bearer ${service.token}`;
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`x-${n}`, '']));
    for (const [status, method, path, headers] of [
      [204, 'DELETE', '/plants/2', { authorization }],
      [404, 'DELETE', '/plants/2', { authorization }],
      [400, 'DELETE', '/plants/x', { authorization }],
      [401, 'DELETE', '/plants/1', {}],
      [404, 'GET', '/nowhere', {}],
      [405, 'POST', '/plants/1', {}],
      [431, 'DELETE', '/plants/1', many],
    ] as const) {
      const response = await call(method, path, { Origin: APP, ...headers });
      expect(response.status).toBe(status);
      expect(corsOf(response)).toEqual({
        'access-control-allow-origin': APP,
        'access-control-expose-headers': EXPOSED,
        vary: 'Origin',
      });
    }
    expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
    // A refusal that is made before the application.
    const head = `GET / HTTP/1.1\r\nHost: plants\r\nConnection: close\r\nOrigin: ${APP}\r\nExpect: the best\r\n\r\n`;
    const [early] = await exchange(service.url, head);
    expect(early).toMatchObject({ status: 417, headers: { 'access-control-allow-origin': APP, vary: 'Origin' } });
  });

  test.each(['https://evil.example', 'https://app.example.evil.example', 'http://app.example', 'null', ''])(
    'the origin %j is not allowed, and caches keep its answers apart',
    async (Origin) => {
      for (const response of [
        await call('OPTIONS', '/plants/1', { Origin, ...PREFLIGHT }),
        await call('DELETE', '/plants/1', { Origin }),
      ]) {
        expect(corsOf(response)).not.toHaveProperty('access-control-allow-origin');
        expect(response.headers.get('vary')).toMatch(/^Origin/);
      }
    },
  );

  test.each([{}, { Origin: APP }, PREFLIGHT])('OPTIONS with %j is not a preflight, but a method', async (headers) => {
    const response = await call('OPTIONS', '/plants/1', headers);
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toMatch(/\bDELETE\b.*, OPTIONS$/);
  });
});

test('without CORS_ORIGINS there are no CORS headers, and a preflight is OPTIONS as any other', async () => {
  await start({});
  const preflight = await call('OPTIONS', '/plants/1', { Origin: APP, ...PREFLIGHT });
  expect([preflight.status, corsOf(preflight)]).toEqual([204, {}]);
  expect(corsOf(await call('DELETE', '/plants/1', { Origin: APP }))).toEqual({});
});
