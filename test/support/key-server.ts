import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { IdentityProvider } from '../../src/auth/jwt/identity-provider.ts';
import { listen } from './listen.ts';

/** A pair of keys of a provider, for ES256. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Makes a pair of keys. */
export function newKey(kid: string): SigningKey {
  return { kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

/** What stands in a header or the claims of a token; undefined: left out. */
export type Members = Readonly<Record<string, unknown>>;

/** A provider that says what a test wants. It serves metadata and a key set, and signs anything. */
export interface KeyServer {
  readonly issuer: string;
  /** The settings that name it. */
  readonly settings: IdentityProvider;
  /** Its key at the start. */
  readonly key: SigningKey;
  /** The public keys that it serves. */
  keys: readonly SigningKey[];
  /** What is asked for, path by path. */
  readonly requests: string[];
  /** Answers every request while it is set. */
  answer: RequestListener | undefined;
  /** A token that is valid but for these members, signed by its key or another. */
  token(members?: { header?: Members; claims?: Members; key?: SigningKey }): string;
  /** Stops listening, until it comes back at the same place. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

export const AUDIENCE = 'https://plants.example.com';
const SCOPE = 'plants:delete';

/** Starts a provider that a test can make do anything. */
export async function startKeyServer(): Promise<KeyServer> {
  const key = newKey('first');
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? '';
    provider.requests.push(path);
    if (provider.answer !== undefined) {
      provider.answer(request, response);
    } else if (path === '/.well-known/openid-configuration') {
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
    } else if (path === '/keys') {
      response.end(JSON.stringify({ keys: provider.keys.map(jwkOf) }));
    } else {
      response.writeHead(404).end();
    }
  };
  const server = createServer(listener);
  const { port, url: issuer, close } = await listen(server);

  const provider: KeyServer = {
    issuer,
    settings: {
      issuer,
      audience: AUDIENCE,
      jwksUrl: null,
      requiredScope: [SCOPE],
      algorithms: ['ES256', 'RS256'],
    },
    key,
    keys: [key],
    requests: [],
    answer: undefined,
    token: ({ header = {}, claims = {}, key: by = key } = {}) =>
      signedText({ alg: 'ES256', typ: 'at+jwt', kid: by.kid, ...header }, { ...validClaims(issuer), ...claims }, by),
    goDown: close,
    comeBack: async () => {
      await listen(server, port);
    },
    close,
  };
  return provider;
}

/** The claims of a valid token (RFC 9068, section 2.2). */
export function validClaims(issuer: string): Members {
  const now = Math.floor(Date.now() / 1000);
  const times = { iat: now, exp: now + 300 };
  return {
    iss: issuer,
    aud: AUDIENCE,
    sub: 'alice',
    client_id: 'shop',
    jti: crypto.randomUUID(),
    scope: SCOPE,
    ...times,
  };
}

/** A public key as a key set has it (RFC 7517). */
export function jwkOf({ kid, publicKey }: SigningKey): Members {
  return { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' };
}

function signedText(header: Members, claims: Members, { privateKey }: SigningKey): string {
  const text = `${encode(header)}.${encode(claims)}`;
  const hash = 'sha256';
  // RFC 7518, section 3.4: the two numbers one after the other.
  return `${text}.${sign(hash, Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** A token signed by HMAC: it deceives verifiers that take any key for any algorithm. */
export function hmacToken(header: Members, claims: Members, secret: string | Buffer): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** Members in the form of a part of a token. */
export function encode(members: Members): string {
  return Buffer.from(JSON.stringify(members)).toString('base64url');
}
