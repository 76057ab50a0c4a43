import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { deletePlantAt, workplaceOfEachTest } from '../support/cli.ts';
import { AUDIENCE, startKeyServer, type KeyServer } from '../support/key-server.ts';

const place = workplaceOfEachTest();
let provider: KeyServer;
beforeEach(async () => {
  provider = await startKeyServer();
});
afterEach(() => provider.close());

/** Starts the service as the guide for operators says. */
function serve(): ReturnType<typeof place.serve> {
  const env = { AUTH_ISSUER: provider.issuer, AUTH_AUDIENCE: AUDIENCE, AUTH_REQUIRED_SCOPE: 'plants:delete' };
  return place.serve({ NODE_ENV: 'production', ...env });
}

// test/auth/jwt/keys.test.ts shows that it goes on when the provider is there.
test('the service starts without its provider and is ready; its own tokens are valid, and JWTs are 503', async () => {
  await provider.close();
  const server = await serve();
  await server.until(/"level":40.*ECONNREFUSED.*"msg":"identity provider keys unavailable"/);
  expect((await fetch(`${server.admin}/readyz`)).status).toBe(200);
  const own = (await place.call(['tokens', 'create', 'shop'])).stdout.trim();
  expect((await deletePlantAt(server.url, own, 4n)).status).toBe(404);
  const down = await deletePlantAt(server.url, provider.token(), 2n);
  expect(down).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
  expect(await server.stop()).toBe(0);
});

test('a JWT of the provider deletes a plant, also where there is no own token, and a refused one is counted', async () => {
  await place.call(['plants', 'add', '1', '2', '3']);
  const server = await serve();
  await server.until(/"msg":"identity provider keys fetched"/);
  expect((await deletePlantAt(server.url, provider.token(), 2n)).status).toBe(204);
  expect((await deletePlantAt(server.url, provider.token({ claims: { scope: '' } }), 1n)).status).toBe(403);
  expect(server.output()).not.toContain('every request is refused');
  const metrics = await (await fetch(`${server.admin}/metrics`)).text();
  expect(metrics).toContain('authentication_failures_total{reason="insufficientScope"} 1\n');
  expect(await server.stop()).toBe(0);
  expect(await place.call(['plants', 'export'])).toMatchObject({ stdout: '1\n3\n' });
});
