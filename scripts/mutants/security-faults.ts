import type { Fault } from './fault.ts';

const OPERATIONS = ['test/contract/operations.test.ts'];
const SECURITY = ['test/contract/security.test.ts'];
const VERIFY_TOKEN = ['test/auth/verify-token.test.ts'];

/** Faults with which somebody gets in, or learns more than they should. */
export const SECURITY_FAULTS: readonly Fault[] = [
  {
    name: 'the token check is skipped',
    file: 'src/contract/mount.ts',
    from: "response.locals['principal'] = await target.authenticate(request);",
    to: '',
    tests: OPERATIONS,
  },
  {
    name: 'an expired token is accepted',
    file: 'src/auth/verify-token.ts',
    from: '(expiresAt === null || Date.now() < expiresAt)',
    to: '(expiresAt === null || expiresAt > 0)',
    tests: OPERATIONS,
  },
  {
    name: 'a revoked token is accepted',
    file: 'src/auth/verify-token.ts',
    from: 'return revokedAt === null && ',
    to: 'return (revokedAt === null || revokedAt > 0) && ',
    tests: OPERATIONS,
  },
  {
    name: 'an unknown token is accepted',
    file: 'src/auth/bearer.ts',
    from: 'done(null, principal ?? false);',
    to: "done(null, principal ?? { name: 'unknown' });",
    tests: OPERATIONS,
  },
  {
    name: 'a token is remembered for ever, revoked or not',
    file: 'src/auth/verify-token.ts',
    from: '{ max: CACHE_SIZE, ttl: CACHE_TTL }',
    to: '{ max: CACHE_SIZE, ttl: CACHE_TTL * 1e6 }',
    tests: VERIFY_TOKEN,
  },
  {
    name: 'the name of the scheme is not checked',
    file: 'src/auth/bearer.ts',
    from: 'authorization: withOneSpace(authorization)',
    to: "authorization: (authorization ?? '').replace(/^\\S+ +/, 'Bearer ')",
    tests: OPERATIONS,
  },
  {
    name: 'a token is accepted from the query',
    file: 'src/auth/bearer.ts',
    from: 'return ({ headers: { authorization } }) =>',
    to: "return ({ url, headers: { authorization = url?.replace(/^.*access_token=/, 'Bearer ') } }) =>",
    tests: OPERATIONS,
  },
  {
    name: 'two Authorization headers are accepted',
    file: 'src/unambiguous.ts',
    from: 'if (hasAuthorization) throw repeated(lower);',
    to: '',
    tests: OPERATIONS,
  },
  {
    name: 'a second Authorization behind 2,000 headers is not seen',
    file: 'src/server.ts',
    from: 'server.maxHeadersCount = 0;',
    to: 'server.maxHeadersCount = 50;',
    tests: ['test/contract/requests.test.ts'],
  },
  {
    name: 'validation comes before authentication',
    file: 'src/contract/mount.ts',
    from: `    response.locals['principal'] = await target.authenticate(request);
    const queryString = end === -1 ? '' : url.slice(end + 1);
    const read = target.validator.request(request, response, params, queryString);
    const valid = read instanceof Promise ? await read : read;
`,
    to: `    const queryString = end === -1 ? '' : url.slice(end + 1);
    const read = target.validator.request(request, response, params, queryString);
    const valid = read instanceof Promise ? await read : read;
    response.locals['principal'] = await target.authenticate(request);
`,
    tests: OPERATIONS,
  },
  {
    name: 'the checksum of a token is not checked',
    file: 'src/auth/token.ts',
    from: 'return FORM.test(text) && ',
    to: 'return FORM.test(text) || ',
    tests: ['test/auth/token.test.ts'],
  },
  {
    name: 'WWW-Authenticate is missing without a token',
    file: 'src/auth/bearer.ts',
    from: "{ headers: { 'WWW-Authenticate': bearerChallenge() } }",
    to: '{}',
    tests: OPERATIONS,
  },
  {
    name: 'WWW-Authenticate does not say invalid_token',
    file: 'src/auth/bearer.ts',
    from: "bearerChallenge({ error: 'invalid_token' })",
    to: 'bearerChallenge()',
    tests: OPERATIONS,
  },
  {
    name: 'a revoked token is told from an unknown one',
    file: 'src/auth/verify-token.ts',
    from: '  return record !== undefined && isValid(record) ? record : undefined;',
    to: `  if (typeof record?.revokedAt === 'number') throw new Error('revoked');
  return record !== undefined && isValid(record) ? record : undefined;`,
    tests: ['test/auth/bearer.test.ts'],
  },
  {
    name: 'a message repeats the token',
    file: 'src/auth/bearer.ts',
    from: "'The access token is not valid: ask the operator of the service for a new one.'",
    to: '`The access token ${authorization} is not valid.`',
    tests: OPERATIONS,
  },
  {
    name: 'the log holds the token',
    file: 'src/request-log.ts',
    from: 'operation: operation ?? null,',
    to: 'operation: operation ?? null, headers: request.headers,',
    tests: ['test/log.test.ts'],
  },
  {
    name: 'a scheme without verifier lets everybody through',
    file: 'src/contract/authenticate.ts',
    from: 'if (verifier !== undefined) return verifier;',
    to: "if (verifier !== undefined || scheme !== '') return verifier ?? (() => ({ name: 'anybody' }));",
    tests: ['test/contract/start.test.ts'],
  },
  {
    name: 'a scheme that no operation names needs no verifier',
    file: 'src/contract/mount.ts',
    from: 'requireVerifiers(contract, verifiers);',
    to: 'requireVerifiers({ ...contract, document: { ...contract.document, components: {} } }, verifiers);',
    tests: ['test/contract/start.test.ts'],
  },
  {
    name: 'of schemes that are needed together one is enough',
    file: 'src/contract/authenticate.ts',
    from: 'of schemes) principal',
    to: 'of schemes.slice(-1)) principal',
    tests: SECURITY,
  },
  {
    name: 'of alternatives only the first is tried',
    file: 'src/contract/authenticate.ts',
    from: 'const schemes of alternatives',
    to: 'const schemes of alternatives.slice(0, 1)',
    tests: SECURITY,
  },
  {
    name: 'credentials that do not suffice hide others that would',
    file: 'src/contract/authenticate.ts',
    from: 'const REFUSALS = [401, 403];',
    to: 'const REFUSALS = [401];',
    tests: SECURITY,
  },
  {
    name: 'a verifier that cannot tell is overruled by another',
    file: 'src/contract/authenticate.ts',
    from: '|| !REFUSALS.includes(error.status)) throw error;',
    to: ') throw error;',
    tests: SECURITY,
  },
  {
    name: 'the security of the whole contract is not inherited',
    file: 'src/contract/load.ts',
    from: 'definition.security ?? document.security ?? []',
    to: 'definition.security ?? []',
    tests: SECURITY,
  },
];
