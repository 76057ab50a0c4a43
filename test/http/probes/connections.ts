import {
  PATH,
  declined,
  refused,
  served,
  servedLast,
  servedThenRefused,
  SMUGGLED,
  withHeaders,
  withLine,
  type Probes,
} from './probe.ts';

const WEBSOCKET = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];
const H2C = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAM'];

/** What follows a request, and what is not one (RFC 9110, sections 7.8, 9.3.6, 10.1.1). */
export const CONNECTIONS: Probes = {
  'Connection: close': servedLast(withHeaders('Connection: close')),
  // RFC 9112, section 9.6: nothing behind a request or an answer that closes may be processed.
  'Connection: close, and another request behind it': servedLast(withHeaders('Connection: close') + SMUGGLED),
  'HTTP/1.0, and another request behind it': servedLast(withLine(`DELETE ${PATH} HTTP/1.0`) + SMUGGLED),
  'an offer of WebSocket': servedLast(withHeaders(...WEBSOCKET)),
  'an offer of WebSocket, and another request behind it': servedLast(withHeaders(...WEBSOCKET) + SMUGGLED),
  'an offer of HTTP/2': servedLast(withHeaders(...H2C)),
  'an offer of HTTP/2, and another request behind it': servedLast(withHeaders(...H2C) + SMUGGLED),
  'CONNECT, and another request behind it': refused(withLine('CONNECT plants:80 HTTP/1.1') + SMUGGLED, 501),
  'CONNECT and a path': refused(withLine(`CONNECT ${PATH} HTTP/1.1`) + SMUGGLED, 501),
  'Expect: 100-continue and no body': servedLast(withHeaders('Expect: 100-continue')),
  'Expect: 100-continue and no body, and another request behind it': servedLast(
    withHeaders('Expect: 100-continue') + SMUGGLED,
  ),
  'Expect: 100-continue and a body that is a DELETE of the neighbour': refused(
    withHeaders('Expect: 100-continue', 'Content-Length: {length}') + SMUGGLED,
  ),
  'Expect: 100-continue and a chunked body': refused(
    withHeaders('Expect: 100-continue', 'Transfer-Encoding: chunked') + `0\r\n\r\n${SMUGGLED}`,
  ),
  'Expect: 100-continue, another method and a body that is a DELETE of the neighbour': refused(
    withLine(`POST ${PATH} HTTP/1.1`, 'Expect: 100-continue', 'Content-Length: {length}') + SMUGGLED,
    405,
  ),
  'an unknown expectation': refused(withHeaders('Expect: 200-ok') + SMUGGLED, 417),
  'an unknown expectation and a body': refused(withHeaders('Expect: x', 'Content-Length: {length}') + SMUGGLED, 417),
  'garbage behind it': servedThenRefused(`${withHeaders()}garbage\r\n\r\n`),
  'CONNECT behind it': servedThenRefused(withHeaders() + withLine('CONNECT plants:80 HTTP/1.1'), 501),
  'an unknown expectation behind it': servedThenRefused(withHeaders() + withHeaders('Expect: x') + SMUGGLED, 417),
  'an unknown expectation and garbage behind it': servedThenRefused(
    `${withHeaders()}${withHeaders('Expect: x')}@`,
    417,
  ),
  'headers that are too large behind it': servedThenRefused(
    withHeaders() + withHeaders(`X: ${'x'.repeat(9_000)}`),
    431,
  ),
  'a DELETE of HTTP/0.9 behind it': servedThenRefused(`${withHeaders()}DELETE /plants/{neighbour}\r\n\r\n`),
  'a DELETE in lower case behind it': servedThenRefused(withHeaders() + SMUGGLED.replace('DELETE', 'delete'), 501),
  'a DELETE with a space before a colon behind it': servedThenRefused(
    withHeaders() + SMUGGLED.replace('Host:', 'Host :'),
  ),
  'a DELETE behind a byte order mark behind it': servedThenRefused(`${withHeaders()}\xef\xbb\xbf${SMUGGLED}`),
  'a DELETE with a body behind it': servedThenRefused(
    withHeaders() + withLine('DELETE /plants/{neighbour} HTTP/1.1', 'Content-Length: {length}') + SMUGGLED,
  ),
  'an empty line behind it': served(`${withHeaders()}\r\n`),
  'no token, and the token with the request behind it': declined(
    401,
    `DELETE ${PATH} HTTP/1.1\r\nHost: plants\r\n\r\n`,
  ),
};
