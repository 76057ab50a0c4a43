import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Configuration, JWK } from 'oidc-provider';
import type { IdentityProvider as Settings } from '../../src/auth/jwt/identity-provider.ts';
import { listen } from './listen.ts';

// It warns at every start of Node 20 and of its store in memory; both are meant here.
const { warn, info } = console;
console.warn = console.info = () => undefined;
const { Provider } = await import('oidc-provider');

/** The audience of tokens, and the client id. */
export const AUDIENCE = 'urn:example:plants';
const SECRET = 'a-secret-of-the-tests-that-is-long-enough';

/** A real OAuth 2.0 and OpenID Connect provider (oidc-provider) on loopback. */
export interface IdentityProvider {
  readonly settings: Settings;
  /** How often its key set was asked for. */
  readonly keyRequests: () => number;
  /** An access token by client credentials (RFC 6749, section 4.4). */
  accessToken(): Promise<string>;
  /** From now on it signs with another key, and has no other. */
  rotate(): void;
  close(): Promise<void>;
}

/** Starts a provider. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  let answer: (request: IncomingMessage, response: ServerResponse) => unknown;
  let keyRequests = 0;
  const server = createServer((request, response) => {
    if (request.url === '/jwks') keyRequests++;
    answer(request, response);
  });
  const { url: issuer, close } = await listen(server);
  answer = newProvider(issuer, 'key-1').callback();

  return {
    settings: {
      issuer,
      audience: AUDIENCE,
      jwksUrl: null,
      requiredScope: ['plants:delete'],
      algorithms: ['RS256'],
    },
    keyRequests: () => keyRequests,
    accessToken: async () => {
      const client = { client_id: AUDIENCE, client_secret: SECRET };
      const grant = { grant_type: 'client_credentials', scope: 'plants:delete', resource: AUDIENCE };
      const body = new URLSearchParams({ ...client, ...grant });
      const response = await fetch(`${issuer}/token`, { method: 'POST', body });
      // RFC 6749, section 5.1.
      const { access_token: token } = (await response.json()) as { access_token: string };
      return token;
    },
    rotate: () => {
      answer = newProvider(issuer, 'key-2').callback();
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
  const configuration: Configuration = {
    jwks: { keys: [key] },
    clients: [
      {
        client_id: AUDIENCE,
        client_secret: SECRET,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => [],
        getResourceServerInfo: (_context, resource) => ({
          scope: 'plants:delete',
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
