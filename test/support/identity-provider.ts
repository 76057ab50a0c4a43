import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Configuration, JWK } from 'oidc-provider';
import type { IdentityProvider as Settings } from '../../src/auth/jwt/identity-provider.ts';
import { listen } from './listen.ts';

// It warns at every start of Node 20 and of its store in memory; both are meant here.
const { warn, info } = console;
console.warn = console.info = () => undefined;
const { Provider } = await import('oidc-provider');

/** The audience of tokens, and the client id, so that ID tokens have the same audience. */
export const AUDIENCE = 'urn:example:plants';
const SECRET = 'a-secret-of-the-tests-that-is-long-enough';
const CIBA = 'urn:openid:params:grant-type:ciba';

/** A real OAuth 2.0 and OpenID Connect provider (oidc-provider) on loopback. */
export interface IdentityProvider {
  readonly settings: Settings;
  /** How often its key set was asked for. */
  readonly keyRequests: () => number;
  /** An access token by client credentials (RFC 6749, section 4.4) for a resource (RFC 8707). */
  accessToken(options?: { scope?: string; resource?: string }): Promise<string>;
  /** An ID token for a person, by a backchannel authentication (OpenID CIBA). */
  idToken(): Promise<string>;
  /** From now on it signs with another key, and has no other. */
  rotate(): void;
  close(): Promise<void>;
}

/** Starts a provider. Its tokens may have the scopes `plants:delete` and `plants:read`. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  let answer: (request: IncomingMessage, response: ServerResponse) => unknown;
  let keyRequests = 0;
  const server = createServer((request, response) => {
    if (request.url === '/jwks') keyRequests++;
    answer(request, response);
  });
  const { url: issuer, close } = await listen(server);
  let provider = newProvider(issuer, 'key-1');
  answer = provider.callback();

  async function post(path: string, parameters: Record<string, string>): Promise<Record<string, string>> {
    const client = { client_id: AUDIENCE, client_secret: SECRET };
    const response = await fetch(issuer + path, {
      method: 'POST',
      body: new URLSearchParams({ ...client, ...parameters }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    // Its answers are objects of texts (RFC 6749, section 5.1), where a test looks at them.
    return (await response.json()) as Record<string, string>;
  }

  return {
    settings: {
      issuer,
      audience: AUDIENCE,
      jwksUrl: null,
      requiredScope: ['plants:delete'],
      algorithms: ['RS256'],
    },
    keyRequests: () => keyRequests,
    accessToken: async ({ scope = 'plants:delete', resource = AUDIENCE } = {}) =>
      (await post('/token', { grant_type: 'client_credentials', scope, resource }))['access_token'] ?? '',
    idToken: async () => {
      const { auth_req_id: id = '' } = await post('/backchannel', { scope: 'openid', login_hint: 'alice' });
      const grant = new provider.Grant({ clientId: AUDIENCE, accountId: 'alice' });
      grant.addOIDCScope('openid');
      await provider.backchannelResult(id, await grant.save());
      return (await post('/token', { grant_type: CIBA, auth_req_id: id }))['id_token'] ?? '';
    },
    rotate: () => {
      provider = newProvider(issuer, 'key-2');
      answer = provider.callback();
    },
    close: async () => {
      await close();
      Object.assign(console, { warn, info });
    },
  };
}

function newProvider(issuer: string, kid: string): InstanceType<typeof Provider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key: JWK = { kty: 'RSA', ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
  const nothing = (): void => undefined;
  const configuration: Configuration = {
    jwks: { keys: [key] },
    clients: [
      {
        client_id: AUDIENCE,
        client_secret: SECRET,
        grant_types: ['client_credentials', CIBA],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_post',
        backchannel_token_delivery_mode: 'poll',
      },
    ],
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      ciba: {
        enabled: true,
        deliveryModes: ['poll'],
        processLoginHint: (_context, hint) => hint,
        validateRequestContext: nothing,
        validateBindingMessage: nothing,
        verifyUserCode: nothing,
        triggerAuthenticationDevice: nothing,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => [],
        getResourceServerInfo: (_context, resource) => ({
          scope: 'plants:delete plants:read',
          audience: resource,
          // RFC 9068.
          accessTokenFormat: 'jwt',
          accessTokenTTL: 300,
        }),
      },
    },
  };
  return new Provider(issuer, configuration);
}
