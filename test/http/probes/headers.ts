import { AUTHORIZATION, declined, named, PATH, refused, served, withHeaders, withLine, type Probes } from './probe.ts';

const LINE = `DELETE ${PATH} HTTP/1.1`;

/** Line ends, folds, spaces and bytes that no header has, in its name or value. */
const MALFORMED =
  'X: y\nZ: y|X: y\rz|X: y\rTransfer-Encoding: chunked|X: y\r|X: y\n\rZ: y|X: y\r\n z|X: y\r\n\tz| X: y|' +
  'X\0: y|X: y\0z|X: y\x01z|X: y\x7fz|X\x7f: y|X : y|X\t: y|X Y: z|X\tY: z|[X]: y|X\xe4: y|' +
  '\xef\xbb\xbfX: y|: y|X|Authorization: Bearer nobody';

/** The syntax of headers (RFC 9112, sections 2.2 and 5; RFC 9110, section 5.5). */
export const HEADERS: Probes = {
  'a bare LF behind every line': refused(withHeaders('X: y').replaceAll('\r\n', '\n')),
  'a bare LF behind its request line': refused(withHeaders().replace('\r\n', '\n')),
  ...named('the header', (line) => refused(withHeaders(line)), MALFORMED),
  'a bare LF at the end of its headers': refused(withHeaders('X: y').replace(/\r\n$/, '\n')),
  'a bare CR behind every line': refused(withHeaders('X: y').replaceAll('\r\n', '\r')),
  'a folded token': refused(`${LINE}\r\nHost: plants\r\nAuthorization: Bearer\r\n {token}\r\n\r\n`),
  'a space before its first header': refused(`${LINE}\r\n Host: plants\r\n${AUTHORIZATION}\r\n\r\n`),
  'a line of spaces before its first header': refused(`${LINE}\r\n  \r\nHost: plants\r\n${AUTHORIZATION}\r\n\r\n`),
  'a NUL behind its token': refused(`${LINE}\r\nHost: plants\r\n${AUTHORIZATION}\0\r\n\r\n`),
  'a space before the colon of Host': refused(`${LINE}\r\nHost : plants\r\n${AUTHORIZATION}\r\n\r\n`),
  'a space before the colon of Authorization': refused(
    `${LINE}\r\nHost: plants\r\nAuthorization : Bearer {token}\r\n\r\n`,
  ),
  'two Authorization headers, the same': refused(withHeaders(AUTHORIZATION)),
  'two tokens in a list': declined(401, `${LINE}\r\nHost: plants\r\n${AUTHORIZATION}, Bearer {token}\r\n\r\n`),
  'its token in a trailing header of another name': declined(
    401,
    withLine(LINE).replace('Authorization', 'X-Authorization'),
  ),
  'X-HTTP-Method-Override': declined(405, withLine(`POST ${PATH} HTTP/1.1`, 'X-HTTP-Method-Override: DELETE')),
  'X-Original-URL': declined(404, withLine('DELETE /nothing HTTP/1.1', `X-Original-URL: ${PATH}`)),
  'X-Rewrite-URL': declined(404, withLine('DELETE /nothing HTTP/1.1', `X-Rewrite-URL: ${PATH}`)),
  'X-Original-URL of the neighbour': served(withHeaders('X-Original-URL: /plants/{neighbour}')),
  'a header without value': served(withHeaders('X:')),
  'letters beyond ASCII in a header, which are opaque': served(withHeaders('X: \xe4\xff')),
  'names of headers in other case': served(
    withLine(LINE).replace('Authorization', 'aUTHORIZATION').replace('Host', 'HOST'),
  ),
  'spaces and tabs around its headers': served(withHeaders('X: \t y \t')),
};
