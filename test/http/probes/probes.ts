import {
  AUTHORIZATION,
  declined,
  named,
  PATH,
  refused,
  served,
  servedLast,
  refusedBehind,
  SMUGGLED,
  withHeaders,
  withLine,
  type Probe,
  type Probes,
} from './probe.ts';

const POST = `POST ${PATH} HTTP/1.1`;
const CONTINUE = 'Expect: 100-continue';
/** Makes the request behind it a body. */
const OF_NEXT = 'Content-Length: {length}';

/** What a reader that takes the body for chunked, or for empty, would find behind it. */
const TAIL = `0\r\n\r\n${SMUGGLED}`;

/** A Content-Length that is none (RFC 9112, section 6.3, rule 5: 400, then close). */
function length(value: string): Probe {
  return refused(withHeaders(`Content-Length: ${value}`) + TAIL);
}

/** A Transfer-Encoding; of a DELETE, which takes no body, every one is refused. */
function encoding(...headers: readonly string[]): Probe {
  return refused(withHeaders(...headers) + TAIL);
}

const BAD_LENGTHS = '5, 5|0, 400|+0|-1|-0|0x0|0o0|0 0|0_0|0.0|0e0|18446744073709551616|9223372036854775808||none|\x0b0';
const BAD_CODINGS =
  'identity|gzip|gzip, chunked|chunked, gzip|chunked, identity|' +
  'chunked, chunked|chunked;q=1|"chunked"|, chunked|chunked,|' +
  'xchunked||\x0bchunked|\x0cchunked|chunked\0|\r\n chunked';

/** Where a body ends, by two readers (RFC 9112, sections 6.1 to 6.3). */
const LENGTHS: Probes = {
  'a Content-Length, then chunked': encoding('Content-Length: 5', 'Transfer-Encoding: chunked'),
  'chunked, then a Content-Length over the next request': encoding('Transfer-Encoding: chunked', 'Content-Length: 400'),
  'a Content-Length of 0 and chunked': encoding('Content-Length: 0', 'Transfer-Encoding: chunked'),
  'two Content-Length, the same': encoding('Content-Length: 5', 'Content-Length: 5'),
  'two Content-Length, both 0': encoding('Content-Length: 0', 'Content-Length: 0'),
  'two Content-Length, first 0': encoding('Content-Length: 0', 'Content-Length: 400'),
  'two Content-Length, last 0': encoding('Content-Length: 400', 'Content-Length: 0'),
  ...named('a Content-Length of', length, BAD_LENGTHS),
  'a Content-Length of 00, which is 0': served(withHeaders('Content-Length: 00')),
  'a Content-Length of 400 digits': length('9'.repeat(400)),
  'a space before the colon of Content-Length': encoding('Content-Length : 400'),
  'a space before the colon of Transfer-Encoding': encoding('Transfer-Encoding : chunked'),
  'a tab before the colon of Transfer-Encoding': encoding('Transfer-Encoding\t: chunked'),
  ...named('the codings', (text) => encoding(`Transfer-Encoding: ${text}`), BAD_CODINGS),
  'Transfer-Encoding: identity and a Content-Length': encoding('Transfer-Encoding: identity', 'Content-Length: 0'),
  'chunked twice in two headers': encoding('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'),
  'chunked and identity in two headers': encoding('Transfer-Encoding: chunked', 'Transfer-Encoding: identity'),
  'an empty Transfer-Encoding': encoding('Transfer-Encoding:'),
  'an empty Transfer-Encoding of white space': encoding('transfer-encoding: \t'),
  'an empty Transfer-Encoding before its length': encoding('Transfer-Encoding:', 'Content-Length: 0'),
  'an empty Transfer-Encoding behind its length': encoding('Content-Length: 0', 'Transfer-Encoding:'),
  'an empty Transfer-Encoding before another': encoding('Transfer-Encoding:', 'Transfer-Encoding: chunked'),
  'chunked in HTTP/1.0': refused(withLine(`DELETE ${PATH} HTTP/1.0`, 'Transfer-Encoding: chunked') + TAIL),
  'a body that is a DELETE of the neighbour': refused(withHeaders(OF_NEXT) + SMUGGLED),
  'a body that is too short': refused(withHeaders('Content-Length: 1000') + SMUGGLED),
  'a body of 9 exabytes that never comes': refused(withHeaders('Content-Length: 9007199254740991')),
  'another method and a body that is a DELETE of the neighbour': declined(405, withLine(POST, OF_NEXT) + SMUGGLED),
  'another path and a body that is a DELETE of the neighbour': declined(
    404,
    withLine('DELETE /nothing HTTP/1.1', OF_NEXT) + SMUGGLED,
  ),
  'no token and a body that is a DELETE of the neighbour': declined(
    401,
    `DELETE ${PATH} HTTP/1.1\r\nHost: plants\r\nContent-Length: {length}\r\n\r\n${SMUGGLED}`,
  ),
  // Without a chunk the body is empty.
  'Transfer-Encoding: chunked': served(`${withHeaders('Transfer-Encoding: chunked')}0\r\n\r\n`),
  'Transfer-Encoding: Chunked': served(`${withHeaders('Transfer-Encoding: Chunked')}0\r\n\r\n`),
  'TRANSFER-ENCODING: chunked': served(`${withHeaders('TRANSFER-ENCODING: chunked')}0\r\n\r\n`),
  'Content-Length: 0': served(withHeaders('Content-Length: 0')),
  'Content-Length: 0 and a type': served(withHeaders('Content-Length: 0', 'Content-Type: application/json')),
  'spaces and tabs around its Content-Length': served(withHeaders('Content-Length:\t 0 ')),
  'Content_Length, which is another header': served(withHeaders('Content_Length: 400')),
  'Transfer_Encoding, which is another header': served(withHeaders('Transfer_Encoding: chunked')),
};

