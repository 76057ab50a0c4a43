import { afterAll, describe, expect, test } from '@jest/globals';
import { loadContract } from '../../src/contract/document/load.ts';
import { Docs } from '../../src/docs/docs.ts';
import { DOCS_PATHS } from '../../src/docs/paths.ts';
import { DOCS_POLICY } from '../support/docs-policy.ts';
import { exchange } from '../support/raw-connection.ts';
import { RecordedLog } from '../support/recorded-log.ts';
import { expectError, send, sendRaw } from '../support/send.ts';
import { plantsIn, startService } from '../support/service.ts';

const recorded = new RecordedLog();
const service = await startService([1n], recorded.log, { docs: true });
afterAll(() => service.close());

function get(path: string, init?: RequestInit): Promise<Response> {
  return fetch(service.url + path, init);
}

describe('the API reference', () => {
  test('is a page whose parts all come from the service, under the strictest policy', async () => {
    const page = await get('/docs');
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).not.toMatch(/https?:|style=|<style|<script>|\bon\w+=/);
    const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part = '']) => part);
    expect(parts.map((part) => `/${part}`).sort()).toEqual(DOCS_PATHS.filter((path) => /\.(?!json)/.test(path)).sort());
    for (const part of ['docs', ...parts.filter((path) => !path.startsWith('openapi'))]) {
      const response = await get(`/${part}`);
      expect({ part, status: response.status, ...Object.fromEntries(response.headers) }).toMatchObject({
        part,
        status: 200,
        'cache-control': 'no-cache',
        'content-security-policy': DOCS_POLICY,
        'content-type':
          { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', png: 'image/png' }[
            part.split('.')[1] ?? ''
          ] ?? 'text/html; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.any(String),
      });
      expect(response.headers.get('content-length')).toBe(String((await response.arrayBuffer()).byteLength));
    }
  });

  test('is sent again only after a change', async () => {
    const conditional = async (etag: string): Promise<object> => {
      const head = `GET /docs/page.css HTTP/1.1\r\nHost: plants\r\nConnection: close\r\nIf-None-Match: ${etag}\r\n\r\n`;
      const [response] = await exchange(service.url, head);
      return { status: response?.status, tag: response?.headers['etag'], body: response?.text };
    };
    const first = await get('/docs/page.css');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    expect(await conditional(tag)).toEqual({ status: 304, tag, body: '' });
    expect(await conditional('"other"')).toEqual({ status: 200, tag, body: await first.text() });
  });

  test.each(DOCS_PATHS)('answers HEAD %s as GET, without a body', async (path) => {
    const headers = async (method: string): Promise<object> => {
      const {
        'x-request-id': id,
        date,
        connection: _,
        'keep-alive': __,
        ...others
      } = Object.fromEntries((await get(path, { method })).headers);
      expect([id, date]).toEqual([expect.any(String), expect.any(String)]);
      return others;
    };
    expect(await headers('HEAD')).toEqual(await headers('GET'));
    expect(await (await get(path, { method: 'HEAD' })).text()).toBe('');
  });

  test.each(DOCS_PATHS)('refuses every other method on %s with 405', async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await send(service, method, path);
      expectError(response, 40500);
      expect(response.headers['allow']).toBe('GET, HEAD');
    }
  });

  test.each([
    ...['/docs//', '/docs/x', '/docs/docs.ts', '/docs/page.js/', '/docs/../package.json', '/docs/../docs'],
    ...['/docs/%2e%2e/package.json', '/docs/..%2f..%2fpackage.json', '/docs//page.js', '//docs', '/DOCS'],
    ...['/%64ocs', '/docs;x', '/docs%00', '/openapi', '/openapi.yml', '/openapi.json/'],
  ])('does not exist at %s', async (target) => {
    const head = `GET ${target} HTTP/1.1\r\nHost: plants\r\n\r\n`;
    const [response] = await sendRaw(service, head, { method: 'GET', target, responses: 1 });
    expect(response).toBeDefined();
    if (response !== undefined) expectError(response, 40400);
  });

  test.each([
    ['/', 'docs'],
    ['/?x', 'docs'],
    ['/docs/', '../docs'],
  ])('is where %s leads to, behind a proxy with a path of its own too', async (path, location) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await get(path, { method, redirect: 'manual' });
      expect(response.status).toBe(302);
      expect(Object.fromEntries(response.headers)).toMatchObject({ location, 'cache-control': 'no-store' });
    }
    expect((await get(path)).url).toBe(`${service.url}/docs`);
    expectError(await send(service, 'DELETE', path), 40500);
  });

  test('leaves the operations unchanged, and is logged without an operation', async () => {
    expect(await send(service, 'DELETE', '/plants/1')).toMatchObject({ status: 204 });
    expect(await plantsIn(service.stores)).toEqual([]);
    await get('/docs', { headers: { 'X-Request-Id': 'docs-1' } });
    await new Promise((done) => setImmediate(done));
    const line = (await recorded.linesOf('request')).find(({ requestId }) => requestId === 'docs-1');
    expect(line).toMatchObject({ operation: null, method: 'GET', status: 200, token: null });
  });

  test('is not served by default', async () => {
    const without = await startService();
    for (const path of [...DOCS_PATHS, '/', '/docs/']) expectError(await send(without, 'GET', path), 40400);
    await without.close();
  });

  test('does not hide an operation: a contract with one of its paths is refused', async () => {
    const contract = await loadContract(new URL('../fixtures/contracts/docs-path.yaml', import.meta.url));
    expect(() => new Docs(contract)).toThrow('/docs/page.css');
  });
});
