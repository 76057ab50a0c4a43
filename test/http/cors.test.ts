import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import { StoreError } from '../../src/errors.ts';
import { launchBrowser } from '../support/browser.ts';
import { listen } from '../support/listen.ts';
import { exchange } from '../support/raw-connection.ts';
import { DELETE_PLANT, plantsIn, startService, type Service, type ServiceOptions } from '../support/service.ts';

const APP = 'https://app.example';
const EXPOSED = 'Retry-After,WWW-Authenticate,X-Request-Id';

let service: Service;
afterEach(() => service.close());

function start(options: ServiceOptions = { corsOrigins: ['http://localhost:5173', APP] }): Promise<Service> {
  return startService([1n, 2n, 3n], undefined, options);
}

function call(method: string, path: string, headers: Record<string, string>): Promise<Response> {
  return fetch(service.url + path, { method, headers, redirect: 'manual' });
}

/** The CORS headers of a response. */
function corsOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'));
}

const PREFLIGHT = { 'Access-Control-Request-Method': 'DELETE', 'Access-Control-Request-Headers': 'authorization' };

describe('with CORS_ORIGINS', () => {
  beforeEach(async () => {
    service = await start();
  });

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
    const statuses: Record<string, number> = {};
    for (const [name, method, path, headers] of [
      ['deleted', 'DELETE', '/plants/2', { authorization }],
      ['no such plant', 'DELETE', '/plants/2', { authorization }],
      ['bad id', 'DELETE', '/plants/x', { authorization }],
      ['no token', 'DELETE', '/plants/1', {}],
      ['no such path', 'GET', '/nowhere', {}],
      ['no such method', 'POST', '/plants/1', {}],
      ['ambiguous', 'DELETE', '/plants/1', Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`x-${n}`, '']))],
    ] as const) {
      const response = await call(method, path, { Origin: APP, ...headers });
      statuses[name] = response.status;
      expect(corsOf(response)).toEqual({
        'access-control-allow-origin': APP,
        'access-control-expose-headers': EXPOSED,
        vary: 'Origin',
      });
    }
    expect(statuses).toEqual({
      deleted: 204,
      'no such plant': 404,
      'bad id': 400,
      'no token': 401,
      'no such path': 404,
      'no such method': 405,
      ambiguous: 431,
    });
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

  test('OPTIONS that is not a preflight is a method as any other', async () => {
    for (const headers of [{}, { Origin: APP }, PREFLIGHT]) {
      const response = await call('OPTIONS', '/plants/1', headers);
      expect(response.status).toBe(204);
      expect(response.headers.get('allow')).toMatch(/\bDELETE\b.*, OPTIONS$/);
    }
  });
});

test('503 allows the origin to read when to repeat the request', async () => {
  const fail = (): never => {
    throw new StoreError('down', 'nothing done');
  };
  service = await start({ corsOrigins: [APP], handlers: { [DELETE_PLANT]: fail } });
  const response = await call('DELETE', '/plants/1', { Origin: APP, Authorization: `Bearer ${service.token}` });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(corsOf(response)).toMatchObject({ 'access-control-allow-origin': APP });
});

test('without CORS_ORIGINS there are no CORS headers, and a preflight is OPTIONS as any other', async () => {
  service = await start({});
  const preflight = await call('OPTIONS', '/plants/1', { Origin: APP, ...PREFLIGHT });
  expect([preflight.status, corsOf(preflight)]).toEqual([204, {}]);
  expect(corsOf(await call('DELETE', '/plants/1', { Origin: APP }))).toEqual({});
});

const browser = await launchBrowser();
afterAll(() => browser?.close());

(browser === undefined ? describe.skip : describe)('in a browser, a page of another origin', () => {
  interface Outcome {
    readonly status: number;
    readonly id: string | null;
    readonly challenge: string | null;
  }

  /** Deletes plants 1, 2 and 9 from a page; with no token, where it is ''. */
  async function deleteFromPage(origins: (own: string) => readonly string[]): Promise<(Outcome | string)[]> {
    if (browser === undefined) throw new Error('unreachable: without a browser these tests are skipped');
    const other = await listen(
      createServer((_request, response) => {
        response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>A page</title>');
      }),
    );
    service = await start({ corsOrigins: origins(other.url) });
    const page = await browser.newPage();
    await page.goto(other.url);
    const outcomes: (Outcome | string)[] = [];
    for (const [id, token] of [
      [1, service.token],
      [2, ''],
      [9, service.token],
    ] as const) {
      const headers = JSON.stringify(token === '' ? {} : { Authorization: `Bearer ${token}` });
      outcomes.push(
        await page.evaluate<Outcome | string>(`
          fetch('${service.url}/plants/${id}', { method: 'DELETE', headers: ${headers} }).then(
            ({ status, headers }) =>
              ({ status, id: headers.get('x-request-id'), challenge: headers.get('www-authenticate') }),
            ({ name }) => name,
          )`),
      );
    }
    await page.close();
    await other.close();
    return outcomes;
  }

  test('deletes plants and reads refusals when its origin is allowed', async () => {
    expect(await deleteFromPage((own) => ['https://other.example', own])).toEqual([
      { status: 204, id: expect.any(String), challenge: null },
      { status: 401, id: expect.any(String), challenge: 'Bearer realm="plant-store"' },
      { status: 404, id: expect.any(String), challenge: null },
    ]);
    expect(await plantsIn(service.stores)).toEqual([2n, 3n]);
  });

  test('deletes nothing when it is not', async () => {
    expect(await deleteFromPage(() => [APP])).toEqual(['TypeError', 'TypeError', 'TypeError']);
    expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
  });
});