/** Malformed chunks of a POST, which are refused before its method is. */
function broken(chunks: string): Probe {
  return refused(withLine(POST, 'Transfer-Encoding: chunked') + chunks + SMUGGLED);
}

/** Well-formed chunks of a POST, which is answered 405, and the next request after it. */
function wellFormed(chunks: string): Probe {
  return declined(405, withLine(POST, 'Transfer-Encoding: chunked') + chunks);
}

/** Chunks of a DELETE, which takes none. */
function unwanted(chunks: string): Probe {
  return refused(withHeaders('Transfer-Encoding: chunked') + chunks + SMUGGLED);
}

/** Invalid chunk sizes, some with an extension; 2^64 is 0 in 64 bits. */
const SIZES = '-1|+0|0x0|0_0|10000000000000000|000010000000000000000|g|| 0|0\t|0;|0;a=\0|0;a=\rb';

/** Chunks (RFC 9112, section 7.1). */
const CHUNKS: Probes = {
  ...named('the chunk size', (size) => broken(`${size}\r\n\r\n`), SIZES),
  'an extension that ends with a bare LF': broken('0;a=b\n\r\n'),
  'an extension of 64 KiB': broken(`0;a=${'b'.repeat(65_536)}\r\n\r\n`),
  'a chunk size that ends with a bare CR': broken('0\r\r\n'),
  'a chunk size that ends with a bare LF': broken('0\n\n'),
  'no CRLF behind its chunk': broken('1\r\na0\r\n\r\n'),
  'a bare LF behind its chunk': broken('1\r\na\n0\r\n\r\n'),
  'a chunk longer than its size': broken('1\r\nabc\r\n0\r\n\r\n'),
  'a last chunk that is followed by a bare LF': broken('0\r\n\n'),
  'a trailer that has no colon': broken('0\r\ntrailer\r\n\r\n'),
  'a trailer that has a space before its colon': broken('0\r\nX : y\r\n\r\n'),
  // RFC 9110, section 6.5.1: no trailer can change where a body ends.
  'a Content-Length in its trailer': broken('0\r\nContent-Length: 400\r\n\r\n'),
  'a Transfer-Encoding in its trailer': broken('0\r\nTransfer-Encoding: chunked\r\n\r\n'),
  'a chunk, another and the end': wellFormed('5\r\nhello\r\n00a\r\n0123456789\r\n0\r\n\r\n'),
  'a chunk that is a DELETE of the neighbour': wellFormed(`{hexLength}\r\n${SMUGGLED}\r\n0\r\n\r\n`),
  'an extension': wellFormed('0;name=value\r\n\r\n'),
  'a Host and a token in its trailer': wellFormed('0\r\nHost: other\r\nAuthorization: Bearer {token}\r\n\r\n'),
  'a chunk, where no body is taken': unwanted('5\r\nhello\r\n0\r\n\r\n'),
  'a chunk and no end, where no body is taken': unwanted('1\r\na'),
  'a chunk size of -1, where no body is taken': unwanted('-1\r\n\r\n'),
  'a chunk size of 2^64, where no body is taken': unwanted('10000000000000000\r\n\r\n'),
};

