import { describe, expect, test } from '@jest/globals';
import type { IdentityProvider } from '../../../src/auth/jwt/identity-provider.ts';
import { readConfig } from '../../../src/config.ts';
import { OperatorError } from '../../../src/errors.ts';

const GOOD = { AUTH_ISSUER: 'https://login.example.com/', AUTH_AUDIENCE: 'plants' };

function read(environment: Record<string, string>): { settings: IdentityProvider | null; problems: string[] } {
  try {
    return { settings: readConfig(environment).identityProvider, problems: [] };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const [, problems = ''] = /^Bad settings: (.*)\.$/s.exec(error.message) ?? [];
    return { settings: null, problems: problems.split('; ') };
  }
}

test('without settings there is no identity provider; with an issuer and an audience there is one', () => {
  expect(read({})).toEqual({ settings: null, problems: [] });
  expect(read({ AUTH_ISSUER: '', AUTH_AUDIENCE: '' })).toEqual({ settings: null, problems: [] });
  expect(read(GOOD)).toEqual({
    settings: {
      issuer: 'https://login.example.com/',
      audience: 'plants',
      jwksUrl: null,
      requiredScope: [],
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
    },
    problems: [],
  });
  const more = {
    AUTH_REQUIRED_SCOPE: 'a b:c',
    AUTH_ALGORITHMS: 'ES512, RS256',
    AUTH_JWKS_URL: 'https://k.example/?p=1',
  };
  expect(read({ ...GOOD, ...more }).settings).toMatchObject({
    jwksUrl: new URL('https://k.example/?p=1'),
    requiredScope: ['a', 'b:c'],
    algorithms: ['ES512', 'RS256'],
  });
});

test.each(['http://127.0.0.1:8080/realms/a', 'http://[::1]:8080', 'http://localhost'])(
  'a provider on this machine, %s, needs no TLS',
  (url) => {
    expect(read({ ...GOOD, AUTH_ISSUER: url, AUTH_JWKS_URL: url })).toMatchObject({
      settings: { issuer: url },
      problems: [],
    });
  },
);

describe('is named as a problem:', () => {
  const BAD_URLS = [
    'login.example.com',
    'http://login.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'ftp://login.example.com',
    'file:///etc/keys',
    'https://user:secret@login.example.com',
    'https://login.example.com/#a',
    'https://login.example.com/ ',
    'https://login.exa\nmple.com/',
    'https://',
  ];
  test.each(BAD_URLS)("the URL '%s'", (url) => {
    expect(read({ ...GOOD, AUTH_ISSUER: url }).problems).toEqual([
      expect.stringMatching(/^AUTH_ISSUER must be an https URL/),
    ]);
    const { problems } = read({ ...GOOD, AUTH_JWKS_URL: url });
    expect(problems).toEqual([expect.stringMatching(/^AUTH_JWKS_URL must be an https URL/)]);
    expect(problems.join()).not.toContain('secret');
  });

  test.each(['HS256', 'none', 'RS256,HS512', 'RS256,', 'rs256', 'RSA-OAEP'])("the algorithms '%s'", (names) => {
    expect(read({ ...GOOD, AUTH_ALGORITHMS: names }).problems).toEqual([
      `AUTH_ALGORITHMS must be some of RS256,RS384,RS512,PS256,PS384,PS512,ES256,ES384,ES512,EdDSA,Ed25519, not '${names}'`,
    ]);
  });

  test.each([' ', 'a  b', 'a ', ' a', 'a"b', 'a\\b', 'a\nb', 'ä'])("the scope '%s'", (scope) => {
    expect(read({ ...GOOD, AUTH_REQUIRED_SCOPE: scope }).problems).toEqual([
      expect.stringMatching(/^AUTH_REQUIRED_SCOPE must be scopes with a space between them/),
    ]);
  });

  test.each([
    [
      { AUTH_ISSUER: GOOD.AUTH_ISSUER },
      ['AUTH_AUDIENCE must be set with AUTH_ISSUER: what its tokens call this service'],
    ],
    [
      { AUTH_AUDIENCE: 'plants', AUTH_JWKS_URL: 'https://k.example' },
      ['AUTH_AUDIENCE needs AUTH_ISSUER', 'AUTH_JWKS_URL needs AUTH_ISSUER'],
    ],
  ])('one setting without the other: %j', (environment, problems) => {
    expect(read(environment).problems).toEqual(problems);
  });

  test('an issuer with a query, an audience with a control character', () => {
    expect(read({ AUTH_ISSUER: 'https://a.example/?b', AUTH_AUDIENCE: 'a\n' }).problems).toEqual([
      expect.stringMatching(/^AUTH_ISSUER /),
      expect.stringMatching(/^AUTH_AUDIENCE /),
    ]);
  });
});
