import { expect, test } from '@jest/globals';
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
  expect(read({ AUTH_ISSUER: '', AUTH_AUDIENCE: '' })).toEqual({ settings: null, problems: [] });
  expect(read(GOOD).settings).toEqual({
    issuer: 'https://login.example.com/',
    audience: 'plants',
    jwksUrl: null,
    requiredScope: [],
    algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
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
    expect(read({ ...GOOD, AUTH_ISSUER: url, AUTH_JWKS_URL: url }).problems).toEqual([]);
  },
);

/** Values that a setting must refuse. */
const BAD: Readonly<Record<string, readonly string[]>> = {
  AUTH_ISSUER: ['https://a.example/?b'],
  AUTH_AUDIENCE: ['a\n'],
  AUTH_JWKS_URL: [
    ...[
      'login.example.com',
      'http://login.example.com',
      'http://127.0.0.1.example.com',
      'http://localhost.example.com',
    ],
    ...['ftp://login.example.com', 'file:///etc/keys', 'https://user:secret@login.example.com', 'https://'],
    ...['https://login.example.com/#a', 'https://login.example.com/ ', 'https://login.exa\nmple.com/'],
  ],
  AUTH_ALGORITHMS: ['HS256', 'none', 'RS256,HS512', 'RS256,', 'rs256', 'RSA-OAEP'],
  AUTH_REQUIRED_SCOPE: [' ', 'a  b', 'a ', ' a', 'a"b', 'a\\b', 'a\nb', 'ä'],
};

test.each(Object.entries({ ...BAD, AUTH_ISSUER: [...(BAD['AUTH_JWKS_URL'] ?? []), ...(BAD['AUTH_ISSUER'] ?? [])] }))(
  'a bad value of %s is a problem that names the setting and no password',
  (name, values) => {
    for (const value of values) {
      const { problems } = read({ ...GOOD, [name]: value });
      expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} must be `))]);
      expect(problems.join()).not.toContain('secret');
    }
  },
);

test.each([
  [{ AUTH_ISSUER: GOOD.AUTH_ISSUER }, ['AUTH_AUDIENCE']],
  [{ AUTH_AUDIENCE: 'plants', AUTH_JWKS_URL: 'https://k.example' }, ['AUTH_AUDIENCE', 'AUTH_JWKS_URL']],
])('one setting without the other is a problem: %j', (environment, names) => {
  expect(read(environment).problems.map((problem) => problem.split(' ')[0])).toEqual(names);
});
