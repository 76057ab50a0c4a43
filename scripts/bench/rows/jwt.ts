import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OURS, oursWithProvider } from '../contestants.ts';
import { compare, plantsForRun } from '../context.ts';
import { compareRates, summaryOf, type Row } from '../row.ts';

const AUDIENCE = 'bench';

/** Durable deletes with a JWT of an identity provider against those with a token of the service's own. */
export const jwt: Row = {
  id: 'jwt',
  run: async (context) => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench', use: 'sig', alg: 'RS256' }];
    const provider = createServer((_request, response) => {
      response.end(JSON.stringify({ keys }));
    }).listen(0, '127.0.0.1');
    await once(provider, 'listening');
    // A server that listens on a port has an address of this form.
    const { port } = provider.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    const withProvider = oursWithProvider(issuer, AUDIENCE);
    const plants = plantsForRun(context);
    try {
      const all = await compare(context, [
        { contestant: withProvider, plants, load: { token: accessToken(issuer, privateKey) } },
        { contestant: OURS, plants },
      ]);
      const measure = 'durable DELETE/s with a JWT, 64 connections';
      return [compareRates(measure, summaryOf(all, withProvider), summaryOf(all, OURS), { atLeast: 0.9 })];
    } finally {
      provider.close();
      provider.closeAllConnections();
    }
  },
};

/** An access token (RFC 9068) with the claims that one of a large provider has, good for an hour. */
function accessToken(issuer: string, privateKey: KeyObject): string {
  const now = Math.floor(Date.now() / 1000);
  const header = { alg: 'RS256', typ: 'at+jwt', kid: 'bench' };
  const times = { iat: now, exp: now + 3_600 };
  const claims = {
    iss: issuer,
    aud: AUDIENCE,
    sub: 'bench',
    client_id: 'bench',
    jti: '1',
    scope: 'plants:delete',
    ...times,
  };
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}
