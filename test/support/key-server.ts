import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { IdentityProvider } from '../../src/auth/jwt/identity-provider.ts';
import { listen } from 'test-support/listen.ts';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export function newKey(kid: string): SigningKey {
  return { kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

/** What stands in a header or the claims of a token; undefined: left out. */
export type Members = Readonly<Record<string, unknown>>;

export const AUDIENCE = 'https://plants.example.com';
const SCOPE = 'plants:delete';

/** A provider that says what a test wants. It serves metadata and a key set, and signs anything. */
export class KeyServer {
  readonly key = newKey('first');
  /** The public keys that it serves. */
  keys: readonly SigningKey[] = [this.key];
  /** What is asked for, path by path. */
  readonly requests: string[] = [];
  /** Answers every request while it is set. */
  answer: RequestListener | undefined;
  readonly #server = createServer((request, response) => {
    const path = request.url ?? '';
    this.requests.push(path);
    if (this.answer !== undefined) this.answer(request, response);
    else if (path === '/.well-known/openid-configuration') {
      response.end(JSON.stringify({ issuer: this.issuer, jwks_uri: `${this.issuer}/keys` }));
    } else if (path === '/keys') response.end(JSON.stringify({ keys: this.keys.map(jwkOf) }));
    else response.writeHead(404).end();
  });
  #at = { port: 0, url: '', close: (): Promise<void> => Promise.resolve() };

  get issuer(): string {
    return this.#at.url;
  }

  get settings(): IdentityProvider {
    const algorithms = ['ES256', 'RS256'];
    return { issuer: this.issuer, audience: AUDIENCE, jwksUrl: null, requiredScope: [SCOPE], algorithms };
  }

  /** A token that is valid but for these members, signed by its key or another. */
  token({
    header = {},
    claims = {},
    key = this.key,
  }: { header?: Members; claims?: Members; key?: SigningKey } = {}): string {
    const all = { alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header };
    const text = `${encode(all)}.${encode({ ...validClaims(this.issuer), ...claims })}`;
    // RFC 7518, section 3.4: the two numbers one after the other.
    const by = { key: key.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${text}.${sign('sha256', Buffer.from(text), by).toString('base64url')}`;
  }

  async comeBack(): Promise<void> {
    this.#at = await listen(this.#server, this.#at.port);
  }

  close(): Promise<void> {
    return this.#at.close();
  }
}

export async function startKeyServer(): Promise<KeyServer> {
  const provider = new KeyServer();
  await provider.comeBack();
  return provider;
}

/** The claims of a valid token (RFC 9068, section 2.2). */
export function validClaims(issuer: string): Members {
  const iat = Math.floor(Date.now() / 1000);
  const ids = { client_id: 'shop', jti: crypto.randomUUID() };
  return { iss: issuer, aud: AUDIENCE, sub: 'alice', ...ids, scope: SCOPE, iat, exp: iat + 300 };
}

/** A public key as a key set has it (RFC 7517). */
export function jwkOf({ kid, publicKey }: SigningKey): Members {
  return { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' };
}

export function encode(members: Members): string {
  return Buffer.from(JSON.stringify(members)).toString('base64url');
}
