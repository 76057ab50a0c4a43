import { afterAll, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { Configuration } from 'oidc-provider';
import { listen } from 'test-support/listen.ts';
import { RecordedLog } from '../../support/recorded-log.ts';
import { deletePlant } from '../../support/send.ts';
import { DELETE_PLANT, plantsIn, startService } from '../../support/service.ts';

// It warns at every start of Node 20 and of its store in memory; both are meant here.
const { warn, info } = console;
console.warn = console.info = () => undefined;
const { Provider } = await import('oidc-provider');

const AUDIENCE = 'urn:example:plants';
const CLIENT = { client_id: AUDIENCE, client_secret: 'a-secret-of-the-tests-that-is-long-enough' };
const GRANT = { grant_types: ['client_credentials'], token_endpoint_auth_method: 'client_secret_post' } as const;
const SCOPE = 'plants:delete';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const CONFIGURATION: Configuration = {
  jwks: { keys: [{ kty: 'RSA', ...privateKey.export({ format: 'jwk' }), kid: 'key-1', use: 'sig', alg: 'RS256' }] },
  clients: [{ ...CLIENT, ...GRANT, redirect_uris: [], response_types: [] }],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => [],
      getResourceServerInfo: (_context, audience) => ({
        ...{ scope: SCOPE, audience, accessTokenTTL: 300 },
        // RFC 9068.
        accessTokenFormat: 'jwt',
      }),
    },
  },
};

const server = createServer();
const { url: issuer, close } = await listen(server);
// Its callback answers with a promise that never rejects.
const answer = new Provider(issuer, CONFIGURATION).callback();
server.on('request', (...given) => void answer(...given));
afterAll(async () => {
  await close();
  Object.assign(console, { warn, info });
});

/** An access token by client credentials (RFC 6749, section 4.4). */
async function accessToken(): Promise<string> {
  const grant = { grant_type: 'client_credentials', scope: SCOPE, resource: AUDIENCE };
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...CLIENT, ...grant }),
  });
  // RFC 6749, section 5.1.
  return ((await response.json()) as { access_token: string }).access_token;
}

test('an access token of a real provider deletes a plant, and the log says for whom', async () => {
  const recorded = new RecordedLog();
  const settings = { issuer, audience: AUDIENCE, jwksUrl: null, requiredScope: [SCOPE], algorithms: ['RS256'] };
  const service = await startService([1n, 2n, 3n], recorded.log, { identityProvider: settings, audit: true });
  const token = await accessToken();
  const [header = '', , signature] = token.split('.');
  expect(JSON.parse(atob(header))).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: 'key-1' });
  for (const status of [204, 404]) expect((await deletePlant(service, 2n, { token })).status).toBe(status);
  expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
  const [line] = await recorded.linesOf('done');
  expect(line).toMatchObject({ name: 'audit', operation: DELETE_PLANT, id: '2', token: `jwt:${AUDIENCE}` });
  expect((await recorded.linesOf('request', 2))[0]).toMatchObject({ status: 204, token: `jwt:${AUDIENCE}` });
  expect(recorded.text()).not.toContain(signature);
  await service.close();
});
