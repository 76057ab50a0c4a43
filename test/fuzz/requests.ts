import fc from 'fast-check';
import { FRAMINGS, type Framing } from './framings.ts';

/**
 * A request as the grammar draws it. {I} stands for the id of a plant, {E} for its
 * percent-encoding, {M} for the id of a missing plant, and {T} for a token.
 */
export interface RequestDraft {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly string[];
  readonly framing: Framing | undefined;
  readonly content: string;
  readonly lineEnd: string;
  /** Which of the case's plants {I} is. */
  readonly slot: number;
  /** Which of the invalid tokens {T} is, in a case that has no valid one. */
  readonly token: number;
}

/** Lengths around the limits of a request line and headers, and far beyond. */
const LONG = [7_900, 8_192, 20_000].map((length) => 'x'.repeat(length));
const PLAIN = { method: 'DELETE', target: '/plants/{I}', version: 'HTTP/1.1' };
const AUTHORIZATION = 'Authorization: Bearer {T}';
/** A whole request in a place where none is looked for. */
const SMUGGLED = `DELETE /plants/{I} HTTP/1.1\r\nHost: plants\r\n${AUTHORIZATION}\r\n\r\n`;

// Without HEAD: where its response ends cannot be told without the request.
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY', 'PRI', 'DELETE\t', ''];
const WRONG_CASE = ['delete', 'Delete', 'DELET', 'DELETED'];
const SUFFIXES = '? / // # ?x=1 ?id={M} ?access_token=x ?% ?a[b]=1 ?__proto__=1 ?\x80=1'.split(' ');
const IDS = [
  ' {E} +{I} 0{I} {I}.0 {I}e0 %20{I} {I}%20 {I}%0A {I}%00 {I};x {I},{I} -0 {M} 0x10 1e3 NaN Infinity null',
  'true [1] {I}n %FF %C0%80 % %1 %2F .. 9223372036854775808 -9223372036854775809 \xb2 %D9%A1 %25{I} constructor',
  '9'.repeat(400),
].flatMap((texts) => texts.split(' '));
const TARGETS = [
  '* /  /plants /PLANTS/{I} //plants/{I} /plants/x/../{I} /./plants/{I} /openapi.yaml http://plants/plants/{I}',
  'HTTPS://a@[::1]:1/plants/{I} http://plants plants/{I} plants:80 \\ /% /%70lants/{I} /plants%2F{I} /plants\\{I}',
  '/metrics /livez /__proto__',
  ...LONG.map((x) => `/${x}`),
].flatMap((texts) => texts.split(' '));
const VERSIONS = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/2.0', 'http/1.1', 'HTTP/11', 'HTTP/1.1 ', 'ICE/1.0', ''];
const AUTHORIZATIONS = [
  'authorization: bearer {T}|AUTHORIZATION:BEARER   {T}  |Authorization: Basic {T}|Authorization: {T}|Authorization:',
  'Authorization: Bearer|Authorization: Bearer {T} {T}|Authorization: Bearer {T},{T}|Authorization: Bearer "{T}"',
  'Authorization: Bearer\t{T}|Authorization: Bearer: {T}|Authorization: Bearer \x80\xff|Proxy-Authorization: {T}',
  `Authorization: Digest a="b", c=d|Authorization: Bearer ${LONG[0] ?? ''}|${AUTHORIZATION}\r\n${AUTHORIZATION}`,
  `${AUTHORIZATION}\r\nAuthorization: Basic eA==|Cookie: token={T}`,
].flatMap((texts) => texts.split('|'));
const HOSTS = ['', 'Host:', 'host: a, b', 'Host: plants\r\nHost: plants', 'Host: \xff', 'Host: plants:99999'];
const OTHERS = [
  'Connection: close|Connection: keep-alive|Connection: Upgrade\r\nUpgrade: websocket|Upgrade: h2c|X-Request-Id: a',
  'Expect: 100-continue|Expect: 200-ok|Expect: 100-continue, x|X-Request-Id: \xff|X-Request-Id: a\r\nX-Request-Id: b',
  `X-Request-Id: ${'i'.repeat(65)}|traceparent: 00-x|Accept: text/html|Content-Type: application/json|Content-Type: x`,
  'Content-Type: \xe4/*|X-Forwarded-For: 1.2.3.4, ::1, x|X-HTTP-Method-Override: GET|If-Match: *|Range: bytes=0-1',
  'TE: trailers|Trailer: x|Via: 9.9 x|no colon| folded|\tfolded|Bad Name: x|Name : x|: x|X: \x00|X: \x7f|X:|X: \x80\r',
  ['__proto__: x', ...LONG.map((x) => `X: ${x}`), Array(120).fill('a: b').join('\r\n')].join('|'),
].flatMap((texts) => texts.split('|'));
const CONTENTS = [
  '',
  '{"id":{M}}',
  SMUGGLED,
  '\x00\xff',
  '0\r\n\r\n',
  'x'.repeat(3_000),
  '\r\n\r\n',
  'GPOST / HTTP/1.1\r\nX: ',
];

/** Mostly the first; otherwise one of the rest. */
function mostly<T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(usual, ...others) },
  );
}

const ids = fc.oneof(
  fc.constantFrom(...IDS).map((id) => `/plants/${id}`),
  fc.constantFrom(...SUFFIXES).map((suffix) => `${PLAIN.target}${suffix}`),
  fc.constantFrom(...TARGETS),
);

/** A request like those of honest clients, wrong in none, one or a few places. */
export const strangeRequest: fc.Arbitrary<RequestDraft> = fc
  .record({
    method: mostly(PLAIN.method, ...METHODS, ...WRONG_CASE),
    target: fc.oneof(fc.constant(PLAIN.target), ids),
    version: mostly(PLAIN.version, ...VERSIONS),
    host: mostly('Host: plants', ...HOSTS),
    authorization: fc.oneof(fc.constant(AUTHORIZATION), mostly(AUTHORIZATION, '', ...AUTHORIZATIONS)),
    others: fc.oneof(fc.constant([]), fc.array(fc.constantFrom(...OTHERS), { minLength: 1, maxLength: 3 })),
    framing: fc.option(fc.constantFrom(...FRAMINGS), { freq: 2, nil: undefined }),
    content: fc.constantFrom(...CONTENTS),
    lineEnd: mostly('\r\n', '\n', '\r', '\n\r', '\r\r\n'),
    slot: fc.nat(3),
    token: fc.nat(100),
  })
  .map(({ host, authorization, others, ...rest }) => ({
    ...rest,
    headers: [host, authorization, ...others].filter((header) => header !== ''),
  }));

/** A request that deletes a plant, or finds it gone, when its token is valid. */
export const plainRequest: fc.Arbitrary<RequestDraft> = fc.record({
  method: fc.constant(PLAIN.method),
  target: fc.constant(PLAIN.target),
  version: fc.constant(PLAIN.version),
  headers: fc.constant(['Host: plants', AUTHORIZATION]),
  framing: fc.constant(undefined),
  content: fc.constant(''),
  lineEnd: fc.constant('\r\n'),
  slot: fc.nat(3),
  token: fc.nat(100),
});
