import { afterAll, describe, expect, test } from '@jest/globals';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadContract } from 'openapi-exact';
import { parse } from 'yaml';
import { readContractTexts } from '../../src/docs/contract-texts.ts';
import { Docs, DOCS_PATHS } from '../../src/docs/docs.ts';
import { serveContract } from '../support/contract-server.ts';
import { exchange } from '../support/raw-connection.ts';
import { RecordedLog } from '../support/recorded-log.ts';
import { expectError, send, sendRaw } from '../support/send.ts';
import { contract, plantsIn, startService, type Service } from '../support/service.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

/** What the pages of the API reference may do. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
          { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' }[
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

  test.each(DOCS_PATHS)('answers HEAD %s as GET, without a body, and every other method with 405', async (path) => {
    const [head, full] = [await get(path, { method: 'HEAD' }), await get(path)];
    const varying = /^(x-request-id|date|connection|keep-alive)$/;
    const [sent, asked] = [head, full].map(({ headers }) => [...headers].filter(([name]) => !varying.test(name)));
    expect(sent).toEqual(asked);
    expect(await head.text()).toBe('');
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
    const hiding = await loadContract(new URL('../fixtures/contracts/docs-path.yaml', import.meta.url));
    expect(() => new Docs(hiding)).toThrow('/docs/page.css');
  });
});

describe('the served contract', () => {
  const [{ url: written } = { url: '' }] = contract.document.servers ?? [];
  const [base = ''] = contract.basePaths;

  test('is the text that was written by hand, with the URL that the client used', async () => {
    const response = await get('/openapi.yaml');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': DOCS_POLICY,
      'content-type': 'application/yaml; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    const text = await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8');
    expect(await response.text()).toBe(
      text.replace(/^servers:\n(?: +.*\n)+/m, `servers: [{"url":"${service.url}${base}"}]\n`),
    );
  });

  test('is the same as JSON', async () => {
    const response = await get('/openapi.json');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
    const document: unknown = parse(await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
    expect(await response.json()).toEqual({ ...Object(document), servers: [{ url: service.url + base }] });
  });

  const FORWARDED = 'X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https';
  test.each([
    ['/openapi.json', 'Host: plants.example', `http://plants.example${base}`],
    ['/openapi.json', 'Host: PLANTS.example:80', `http://plants.example${base}`],
    ['/openapi.json', 'Host: [::1]:8080', `http://[::1]:8080${base}`],
    ['/openapi.json', "Host: o'brien&(x)*", `http://o'brien&(x)*${base}`],
    // No URL can have these: the servers stay as they are written.
    ['/openapi.json', 'Host: a%00b', written],
    ['/openapi.json', 'Host: plants:99999', written],
    // The host of the request target counts, not that of the Host header (RFC 9112, 3.2.2).
    ['http://plants.example/openapi.json', 'Host: other.example', `http://plants.example${base}`],
    ['HTTP://plants.example:8080/openapi.json', 'Host: other.example', `http://plants.example:8080${base}`],
    ['http://plants:99999/openapi.json', 'Host: other.example', written],
  ])('of a request for %s with %s has the server %s, whatever else it says', async (target, host, url) => {
    const head = `GET ${target} HTTP/1.1\r\n${host}\r\nConnection: close\r\n${FORWARDED}\r\n\r\n`;
    expect(await serversOf(service, head)).toEqual([url]);
    const [yaml] = await exchange(service.url, head.replace('json', 'yaml'));
    expect(yaml?.text).toContain(url === written ? '\nservers:\n' : `\nservers: [{"url":"${url}"}]\n`);
  });

  test('has the servers that are written for a client that names no host', async () => {
    expect(await serversOf(service, 'GET /openapi.json HTTP/1.0\r\n\r\n')).toEqual([written]);
  });

  test('believes a trusted proxy only if what it says makes a URL', async () => {
    const behind = await startService([], undefined, { docs: true, trustProxy: 1 });
    for (const [host, proto, url] of [
      ['plants.example', 'https', 'https://plants.example'],
      ['plants.example:8443', 'https, http', 'https://plants.example:8443'],
      ['evil.example/x', 'https'],
      ['user@evil.example', 'https'],
      ['evil.example, plants.example', 'https'],
      ['a"}] evil: ["', 'https'],
      ['plants.example', 'javascript'],
    ]) {
      const forwarded = `X-Forwarded-Host: ${host ?? ''}\r\nX-Forwarded-Proto: ${proto ?? ''}`;
      const head = `GET /openapi.json HTTP/1.1\r\nHost: inner\r\nConnection: close\r\n${forwarded}\r\n\r\n`;
      expect([host, await serversOf(behind, head)]).toEqual([host, [url === undefined ? written : url + base]]);
    }
    await behind.close();
  });

  test('keeps comments, order, the base path and integers beyond 2^53', async () => {
    const file = new URL('../fixtures/contracts/docs.yaml', import.meta.url);
    const written = await readFile(file, 'utf8');
    const server = await serveContract(
      new URL('../fixtures/contracts/docs.yaml', import.meta.url),
      () => ({ status: 200 }),
      {},
      { docs: true },
    );
    const headers = { Host: 'plants' };
    expect((await server.request('GET', '/openapi.yaml', { headers })).text).toBe(
      written.replace(/'servers': [^]*'\/base' \}/, `'servers': [{"url":"http://plants/base"}]`),
    );
    const { text } = await server.request('GET', '/openapi.json', { headers });
    expect(text.match(/\d{16,}/g)).toEqual(['9007199254740993', '9223372036854775808', '9223372036854775807']);
    expect(JSON.parse(text)).toMatchObject({
      servers: [{ url: 'http://plants/base' }],
      info: { title: 'Plants & "ids" <b>' },
    });
    await server.close();
  });

  test('is one document when it was written in several files', async () => {
    const server = await serveContract(
      new URL('../../packages/openapi-exact/test/fixtures/contracts/split/openapi.yaml', import.meta.url),
      () => ({ status: 200 }),
      {},
      { docs: true },
    );
    const { text } = await server.request('GET', '/openapi.json');
    expect(JSON.parse(text)).toMatchObject({
      paths: { '/plants/{id}': { parameters: [{ $ref: '#/components/parameters/id' }] } },
      components: {
        parameters: { id: { schema: { $ref: '#/components/schemas/id' } } },
        schemas: { Plant: { properties: { mother: { $ref: '#/components/schemas/Plant' } } } },
      },
    });
    const yaml = await server.request('GET', '/openapi.yaml');
    expect(yaml.text).not.toContain('.yaml');
    expect(yaml.text).toContain('$ref: "#/components/schemas/Plant"');
    await server.close();
  });
});

test('the contract is served from a folder of any name', () =>
  inTemporaryFolder('docs', async (folder) => {
    const inner = join(folder, 'a b#c%20d');
    await cp(
      fileURLToPath(new URL('../../packages/openapi-exact/test/fixtures/contracts/split', import.meta.url)),
      inner,
      { recursive: true },
    );
    const texts = await readContractTexts(await loadContract(pathToFileURL(join(inner, 'openapi.yaml'))));
    expect(JSON.parse(texts.json(undefined))).toMatchObject({ info: { title: 'A contract in several files' } });
  }));

async function serversOf(of: Service, head: string): Promise<string[]> {
  const [response] = await exchange(of.url, head);
  // The service has just been shown to send an OpenAPI document.
  const { servers } = JSON.parse(response?.text ?? '') as { servers: { url: string }[] };
  return servers.map(({ url }) => url);
}