const LINE = `DELETE ${PATH} HTTP/1.1`;

/** Line ends, folds, spaces and bytes that no header has, in its name or value. */
const MALFORMED =
  'X: y\nZ: y|X: y\rz|X: y\rTransfer-Encoding: chunked|X: y\r|X: y\n\rZ: y|X: y\r\n z|X: y\r\n\tz| X: y|' +
  'X\0: y|X: y\0z|X: y\x01z|X: y\x7fz|X\x7f: y|X : y|X\t: y|X Y: z|X\tY: z|[X]: y|X\xe4: y|' +
  '\xef\xbb\xbfX: y|: y|X';

/** The syntax of headers (RFC 9112, sections 2.2 and 5; RFC 9110, section 5.5). */
const HEADERS: Probes = {
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
  'two Authorization headers, the same': declined(400, withHeaders(AUTHORIZATION)),
  'two Authorization headers, of two tokens': declined(400, withHeaders('Authorization: Bearer nobody')),
  'two tokens in a list': declined(401, `${LINE}\r\nHost: plants\r\n${AUTHORIZATION}, Bearer {token}\r\n\r\n`),
  'its token in a trailing header of another name': declined(
    401,
    withLine(LINE).replace('Authorization', 'X-Authorization'),
  ),
  'X-HTTP-Method-Override': declined(405, withLine(POST, 'X-HTTP-Method-Override: DELETE')),
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

function hosted(version: string, ...hosts: readonly string[]): string {
  return [`DELETE ${PATH} HTTP/${version}`, ...hosts, AUTHORIZATION, '', ''].join('\r\n');
}

/** Not a Host (RFC 9110, section 7.2): the answer must be 400 (RFC 9112, section 3.2). */
const BAD_HOSTS =
  '|:3000|plants other|plants, other|plants\tother|plants/other|plants?other|plants#other|user@plants|plants\\other|' +
  'http://plants|plants:http|plants:80:80|[::1|[plants]|pl\xe4nts|pl%zznts|<plants>';

/** RFC 9112, section 3.2: one Host header with a valid value. */
const HOSTS: Probes = {
  'no Host': refused(hosted('1.1')),
  'two Host, the same': refused(hosted('1.1', 'Host: plants', 'Host: plants')),
  'two Host, not the same': refused(hosted('1.1', 'Host: plants', 'Host: other')),
  'two Host, in other case': refused(hosted('1.1', 'Host: plants', 'hOST: plants')),
  'two Host in HTTP/1.0': refused(hosted('1.0\r\nConnection: keep-alive', 'Host: plants', 'Host: other')),
  ...named('the Host', (host) => refused(hosted('1.1', `Host: ${host}`)), BAD_HOSTS),
  'a Host with a port': served(hosted('1.1', 'Host: plants:3000')),
  'a Host with a colon and no port': served(hosted('1.1', 'Host: plants:')),
  'a Host that is an IPv4 address': served(hosted('1.1', 'Host: 127.0.0.1:3000')),
  'a Host that is an IPv6 address': served(hosted('1.1', 'Host: [::1]:3000')),
  'a Host with percent-encoding': served(hosted('1.1', 'Host: pl%61nts')),
};

function target(text: string, method = 'DELETE'): string {
  return withLine(`${method} ${text} HTTP/1.1`);
}

/** Targets that are none: authority and asterisk forms, users, and bytes that no URL has. */
const MALFORMED_TARGETS =
  'http://user@plants/plants/{id}|http://plants:x/plants/{id}|plants:80|*|*/plants/{id}|plants/{id}|' +
  '/plants/{id}\0|/plants/{id}\x7f|/plants/{id}\x01|/plants/{id}\xe4|/plants/{id}\r|' +
  '/plants/{id} {neighbour}|/plants/{id}\t';

/** Targets of no plant: of another path, scheme or host, with empty, dot or malformed segments. */
const UNKNOWN =
  'ftp://plants/plants/{id}|http:///plants/{id}|http://plants|http://plants?/plants/{id}|' +
  'http://plants/x/../plants/{id}|http://plants//plants/{id}|//plants/{id}|/plants//{id}|' +
  '/plants/{id}/|/plants\\{id}|/plants/{neighbour}/../{id}|/plants/./{id}|/plants%c0%af{id}';

/** Targets whose id, query or encoding is wrong. */
const INVALID =
  '/plants/{id};x=y|/plants/{neighbour}%2f..%2f{id}|/plants/{id}?id={neighbour}|/plants/{id}?x=1;y=2|' +
  '/plants/{id}#|/plants/{id}#{neighbour}|/plants/{id}?#|/#/plants/{id}|//a@[x/#|http://plants/plants/{id}#x|' +
  '/plants/{id}%00|/plants/{id}%0d%0aX:%20y|/plants/{id}%20|/plants/{id}%zz';

/** The four forms of a request target (RFC 9112, section 3.2), and what looks like one. */
const TARGETS: Probes = {
  'the absolute form': served(target(`http://plants${PATH}`)),
  'the absolute form in capitals': served(target(`HTTP://PLANTS${PATH}`)),
  'the absolute form of another host, which overrules Host': served(target(`http://other${PATH}`)),
  'the absolute form of https': refused(target(`https://plants${PATH}`), 421),
  'the absolute form of https in capitals': refused(target(`HTTPS://other:1${PATH}`) + SMUGGLED, 421),
  'the absolute form of a host with a port': served(target(`HTTP://127.0.0.1:3000${PATH}`)),
  'the absolute form of a port beyond all': served(target(`http://h:99999999${PATH}`)),
  'the absolute form of an IPv6 address': served(target(`http://[::1]${PATH}`)),
  ...named('the target', (text) => declined(404, target(text)), UNKNOWN),
  ...named('the target', (text) => refused(target(text)), MALFORMED_TARGETS),
  'the absolute form without Host header': refused(`DELETE http://plants${PATH} HTTP/1.1\r\n${AUTHORIZATION}\r\n\r\n`),
  'the asterisk before a path with OPTIONS': refused(target(`*${PATH}`, 'OPTIONS')),
  'no target': refused(withLine('DELETE HTTP/1.1')),
  'no target and two spaces': refused(withLine('DELETE  HTTP/1.1')),
  ...named('the target', (text) => declined(400, target(text)), INVALID),
  // Section 3 lets a server read any white space as the one space.
  'two spaces before its target': served(target(` ${PATH}`)),
  'two spaces behind its target': served(target(`${PATH} `)),
  'a tab before its target': refused(withLine(`DELETE\t${PATH} HTTP/1.1`)),
  'a tab behind its target': refused(withLine(`DELETE ${PATH}\tHTTP/1.1`)),
  'an empty query': served(target(`${PATH}?`)),
  'an encoded letter': declined(404, target('/plant%73/{id}')),
};

function method(text: string, status = 501): Probe {
  return refused(withLine(`${text} ${PATH} HTTP/1.1`), status);
}

const OTHER_VERSIONS =
  'HTTP/0.9|HTTP/1.2|HTTP/2.0|HTTP/1|HTTP/01.1|HTTP/1.1.1|HTTP/11|HTTP/ 1.1|http/1.1|XHTTP/1.1|RTSP/1.0|HTTP/1.1 ';
/** PLAY is of RTSP, PRI of HTTP/2. */
const UNKNOWN_METHODS = 'delete|Delete|DELET|DELETEX|PLAY|PRI';

/** Methods (RFC 9110, section 9.1), versions (RFC 9112, section 2.3) and other protocols. */
const VERSIONS: Probes = {
  'HTTP/1.0': servedLast(withLine(`DELETE ${PATH} HTTP/1.0`)),
  'HTTP/1.0 and no Host': servedLast(`DELETE ${PATH} HTTP/1.0\r\n${AUTHORIZATION}\r\n\r\n`),
  'HTTP/1.0 and keep-alive': servedLast(withLine(`DELETE ${PATH} HTTP/1.0`, 'Connection: keep-alive')),
  'HTTP/0.9': refused(`DELETE ${PATH}\r\n\r\n`),
  'HTTP/0.9 and headers': refused(`DELETE ${PATH}\r\nHost: plants\r\n${AUTHORIZATION}\r\n\r\n`),
  ...named('the version', (text) => refused(withLine(`DELETE ${PATH} ${text}`)), OTHER_VERSIONS),
  'the version ICE/1.0': refused(withLine(`SOURCE ${PATH} ICE/1.0`), 405),
  'the preface of HTTP/2': refused(`PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${withHeaders()}`, 501),
  'a TLS hello before it': refused(`\x16\x03\x01\0\xc8\x01\0\0\xc4\x03\x03${withHeaders()}`),
  'a PROXY line before it': refused(`PROXY TCP4 1.2.3.4 1.2.3.4 1 2\r\n${withHeaders()}`),
  'a UTF-8 byte order mark before it': refused(`\xef\xbb\xbf${withHeaders()}`),
  'a NUL before it': refused(`\0${withHeaders()}`),
  'a space before it': refused(` ${withHeaders()}`),
  'a line of spaces before it': refused(`  \r\n${withHeaders()}`),
  'bytes that are no text before it': refused(`\xde\xad\xbe\xef${withHeaders()}`),
  // RFC 9112, section 2.2: a bare CR is refused or read as a space.
  'a CR before it': served(`\r${withHeaders()}`),
  'an empty line before it': served(`\r\n${withHeaders()}`),
  ...named('the method', method, UNKNOWN_METHODS),
  'the method PRI and no version': refused(`PRI ${PATH}\r\nHost: plants\r\n\r\n${withHeaders()}`, 501),
  'an unknown method behind empty lines': refused(`\r\n\r\n${withHeaders().replace('DELETE', 'FOO')}`, 501),
  'an unknown method and version': refused(withLine(`REMOVE ${PATH} HTTP/3.0`)),
  'a method that is no token': method('D(L)TE', 400),
  'the method DELETE with NUL': method('DELETE\0', 400),
  'a method of 4,000 letters': method('D'.repeat(4_000)),
  'no method': refused(withLine(`${PATH} HTTP/1.1`)),
  'the method TRACE': declined(405, withLine(`TRACE ${PATH} HTTP/1.1`)),
  'the method POST': declined(405, withLine(POST)),
};

const WEBSOCKET = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];
const H2C = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAM'];

