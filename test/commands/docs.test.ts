import { describe, expect, test } from '@jest/globals';
import { workplaceOfEachTest } from '../support/cli.ts';

const place = workplaceOfEachTest();

describe('the API reference', () => {
  test('is served from the first start, whose welcome names it', async () => {
    const server = await place.serve();
    const [, url = ''] = await server.until(/^Or try it in a browser, with that token: (\S+)$/m);
    expect(url).toBe(`${server.url}/docs`);
    const page = await fetch(url);
    expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
    });
    expect(await (await fetch(`${server.url}/openapi.json`)).json()).toMatchObject({ servers: [{ url: server.url }] });
    const metrics = await (await fetch(`${server.admin}/metrics`)).text();
    expect(metrics).toContain('http_requests_total{operation="docs",status="200"} 2');
  });

  // test/docs shows that without it each of its paths is 404.
  test.each([
    [404, 'off', ''],
    [404, undefined, 'production'],
    [200, 'on', 'production'],
  ])('is answered %i with DOCS %s and NODE_ENV "%s", as the welcome says', async (status, DOCS, NODE_ENV) => {
    const server = await place.serve({ NODE_ENV, ...(DOCS && { DOCS }) });
    expect((await fetch(`${server.url}/docs`)).status).toBe(status);
    expect(await server.stop()).toBe(0);
    expect(server.output()).not.toContain(`${server.url}/docs`);
  });
});
