import type { Fault } from './fault.ts';

const JWT = ['test/auth/jwt/jwt-verifier.test.ts'];
const JWT_SIGNATURES = ['test/auth/jwt/signatures.test.ts'];
const JWT_DOCUMENTS = ['test/auth/jwt/documents.test.ts'];
const JWT_KEYS = ['test/auth/jwt/keys.test.ts'];
const JWT_PROVIDER = ['test/auth/jwt/provider.test.ts'];
const SCOPES = ['test/contract/scopes.test.ts'];
const SETTINGS = ['test/auth/jwt/identity-provider.test.ts'];

/** Faults with which the tokens of an identity provider are believed more, or less, than they deserve. */
export const JWT_FAULTS: readonly Fault[] = [
  {
    name: 'a JWT of any issuer is accepted',
    file: 'src/auth/jwt/jwt-verifier.ts',
    from: '    issuer,\n    audience,\n    algorithms:',
    to: '    audience,\n    algorithms:',
    tests: JWT,
  },
  {
    name: 'a JWT for any audience is accepted',
    file: 'src/auth/jwt/jwt-verifier.ts',
    from: '    issuer,\n    audience,\n    algorithms:',
    to: '    issuer,\n    algorithms:',
    tests: JWT,
  },
  {
    name: 'a JWT of any type is accepted, an ID token too',
    file: 'src/auth/jwt/jwt-verifier.ts',
    from: "    typ: 'at+jwt',\n",
    to: '',
    tests: JWT_PROVIDER,
  },
  {
    name: 'a JWT may do without exp',
    file: 'src/auth/jwt/jwt-verifier.ts',
    from: `if (typeof exp !== 'number' || !Number.isFinite(exp)) throw new errors.JWTInvalid('"exp" claim must be a number');`,
    to: "if (typeof exp !== 'number') return { token, principal: { name: subjectName(sub) }, exp: Infinity, hasScope: true };",
    tests: JWT,
  },
  {
    name: 'a JWT may do without sub',
    file: 'src/auth/jwt/jwt-verifier.ts',
    from: `if (typeof sub !== 'string' || sub === '') throw new errors.JWTInvalid('"sub" claim must be a non-empty string');`,
    to: "if (typeof sub !== 'string') return { token, principal: { name: 'nobody' }, exp: payload.exp ?? 0, hasScope: true };",
    tests: JWT,
  },
  {
    name: 'a JWT is accepted long after it has expired',
    file: 'src/auth/jwt/jwt-verifier.ts',
    from: 'const CLOCK_TOLERANCE = 5;',
    to: 'const CLOCK_TOLERANCE = 3_600;',
    tests: JWT,
  },
  {
    name: 'a remembered JWT never expires',
    file: 'src/auth/jwt/jwt-verifier.ts',
    from: 'known?.token === token && !hasExpired(known)',
    to: 'known?.token === token',
    tests: JWT,
  },
  {
    name: 'a remembered signature is good for any claims',
    file: 'src/auth/jwt/jwt-verifier.ts',
    from: 'known?.token === token && !hasExpired(known)',
    to: 'known !== undefined && !hasExpired(known)',
    tests: JWT,
  },
  {
    name: 'a JWT may be signed by any algorithm',
    file: 'src/auth/jwt/jwt-verifier.ts',
    from: '    algorithms: [...algorithms],\n',
    to: '',
    tests: JWT_SIGNATURES,
  },
  {
    name: 'the required scope is not asked for',
    file: 'src/auth/jwt/jwt-verifier.ts',
    from: 'if (hasScope) return principal;',
    to: 'if (hasScope || principal.name.length > 0) return principal;',
    tests: SCOPES,
  },
  {
    name: 'one of the required scopes is enough',
    file: 'src/auth/jwt/jwt-verifier.ts',
    from: 'requiredScope.every(',
    to: 'requiredScope.some(',
    tests: SCOPES,
  },
  {
    name: 'a scope is found in a longer one',
    file: 'src/auth/jwt/jwt-verifier.ts',
    from: "scope.split(' ') : [];",
    to: 'requiredScope.filter((one) => scope.includes(one)) : [];',
    tests: SCOPES,
  },
  {
    name: 'a JWT is remembered although its key was withdrawn',
    file: 'src/auth/jwt/jwt-verifier.ts',
    from: '    if (keySet !== verifiedBy) cache.clear();\n',
    to: '',
    tests: JWT_KEYS,
  },
  {
    name: 'a JWT that cannot be verified for want of keys is called invalid',
    file: 'src/auth/jwt/provider-keys.ts',
    from: "    'providerUnavailable',",
    to: "    'invalidToken',",
    tests: JWT_KEYS,
  },
  {
    name: 'keys are good for ever without their provider',
    file: 'src/auth/jwt/provider-keys.ts',
    from: 'cacheMaxAge: maxAge,',
    to: 'cacheMaxAge: Infinity,',
    tests: JWT_KEYS,
  },
  {
    name: 'each unknown key id asks the provider',
    file: 'src/auth/jwt/provider-keys.ts',
    from: 'if (now < this.#notBefore) throw',
    to: 'if (now < 0) throw',
    tests: JWT_KEYS,
  },
  {
    name: 'a weak key of the provider is used',
    file: 'src/auth/jwt/provider-keys.ts',
    from: '>= 256)',
    to: '> 0)',
    tests: JWT_SIGNATURES,
  },
  {
    name: 'the metadata of another issuer are believed',
    file: 'src/auth/jwt/discovery.ts',
    from: "metadata['issuer'] !== issuer",
    to: "metadata['issuer'] === ''",
    tests: JWT_DOCUMENTS,
  },
  {
    name: 'a request for keys follows redirects',
    file: 'src/auth/jwt/fetch-json.ts',
    from: "redirect: 'error'",
    to: "redirect: 'follow'",
    tests: JWT_DOCUMENTS,
  },
  {
    name: 'a document of the provider may be of any size',
    file: 'src/auth/jwt/fetch-json.ts',
    from: 'if (size > MAX_SIZE)',
    to: 'if (size > 1e9)',
    tests: JWT_DOCUMENTS,
  },
  {
    name: 'a provider is asked over http, which anybody on the way can answer',
    file: 'src/auth/jwt/provider-url.ts',
    from: "(url.protocol === 'http:' && isLoopback(url))",
    to: "url.protocol === 'http:'",
    tests: SETTINGS,
  },
  {
    name: 'shared secrets may verify JWTs',
    file: 'src/auth/jwt/identity-provider.ts',
    from: "'RS256 RS384",
    to: "'HS256 RS256 RS384",
    tests: SETTINGS,
  },
  {
    name: 'subjects can write what they like into the log',
    file: 'src/auth/jwt/subject-name.ts',
    from: 'subject.replaceAll(/[\\\\\\p{C}\\p{Z}]/gu, escape)',
    to: 'subject.replaceAll(/[]/gu, escape)',
    tests: ['test/auth/jwt/limits.test.ts'],
  },
];
