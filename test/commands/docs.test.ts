import { describe, expect, test } from '@jest/globals';
import { DOCS_PATHS } from '../../src/docs/paths.ts';
import { workplaceOfEachTest, type Environment } from '../support/cli.ts';

const place = workplaceOfEachTest();

/** The statuses that a server with these settings answers for the API reference. */
async function statusesWith(env: Environment): Promise<number[]> {
  const server = await place.serve(env);
  const statuses = new Set<number>();
  for (const path of DOCS_PATHS) statuses.add((await fetch(server.url + path)).status);
  await server.stop();
  return [...statuses];
}

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

  test('is not served and not in the welcome when DOCS is off', async () => {
    const server = await place.serve({ DOCS: 'off' });
    await server.until(/^curl .*$/m);
    expect(server.output()).not.toContain('/docs');
    for (const path of DOCS_PATHS) expect((await fetch(server.url + path)).status).toBe(404);
  });

  test('is not served in production, unless DOCS is on', async () => {
    expect(await statusesWith({ NODE_ENV: 'production' })).toEqual([404]);
    expect(await statusesWith({ NODE_ENV: 'production', DOCS: 'on' })).toEqual([200]);
  });
});
