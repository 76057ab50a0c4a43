import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express, { Router } from 'express';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { contractMiddleware, loadContract, type MiddlewareOptions } from 'openapi-exact';
import { apiReference, type ApiReferenceOptions } from 'openapi-exact-reference';
import { parse } from 'yaml';
import { exchange, fixture, serveApp, type Served } from './support/serve.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

/** What the pages of the reference may do. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const library = await fixture('library.yaml');
const text = await readFile(new URL('fixtures/library.yaml', import.meta.url), 'utf8');

/** Serves what a test mounts, in an application that has nothing else. */
async function served<T>(mount: (app: express.Express) => void, use: (server: Served) => Promise<T>): Promise<T> {
  const app = express();
  mount(app);
  const server = await serveApp(app);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

let server: Served;
beforeAll(async () => {
  const app = express();
  app.use('/docs', apiReference({ contract: library }));
  app.use((_request, response) => void response.status(404).send('not the reference'));
  server = await serveApp(app);
});
afterAll(() => server.close());

function get(path: string, init?: RequestInit): Promise<Response> {
  return fetch(server.url + path, init);
}

describe('the API reference', () => {
  const { paths } = apiReference({ contract: library });
  const addresses = paths.map((path) => (path === '/' ? '/docs' : `/docs${path}`));

  test('is a page whose parts all come from the service, under the strictest policy', async () => {
    const page = await get('/docs');
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).not.toMatch(/https?:|style=|<style|<script>|\bon\w+=/);
    const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, part = '']) => new URL(part, page.url).pathname,
    );
    expect([...parts, '/docs', '/docs/openapi.json', '/docs/places.json'].sort()).toEqual([...addresses].sort());
    for (const part of addresses.filter((path) => !path.includes('openapi'))) {
      const response = await get(part);
      expect({ part, status: response.status, ...Object.fromEntries(response.headers) }).toMatchObject({
        part,
        status: 200,
        'cache-control': 'no-cache',
        'content-security-policy': POLICY,
        'content-type':
          {
            css: 'text/css; charset=utf-8',
            js: 'text/javascript; charset=utf-8',
            json: 'application/json; charset=utf-8',
            svg: 'image/svg+xml',
          }[part.split('.')[1] ?? ''] ?? 'text/html; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(response.headers.get('content-length')).toBe(String((await response.arrayBuffer()).byteLength));
    }
  });

  test('is sent again only after a change', async () => {
    const conditional = (etag: string): Promise<{ status: number; body: string }> =>
      exchange(server, 'GET /docs/page.css HTTP/1.1', 'Host: books', `If-None-Match: ${etag}`);
    const first = await get('/docs/page.css');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    expect(await conditional(tag)).toMatchObject({ status: 304, headers: { etag: tag }, body: '' });
    expect(await conditional('"other"')).toMatchObject({
      status: 200,
      headers: { etag: tag },
      body: await first.text(),
    });
  });

  test.each(addresses)('answers HEAD %s as GET, without a body', async (path) => {
    const [head, full] = [await get(path, { method: 'HEAD' }), await get(path)];
    const varying = /^(date|connection|keep-alive)$/;
    const [sent, asked] = [head, full].map(({ headers }) => [...headers].filter(([name]) => !varying.test(name)));
    expect(sent).toEqual(asked);
    expect(await head.text()).toBe('');
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('leaves %s to the application', async (method) => {
    for (const path of ['/docs', '/docs/page.js', '/docs/openapi.yaml']) {
      expect(await (await get(path, { method })).text()).toBe('not the reference');
    }
  });

  test.each([
    ...['/docs//', '/docs/x', '/docs/api-reference.ts', '/docs/page.js/', '/docs/../package.json', '/docs/../docs'],
    ...['/docs/%2e%2e/package.json', '/docs/..%2f..%2fpackage.json', '/docs//page.js', '//docs', '/docs/page/page.js'],
    ...['/%64ocs', '/docs;x', '/docs%00', '/openapi.yaml', '/docs/openapi.yml', '/docs/toString', '/docs/__proto__'],
  ])('leaves %s to the application', async (target) => {
    expect(await exchange(server, `GET ${target} HTTP/1.1`, 'Host: books')).toMatchObject({
      status: 404,
      body: 'not the reference',
    });
  });

  test.each(['/docs/', '/docs/?x'])('is where %s leads to, behind a proxy that adds a path too', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await get(path, { method, redirect: 'manual' });
      expect(response.status).toBe(302);
      expect(Object.fromEntries(response.headers)).toMatchObject({ location: '../docs', 'cache-control': 'no-store' });
    }
    expect((await get(path)).url).toBe(`${server.url}/docs`);
  });

  test.each<[string, string, (app: express.Express) => void]>([
    ['/', '', (app) => app.use(apiReference({ contract: library }))],
    ['/a/b/reference', '/a/b/reference', (app) => app.use('/a/b/reference', apiReference({ contract: library }))],
    ['/api/docs', '/api/docs', (app) => app.use('/api', Router().use('/docs', apiReference({ contract: library })))],
    ['/javascript:x', '/javascript:x', (app) => app.use('/:mount', apiReference({ contract: library }))],
    [`/"><b>&`, `/"><b>&`, (app) => app.use('/:mount', apiReference({ contract: library }))],
  ])('is complete wherever it is mounted: at %s', (path, mount, use) =>
    served(use, async (at) => {
      const { status, body } = await exchange(at, `GET ${path} HTTP/1.1`, 'Host: books');
      expect(status).toBe(200);
      expect(body).not.toContain('<b>');
      const parts = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part = '']) =>
        part.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
      );
      expect(parts.length).toBeGreaterThan(15);
      for (const part of parts) {
        const url = new URL(part, new URL(path, at.url));
        expect(url.pathname.startsWith(`${new URL(mount, at.url).pathname.replace(/\/$/, '')}/`)).toBe(true);
        expect([part, (await fetch(url)).status]).toEqual([part, 200]);
      }
    }),
  );

  test.each([
    [{}, /loadContract/],
    [undefined, /loadContract/],
    [{ contract: { openapi: '3.1.0' } }, /loadContract/],
    [{ contract: library, apiPath: 'api' }, /apiPath/],
    [{ contract: library, apiPath: '//evil.example' }, /apiPath/],
    [{ contract: library, clientPackage: 1 }, /clientPackage/],
    [{ contract: library, apipath: '/api' }, /apipath/],
    [{ contract: library, formats: { date: 1 } }, /formats/],
    [{ contract: library, formats: { date: 'Date")' } }, /formats/],
  ])('refuses the options %#', (options, message) => {
    // What JavaScript may pass.
    expect(() => apiReference(options as ApiReferenceOptions)).toThrow(message);
  });

  test('takes an undefined option for its default', async () => {
    const options = { contract: library, apiPath: undefined, clientPackage: undefined, formats: undefined };
    await served(
      (app) => app.use('/docs', apiReference(options)),
      async (at) => {
        expect(await (await fetch(`${at.url}/docs`)).text()).toBe(await (await get('/docs')).text());
      },
    );
  });
});

