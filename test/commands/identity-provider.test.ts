import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { deletePlantAt, workplaceOfEachTest } from '../support/cli.ts';
import { AUDIENCE, startKeyServer, type KeyServer } from '../support/key-server.ts';

const place = workplaceOfEachTest();
let provider: KeyServer;
beforeEach(async () => {
  provider = await startKeyServer();
});
afterEach(() => provider.close());

test('the service starts without its provider and is ready; JWTs are 503 until it is there, and are then counted', async () => {
  await provider.close();
  await place.call(['plants', 'import', '-'], { input: '1\n2\n3\n' });
  const server = await place.serve({
    NODE_ENV: 'production',
    AUTH_ISSUER: provider.issuer,
    AUTH_AUDIENCE: AUDIENCE,
    AUTH_REQUIRED_SCOPE: 'plants:delete',
  });
  await server.until(/"level":40.*ECONNREFUSED.*"msg":"identity provider keys unavailable"/);
  expect((await fetch(`${server.admin}/readyz`)).status).toBe(200);
  const own = (await place.call(['tokens', 'create', 'shop'])).stdout.trim();
  expect((await deletePlantAt(server.url, own, 4n)).status).toBe(404);
  const down = await deletePlantAt(server.url, provider.token(), 2n);
  expect(down).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
  await provider.comeBack();
  await new Promise((done) => setTimeout(done, Number(down.headers['retry-after']) * 1000));
  expect((await deletePlantAt(server.url, provider.token(), 2n)).status).toBe(204);
  expect((await deletePlantAt(server.url, provider.token({ claims: { scope: '' } }), 1n)).status).toBe(403);
  await server.until(/"msg":"identity provider keys fetched"/);
  // There was no own token at the start, but JWTs are not refused for that.
  expect(server.output()).not.toContain('every request is refused');
  const metrics = await (await fetch(`${server.admin}/metrics`)).text();
  expect(metrics).toContain('authentication_failures_total{reason="insufficientScope"} 1\n');
  expect(await server.stop()).toBe(0);
  expect(await place.call(['plants', 'export'])).toMatchObject({ stdout: '1\n3\n' });
});

test('shutdown does not wait for a provider that does not answer', async () => {
  provider.answer = () => undefined;
  const server = await place.serve({ NODE_ENV: 'production', AUTH_ISSUER: provider.issuer, AUTH_AUDIENCE: AUDIENCE });
  const start = performance.now();
  expect(await server.stop()).toBe(0);
  // An attempt may take 5 s.
  expect(performance.now() - start).toBeLessThan(3_000);
});