/** What follows a request, and what is not one (RFC 9110, sections 7.8, 9.3.6, 10.1.1). */
const CONNECTIONS: Probes = {
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
  'Expect: 100-continue and no body': servedLast(withHeaders(CONTINUE)),
  'Expect: 100-continue and no body, and another request behind it': servedLast(withHeaders(CONTINUE) + SMUGGLED),
  'Expect: 100-continue and a body that is a DELETE of the neighbour': refused(
    withHeaders(CONTINUE, OF_NEXT) + SMUGGLED,
  ),
  'Expect: 100-continue and a chunked body': refused(
    withHeaders(CONTINUE, 'Transfer-Encoding: chunked') + `0\r\n\r\n${SMUGGLED}`,
  ),
  'Expect: 100-continue, another method and a body that is a DELETE of the neighbour': refused(
    withLine(POST, CONTINUE, OF_NEXT) + SMUGGLED,
    405,
  ),
  'an unknown expectation': refused(withHeaders('Expect: 200-ok') + SMUGGLED, 417),
  'an unknown expectation and a body': refused(withHeaders('Expect: x', OF_NEXT) + SMUGGLED, 417),
  'garbage behind it': refusedBehind(`garbage\r\n\r\n`),
  'CONNECT behind it': refusedBehind(withLine('CONNECT plants:80 HTTP/1.1'), 501),
  'an unknown expectation behind it': refusedBehind(withHeaders('Expect: x') + SMUGGLED, 417),
  'an unknown expectation and garbage behind it': refusedBehind(`${withHeaders('Expect: x')}@`, 417),
  'headers that are too large behind it': refusedBehind(withHeaders(`X: ${'x'.repeat(9_000)}`), 431),
  'a DELETE of HTTP/0.9 behind it': refusedBehind(`DELETE /plants/{neighbour}\r\n\r\n`),
  'a DELETE in lower case behind it': refusedBehind(SMUGGLED.replace('DELETE', 'delete'), 501),
  'a DELETE with a space before a colon behind it': refusedBehind(SMUGGLED.replace('Host:', 'Host :')),
  'a DELETE behind a byte order mark behind it': refusedBehind(`\xef\xbb\xbf${SMUGGLED}`),
  'a DELETE with a body behind it': refusedBehind(withLine('DELETE /plants/{neighbour} HTTP/1.1', OF_NEXT) + SMUGGLED),
  'an empty line behind it': served(`${withHeaders()}\r\n`),
  'no token, and the token with the request behind it': declined(
    401,
    `DELETE ${PATH} HTTP/1.1\r\nHost: plants\r\n\r\n`,
  ),
};

/**
 * Requests that two parsers may read differently, like those of Http11Probe. Every one that can
 * carries a valid token, so that only its correct reading protects the plants.
 */
export const PROBES: Readonly<Record<string, Probes>> = {
  'body lengths': LENGTHS,
  'chunked bodies': CHUNKS,
  'header syntax': HEADERS,
  'the Host header': HOSTS,
  'request targets': TARGETS,
  'methods and versions': VERSIONS,
  'Connection, Upgrade, Expect and what follows': CONNECTIONS,
};
