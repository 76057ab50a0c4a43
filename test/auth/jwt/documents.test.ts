import { afterEach, describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { jwkOf, newKey } from '../../support/key-server.ts';
import { deletePlant, expectError } from '../../support/send.ts';
import { plantsIn } from '../../support/service.ts';
import { ProvidedService } from './provided-service.ts';

const TIMES = { coolDown: 1 };
const at = new ProvidedService();
const { start, statusOf } = at;

describe('the metadata of the provider', () => {
  afterEach(at.expectKept);

  test.each([
    ['of another issuer', { issuer: 'https://evil.example' }],
    ['without issuer', { issuer: undefined }],
    ['without jwks_uri', { jwks_uri: undefined }],
    ['whose jwks_uri is not safe', { jwks_uri: 'http://keys.example/' }],
    ['whose jwks_uri is a file', { jwks_uri: 'file:///etc/hosts' }],
  ])('are rejected with 503: %s', async (_name, change) => {
    at.provider.answer = (_request, response) =>
      response.end(JSON.stringify({ issuer: at.provider.issuer, jwks_uri: `${at.provider.issuer}/keys`, ...change }));
    await start({}, TIMES);
    expectError(await deletePlant(at.service, 1n, { token: at.provider.token() }), 50303);
    expect(at.provider.requests).not.toContain('/keys');
  });

  test('are found where RFC 8414 has them, too', async () => {
    const issuer = `${at.provider.issuer}/tenant`;
    const documents: Record<string, object> = {
      '/.well-known/oauth-authorization-server/tenant': { issuer, jwks_uri: `${at.provider.issuer}/keys` },
      '/keys': { keys: [jwkOf(at.provider.key)] },
    };
    at.provider.answer = ({ url = '' }, response) => {
      if (documents[url] === undefined) response.writeHead(404);
      response.end(JSON.stringify(documents[url]));
    };
    await start({ issuer });
    expect(await statusOf(at.provider.token({ claims: { iss: issuer } }))).toBe(404);
    expect(at.provider.requests[0]).toBe('/tenant/.well-known/openid-configuration');
  });

  test('are not asked for where AUTH_JWKS_URL says where the keys are', async () => {
    await start({ jwksUrl: new URL(`${at.provider.issuer}/keys`) }, TIMES);
    expect(await statusOf(at.provider.token())).toBe(404);
    expect(at.provider.requests).toEqual(['/keys']);
  });
});

describe('a key set is rejected, so that unknown keys get 503 and known keys keep working, when it is', () => {
  afterEach(at.expectKept);

  const second = newKey('second');
  const document = JSON.stringify({ keys: [jwkOf(second)] });
  const LONG = { 'Content-Length': 9_999 };
  const silent: RequestListener = () => undefined;
  test.each<[string, RequestListener]>([
    ['answered with an error', (_request, response) => response.writeHead(503).end(document)],
    ['not answered in time', silent],
    ['cut off', (_, response) => response.writeHead(200, LONG).write(document, () => response.destroy())],
    ['no JSON', (_request, response) => response.end('{"keys":')],
    ['no key set', (_request, response) => response.end('null')],
    ['without any key', (_request, response) => response.end('{"keys":[]}')],
    ['with shared secrets only', (_request, response) => response.end('{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}')],
    ['larger than 256 KiB', (_request, response) => response.end(document + ' '.repeat(300_000))],
    ['elsewhere', (_, response) => response.writeHead(302, { Location: '/elsewhere' }).end(document)],
  ])('%s', async (_name, answer) => {
    const times = answer === silent ? { ...TIMES, timeout: 3_000 } : TIMES;
    await start({ jwksUrl: new URL(`${at.provider.issuer}/keys`) }, times);
    const seen = at.provider.token();
    expect(await statusOf(seen)).toBe(404);
    at.provider.answer = answer;
    expectError(await deletePlant(at.service, 1n, { token: at.provider.token({ key: second }) }), 50303);
    expect(await statusOf(at.provider.token())).toBe(404);
    expect(at.provider.requests).not.toContain('/elsewhere');
    at.provider.answer = (_request, response) => response.end(document);
    expect(await statusOf(at.provider.token({ key: second }))).toBe(404);
    // It has the second key only: tokens of the first are refused, cached or not.
    for (const token of [seen, at.provider.token()]) expect(await statusOf(token)).toBe(401);
  });
});

test('a signature is accepted by the algorithms of AUTH_ALGORITHMS only', async () => {
  await start({ algorithms: ['RS256'] });
  await expectJudged([at.provider.token()], []);
});

test('a key of the provider that is too weak signs nothing (RFC 7518, section 3.3)', async () => {
  const weak = { kid: 'weak', ...generateKeyPairSync('rsa', { modulusLength: 1024 }) };
  const strong = { kid: 'strong', ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
  at.provider.keys = [weak, strong, at.provider.key];
  await start();
  const [refused = '', accepted = ''] = [weak, strong].map((key) =>
    at.provider.token({ key, header: { alg: 'RS256' } }),
  );
  await expectJudged([refused], [accepted]);
});

test('a key of the provider that is broken signs nothing, and harms no other', async () => {
  const broken = [
    { ...jwkOf(newKey('broken')), x: 'AAAA' },
    { kty: 'RSA', kid: 'empty' },
    { kty: 'RSA', kid: 'zeros', n: 'A'.repeat(344), e: 'AQAB' },
    { kty: 'RSA', kid: 'not base64url', n: '!'.repeat(344), e: 'AQAB' },
  ];
  const answer = JSON.stringify({ keys: [...broken, null, 7, jwkOf(at.provider.key)] });
  at.provider.answer = (_request, response) => response.end(answer);
  await start({ jwksUrl: new URL(at.provider.issuer) });
  const refused = broken.map(({ kid, kty }) =>
    at.provider.token({ header: { kid, alg: kty === 'RSA' ? 'RS256' : 'ES256' } }),
  );
  await expectJudged(refused, [at.provider.token()]);
});

test('a token without a key id is refused if several keys of the provider fit', async () => {
  at.provider.keys = [at.provider.key, newKey('second')];
  await start();
  await expectJudged([at.provider.token({ header: { kid: undefined } })], [at.provider.token()]);
});

/** Expects some tokens to be refused, and others to delete a plant. */
async function expectJudged(refused: readonly string[], accepted: readonly string[]): Promise<void> {
  for (const token of refused) expectError(await deletePlant(at.service, 1n, { token }), 40101);
  for (const token of accepted) expect((await deletePlant(at.service, 2n, { token })).status).toBe(204);
  expect(await plantsIn(at.service.stores)).toEqual(accepted.length === 0 ? [1n, 2n, 3n] : [1n, 3n]);
}