describe('the served contract', () => {
  test('is the text that was written by hand, with the URL that the client used', async () => {
    const response = await get('/docs/openapi.yaml');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'content-type': 'application/yaml; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(await response.text()).toBe(
      text.replace(/^servers:.*\n(?: +.*\n)*/m, `servers: [{"url":"${server.url}/v1"}]\n`),
    );
  });

  test('is the same as JSON', async () => {
    const response = await get('/docs/openapi.json');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
    const document: unknown = parse(text);
    expect(await response.json()).toEqual({ ...Object(document), servers: [{ url: `${server.url}/v1` }] });
  });

  const written = 'https://books.example/v1';
  const FORWARDED = ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https'];
  test.each([
    ['Host: books.test', 'http://books.test/v1'],
    ['Host: BOOKS.test:80', 'http://books.test/v1'],
    ['Host: [::1]:8080', 'http://[::1]:8080/v1'],
    ["Host: o'brien&(x)*", `http://o'brien&(x)*/v1`],
    // No URL can have these: the servers stay as they are written.
    ['Host: a%00b', written],
    ['Host: books:99999', written],
    ['Host: user@evil.example', written],
    ['Host: evil.example/x', written],
    ['Host: a"}] evil: ["', written],
  ])('of a request with %s has the server %s, whatever else it says', async (host, url) => {
    const json = await exchange(server, 'GET /docs/openapi.json HTTP/1.1', host, ...FORWARDED);
    expect(serversIn(json.body)).toEqual([url]);
    const yaml = await exchange(server, 'GET /docs/openapi.yaml HTTP/1.1', host, ...FORWARDED);
    expect(yaml.body).toContain(
      url === written ? `\nservers: [{ url: '${url}' }]\n` : `\nservers: [{"url":"${url}"}]\n`,
    );
  });

  test('has the servers that are written for a client that names no host', async () => {
    expect(serversIn((await exchange(server, 'GET /docs/openapi.json HTTP/1.0')).body)).toEqual([written]);
  });

  test.each([
    ['books.example', 'https', 'https://books.example/v1'],
    ['books.example:8443', 'https, http', 'https://books.example:8443/v1'],
    ['evil.example/x', 'https', written],
    ['user@evil.example', 'https', written],
    ['evil.example, books.example', 'https', written],
    ['a"}] evil: ["', 'https', written],
    ['books.example', 'javascript', written],
  ])('believes a trusted proxy only if what it says makes a URL: %s, %s', (host, proto, url) =>
    served(
      (app) => app.set('trust proxy', 1).use('/docs', apiReference({ contract: library })),
      async (behind) => {
        const forwarded = [`X-Forwarded-Host: ${host}`, `X-Forwarded-Proto: ${proto}`];
        const { body } = await exchange(behind, 'GET /docs/openapi.json HTTP/1.1', 'Host: inner', ...forwarded);
        expect(serversIn(body)).toEqual([url]);
      },
    ),
  );

  const mounts: [string, string, string | undefined, string][] = [
    ['/docs', 'the root', undefined, '/v1'],
    ['/docs', '/api', '/api', '/api'],
    ['/docs', '/api/', '/api/', '/api'],
    ['/api/docs', '/api, beside it,', undefined, '/api'],
    ['/api/docs', 'the root', '/', '/v1'],
  ];
  test.each(mounts)('at %s names the server of a contract at %s', (mount, _where, apiPath, path) =>
    served(
      (app) => app.use(mount, apiReference({ contract: library, apiPath })),
      async (at) => {
        const { body } = await exchange(at, `GET ${mount}/openapi.json HTTP/1.1`, 'Host: books');
        expect(serversIn(body)).toEqual([`http://books${path}`]);
      },
    ),
  );

  test('is at the root, too, where an application puts it', async () => {
    const reference = apiReference({ contract: library });
    await served(
      (app) => app.use('/docs', reference).get(['/openapi.yaml', '/openapi.json'], reference),
      async (at) => {
        for (const name of ['openapi.yaml', 'openapi.json']) {
          const [below, root] = [await fetch(`${at.url}/docs/${name}`), await fetch(`${at.url}/${name}`)];
          expect([root.status, await root.text()]).toEqual([200, await below.text()]);
        }
      },
    );
  });

  test('keeps comments, order, the base path and integers beyond 2^53', async () => {
    const awkward = await readFile(new URL('fixtures/awkward-text.yaml', import.meta.url), 'utf8');
    const contract = await fixture('awkward-text.yaml');
    await served(
      (app) => app.use('/docs', apiReference({ contract })),
      async (at) => {
        const yaml = await exchange(at, 'GET /docs/openapi.yaml HTTP/1.1', 'Host: plants');
        expect(Buffer.from(yaml.body, 'latin1').toString()).toBe(
          awkward.replace(/'servers': [^]*'\/base' \}/, `'servers': [{"url":"http://plants/base"}]`),
        );
        const { body } = await exchange(at, 'GET /docs/openapi.json HTTP/1.1', 'Host: plants');
        expect(body.match(/\d{16,}/g)).toEqual(['9007199254740993', '9223372036854775808', '9223372036854775807']);
        expect(JSON.parse(body)).toMatchObject({
          servers: [{ url: 'http://plants/base' }],
          info: { title: 'Plants & "ids" <b>' },
        });
      },
    );
  });

  test.each([
    [
      'in lines',
      'openapi: 3.1.0\ninfo: { title: A, version: "1" } # Kept.\npaths: {}\n',
      'servers: [URL]\npaths: {}\n',
    ],
    [
      'indented',
      '  openapi: 3.1.0\n  info: { title: A, version: "1" }\n  paths: {}\n',
      '  servers: [URL]\n  paths: {}\n',
    ],
    ['in JSON', '{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{}}', '"servers": [URL], "paths":{}}'],
    ['without paths', 'openapi: 3.1.0\ninfo: { title: A, version: "1" }\nwebhooks: {}\n', 'servers: [URL]\nopenapi'],
  ])('gets servers where it was written without, %s', (_how, written, expected) =>
    inTemporaryFolder('reference', async (folder) => {
      await writeFile(join(folder, 'openapi.yaml'), written);
      const contract = await loadContract(pathToFileURL(join(folder, 'openapi.yaml')));
      await served(
        (app) => app.use('/api/docs', apiReference({ contract })),
        async (at) => {
          const url = `${at.url}/api`;
          const yaml = await (await fetch(`${at.url}/api/docs/openapi.yaml`)).text();
          expect(yaml).toContain(expected.replace('URL', `{"url":"${url}"}`));
          // Each of these texts is a mapping.
          const document = { ...(parse(written) as object), servers: [{ url }] };
          expect(parse(yaml)).toEqual(document);
          expect(await (await fetch(`${at.url}/api/docs/openapi.json`)).json()).toMatchObject(document);
        },
      );
    }),
  );

  test('is one document when it was written in several files, in a folder of any name', () =>
    inTemporaryFolder('reference', async (folder) => {
      const inner = join(folder, 'a b#c%20d');
      await cp(fileURLToPath(new URL('fixtures/split', import.meta.url)), inner, { recursive: true });
      const contract = await loadContract(pathToFileURL(join(inner, 'openapi.yaml')));
      await served(
        (app) => app.use('/docs', apiReference({ contract })),
        async (at) => {
          const json = await (await fetch(`${at.url}/docs/openapi.json`)).json();
          expect(json).toMatchObject({
            paths: { '/books/{id}': { parameters: [{ $ref: '#/components/parameters/id' }] } },
            components: {
              parameters: { id: { schema: { $ref: '#/components/schemas/id' } } },
              schemas: { Book: { properties: { sequel: { $ref: '#/components/schemas/Book' } } } },
            },
          });
          const yaml = await (await fetch(`${at.url}/docs/openapi.yaml`)).text();
          expect(yaml).not.toContain('.yaml');
          expect(yaml).toContain('$ref: "#/components/schemas/Book"');
        },
      );
    }));

  test('leaves the operations of the contract as they are', async () => {
    const app = express();
    const handlers = { deleteBook: () => ({ status: 204 }) };
    const verifiers = { bearerAuth: () => ({ name: 'me' }) };
    const errorBody: MiddlewareOptions['errorBody'] = ({ reason, message }) => ({
      contentType: 'application/json',
      body: { code: reason, message },
    });
    app.use('/docs', apiReference({ contract: library }));
    app.use(await contractMiddleware({ contract: library, handlers, verifiers, errorBody }));
    const whole = await serveApp(app);
    const headers = { Authorization: 'Bearer secret' };
    const deleted = await fetch(`${whole.url}/v1/books/1`, { method: 'DELETE', headers });
    expect(deleted.status).toBe(204);
    await whole.close();
  });
});

function serversIn(body: string): string[] {
  // The reference has just been shown to send an OpenAPI document.
  const { servers } = JSON.parse(body) as { servers: { url: string }[] };
  return servers.map(({ url }) => url);
}
