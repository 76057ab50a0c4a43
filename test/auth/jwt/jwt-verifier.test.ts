import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { createHmac, sign } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { subjectName } from '../../../src/auth/jwt/subject-name.ts';
import type { WireResponse } from '../../support/conformance.ts';
import {
  AUDIENCE,
  encode,
  jwkOf,
  newKey,
  startKeyServer,
  validClaims,
  type Members,
} from '../../support/key-server.ts';
import { deletePlant, expectError } from '../../support/send.ts';
import { plantsIn, startService } from '../../support/service.ts';

const PLANTS = [1n, 2n, 3n];
const now = (): number => Math.floor(Date.now() / 1000);

const provider = await startKeyServer();
const service = await startService(PLANTS, undefined, { identityProvider: provider.settings });
// Only the tests that restore the plant delete it.
afterEach(async () => {
  expect(await plantsIn(service.stores)).toEqual(PLANTS);
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

function withToken(token: string): Promise<WireResponse> {
  return deletePlant(service, 2n, { token });
}

/** Expects plant 2 to be deleted with this token, and plants it again. */
async function expectAccepted(token: string): Promise<void> {
  expect(await withToken(token)).toMatchObject({ status: 204, text: '' });
  expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
  await service.stores.plants.insertPlants([2n]);
}

/** Expects the one answer for tokens that are not valid, whatever is wrong with them. */
async function expectRefused(token: string): Promise<void> {
  const response = await withToken(token);
  expectError(response, 40101);
  expect(response.headers['www-authenticate']).toBe('Bearer realm="plant-store", error="invalid_token"');
}

type Change = readonly [name: string, members: () => { header?: Members; claims?: Members }];

describe('a JWT access token is accepted', () => {
  test('beside the tokens of the service itself', async () => {
    await expectAccepted(provider.token());
    await expectAccepted(service.token);
  });

  test.each<Change>([
    ['with the type as a media type', () => ({ header: { typ: 'application/at+jwt' } })],
    ['with the type in capitals (RFC 2045, section 5.1)', () => ({ header: { typ: 'AT+JWT' } })],
    ['with several audiences, one of them this service', () => ({ claims: { aud: ['https://a.example', AUDIENCE] } })],
    ['with more scopes than are needed', () => ({ claims: { scope: 'openid plants:delete plants:read' } })],
    ['within 5 s after it expired', () => ({ claims: { exp: now() } })],
    ['within 5 s before it begins', () => ({ claims: { nbf: now() + 3 } })],
    ['without a key id, where the provider has one key', () => ({ header: { kid: undefined } })],
  ])('%s', async (_name, members) => {
    await expectAccepted(provider.token(members()));
  });
});

describe('a JWT is refused, with one and the same answer,', () => {
  // RFC 9068, section 4, and RFC 8725, sections 3.8 to 3.12.
  test.each<Change>([
    ['of another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
    ['of the issuer with a slash', () => ({ claims: { iss: `${provider.issuer}/` } })],
    ['without issuer', () => ({ claims: { iss: undefined } })],
    ['for another audience', () => ({ claims: { aud: 'https://animals.example' } })],
    ['for an audience that begins like this one', () => ({ claims: { aud: `${AUDIENCE}.evil.example` } })],
    ['for several others', () => ({ claims: { aud: ['https://a.example', 'https://b.example'] } })],
    ['for no audience', () => ({ claims: { aud: [] } })],
    ['without audience', () => ({ claims: { aud: undefined } })],
    ['of the type JWT', () => ({ header: { typ: 'JWT' } })],
    ['of the type of a logout token', () => ({ header: { typ: 'logout+jwt' } })],
    ['without type', () => ({ header: { typ: undefined } })],
    ['that has expired', () => ({ claims: { exp: now() - 6 } })],
    ['that expires at no number', () => ({ claims: { exp: '9999999999' } })],
    ['that does not expire', () => ({ claims: { exp: undefined } })],
    ['that expires at null', () => ({ claims: { exp: null } })],
    ['that is not valid yet', () => ({ claims: { nbf: now() + 60 } })],
    ['without subject', () => ({ claims: { sub: undefined } })],
    ['with an empty subject', () => ({ claims: { sub: '' } })],
    ['with a subject that is no text', () => ({ claims: { sub: 7 } })],
    ['with an extension that must be understood', () => ({ header: { crit: ['x'], x: 1 } })],
    ['with an empty list of extensions', () => ({ header: { crit: [] } })],
    ['with an unencoded payload (RFC 7797)', () => ({ header: { crit: ['b64'], b64: false } })],
    ['that names a key which the provider has not', () => ({ header: { kid: 'second' } })],
    ['that names another algorithm than the key has', () => ({ header: { alg: 'RS256' } })],
    ['that names an algorithm that is not allowed', () => ({ header: { alg: 'ES384' } })],
    ['whose algorithm is no text', () => ({ header: { alg: ['ES256'] } })],
  ])('%s', async (_name, members) => {
    await expectRefused(provider.token(members()));
  });

  test('signed with another key under the id of a key of the provider', async () => {
    await expectRefused(provider.token({ key: newKey(provider.key.kid) }));
  });

  test.each(['none', 'None', 'NONE', 'nOnE', ''])(
    "without a signature, as alg '%s' (RFC 8725, section 2.1)",
    async (alg) => {
      const [, claims = '', signature = ''] = provider.token().split('.');
      for (const last of ['', signature]) await expectRefused(`${encode({ alg, typ: 'at+jwt' })}.${claims}.${last}`);
    },
  );

  test('signed with the public key as a shared secret (RFC 8725, section 2.1)', async () => {
    const { kid, publicKey } = provider.key;
    const header = { alg: 'HS256', typ: 'at+jwt', kid };
    const jwk = jwkOf(provider.key);
    const pem = publicKey.export({ format: 'pem', type: 'spki' });
    const der = publicKey.export({ format: 'der', type: 'spki' });
    for (const secret of [pem, der, JSON.stringify(jwk), String(jwk['x']), '']) {
      const text = `${encode(header)}.${encode(validClaims(provider.issuer))}`;
      await expectRefused(`${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`);
    }
  });

  test('with a key or a key URL in its header, which is never fetched (RFC 8725, section 3.10)', async () => {
    const stranger = await startKeyServer();
    const { key, issuer } = stranger;
    const url = `${issuer}/keys`;
    const before = [...provider.requests];
    for (const header of [{ jku: url }, { x5u: url }, { jwk: jwkOf(key) }, { x5c: ['MIIB'] }]) {
      await expectRefused(provider.token({ key, header }));
    }
    // Nor do they harm a token that is valid without them.
    await expectAccepted(provider.token({ header: { jku: url, x5u: url, jwk: jwkOf(key) } }));
    expect(stranger.requests).toEqual([]);
    expect(provider.requests).toEqual(before);
    await stranger.close();
  });

  test('that was changed after it was signed, and accepted before', async () => {
    const token = provider.token();
    await expectAccepted(token);
    const [header = '', , signature = ''] = token.split('.');
    const claims = encode({ ...validClaims(provider.issuer), sub: 'admin' });
    await expectRefused(`${header}.${claims}.${signature}`);
    await expectRefused(`${header}.${claims}.${signature.slice(0, -2)}`);
    await expectRefused(`${header}.${claims}.`);
  });

  test.each('a.b.c .. a.. .b. e30.e30.e30 bnVsbA.bnVsbA. a.b.c.d a.b.c.d.e a.b %.%.% a.b.c='.split(' '))(
    "that is malformed: '%s'",
    async (text) => {
      await expectRefused(text);
    },
  );

  test('with claims that are not an object', async () => {
    const { kid, privateKey } = provider.key;
    for (const claims of ['null', '[]', '"x"', '7', '{"sub":"a"', '\u{FEFF}{}']) {
      const text = `${encode({ alg: 'ES256', typ: 'at+jwt', kid })}.${Buffer.from(claims).toString('base64url')}`;
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      await expectRefused(`${text}.${signature.toString('base64url')}`);
    }
  });
});

test('a remembered token is refused from the moment it expires, 5 s for the clocks included', async () => {
  const exp = now();
  const token = provider.token({ claims: { exp } });
  await expectAccepted(token);
  while (now() < exp + 5) await pause(50);
  await expectRefused(token);
});

test('different subjects have different names', () => {
  const long = 'x'.repeat(200);
  const subjects = ['a', 'a ', ' a', 'a\n', 'a\\u{a}', 'a\u{a0}', 'A', 'ä', `${long}1`, `${long}2`, '\ud800', '\udc00'];
  expect(new Set(subjects.map(subjectName)).size).toBe(subjects.length);
  // Who knows the name of a long one cannot take it.
  expect(subjectName(subjectName(long).slice(4))).not.toBe(subjectName(long));
  expect(subjectName(`${'x'.repeat(66)}${'😀'.repeat(30)}`)).not.toMatch(/\p{Surrogate}/u);
  expect(subjectName('auth0|5f7c8ec7')).toBe('jwt:auth0|5f7c8ec7');
});
