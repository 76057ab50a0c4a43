import { afterAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { loadContract } from 'openapi-exact';
import { parse } from 'yaml';
import { Docs } from '../src/docs.ts';
import { exchange } from './support/raw-connection.ts';
import { RecordedLog } from './support/recorded-log.ts';
import { expectError, send, sendRaw } from './support/send.ts';
import { contract, plantsIn, startService, type Service } from './support/service.ts';

const recorded = new RecordedLog();
const service = await startService([1n], recorded.log, { docs: true });
afterAll(() => service.close());

const { paths: PATHS } = new Docs(contract);

function get(path: string, init?: RequestInit): Promise<Response> {
  return fetch(service.url + path, init);
}

describe('the API reference of the service', () => {
  test('is a page whose parts all come from the service', async () => {
    expect(PATHS).toEqual(
      expect.arrayContaining(['/docs', '/docs/page.js', '/docs/page.css', '/openapi.json', '/openapi.yaml']),
    );
    const html = await (await get('/docs')).text();
    const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part = '']) => part);
    for (const part of ['/docs', ...parts]) {
      const response = await fetch(new URL(part, `${service.url}/docs`));
      expect({ part, status: response.status, ...Object.fromEntries(response.headers) }).toMatchObject({
        part,
        status: 200,
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.any(String),
      });
    }
  });

  test.each([...PATHS, '/', '/docs/'])('refuses every method of %s but GET and HEAD', async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await send(service, method, path);
      expectError(response, 40500);
      expect(response.headers['allow']).toBe('GET, HEAD');
    }
  });

  test.each([
    ...['/docs//', '/docs/x', '/docs/docs.ts', '/docs/page.js/', '/docs/../package.json', '/docs/../docs'],
    ...[
      '/docs/%2e%2e/package.json',
      '/docs/..%2f..%2fpackage.json',
      '/docs//page.js',
      '//docs',
      '/DOCS',
      '/Docs/page.js',
    ],
    ...['/%64ocs', '/docs;x', '/docs%00', '/openapi', '/openapi.yml', '/openapi.json/', '/OpenAPI.json'],
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
  });

  test('leaves the operations unchanged, and is logged without an operation', async () => {
    expect(await send(service, 'DELETE', '/plants/1')).toMatchObject({ status: 204 });
    expect(await plantsIn(service.stores)).toEqual([]);
    await get('/docs', { headers: { 'X-Request-Id': 'docs-1' } });
    let line: object | undefined;
    while (line === undefined) {
      await pause(5);
      line = (await recorded.linesOf('request')).find(({ requestId }) => requestId === 'docs-1');
    }
    expect(line).toMatchObject({ operation: null, method: 'GET', path: '/docs', status: 200, token: null });
  });

  test('is not served by default', async () => {
    const without = await startService();
    for (const path of [...PATHS, '/', '/docs/']) expectError(await send(without, 'GET', path), 40400);
    await without.close();
  });

  test('does not hide an operation: a contract with one of its paths is refused', async () => {
    const hiding = await loadContract(new URL('fixtures/contracts/docs-path.yaml', import.meta.url));
    expect(() => new Docs(hiding)).toThrow('/docs/page.css');
  });
});

describe('the served contract', () => {
  const [{ url: written } = { url: '' }] = contract.document.servers ?? [];
  const [base = ''] = contract.basePaths;

  test('is the text that was written by hand, with the URL that the client used, and the same as JSON', async () => {
    const text = await readFile(new URL('../openapi.yaml', import.meta.url), 'utf8');
    const expected = text.replace(/^servers:\n(?: +.*\n)+/m, `servers: [{"url":"${service.url}${base}"}]\n`);
    for (const folder of ['', '/docs']) {
      expect(await (await get(`${folder}/openapi.yaml`)).text()).toBe(expected);
      expect(await (await get(`${folder}/openapi.json`)).json()).toEqual(parse(expected));
    }
  });

  const FORWARDED = 'X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https';
  test.each([
    ['/openapi.json', 'Host: plants.example', `http://plants.example${base}`],
    // The host of the request target counts, not that of the Host header (RFC 9112, 3.2.2).
    ['http://plants.example/openapi.json', 'Host: other.example', `http://plants.example${base}`],
    ['HTTP://plants.example:8080/openapi.json', 'Host: other.example', `http://plants.example:8080${base}`],
    ['http://plants:99999/openapi.json', 'Host: other.example', written],
  ])('of a request for %s with %s has the server %s, whatever else it says', async (target, host, url) => {
    const head = `GET ${target} HTTP/1.1\r\n${host}\r\nConnection: close\r\n${FORWARDED}\r\n\r\n`;
    expect(await serversOf(service, head)).toEqual([url]);
  });

  test('has the servers that are written for a client that names no host', async () => {
    expect(await serversOf(service, 'GET /openapi.json HTTP/1.0\r\n\r\n')).toEqual([written]);
  });

  test('names the host that a trusted proxy says', async () => {
    const behind = await startService([], undefined, { docs: true, trustProxy: 1 });
    const forwarded = 'X-Forwarded-Host: plants.example\r\nX-Forwarded-Proto: https';
    const head = `GET /openapi.json HTTP/1.1\r\nHost: inner\r\nConnection: close\r\n${forwarded}\r\n\r\n`;
    expect(await serversOf(behind, head)).toEqual([`https://plants.example${base}`]);
    await behind.close();
  });
});

async function serversOf(of: Service, head: string): Promise<string[]> {
  const [response] = await exchange(of.url, head);
  // The service has just been shown to send an OpenAPI document.
  const { servers } = JSON.parse(response?.text ?? '') as { servers: { url: string }[] };
  return servers.map(({ url }) => url);
}
