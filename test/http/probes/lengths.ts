import {
  declined,
  named,
  PATH,
  refused,
  served,
  SMUGGLED,
  withHeaders,
  withLine,
  type Probe,
  type Probes,
} from './probe.ts';

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

const BAD_LENGTHS =
  '5, 5|0, 400|+0|-1|-0|0x0|0o0|0 0|0_0|0.0|0e0|18446744073709551616|9223372036854775808||none|\x0b0|00';
const BAD_CODINGS =
  'identity|gzip|gzip, chunked|chunked, gzip|chunked, identity|' +
  'chunked, chunked|chunked;q=1|"chunked"|, chunked|chunked,|' +
  'xchunked||\x0bchunked|\x0cchunked|chunked\0|\r\n chunked';

/** Where a body ends, by two readers (RFC 9112, sections 6.1 to 6.3). */
export const LENGTHS: Probes = {
  'a Content-Length, then chunked': encoding('Content-Length: 5', 'Transfer-Encoding: chunked'),
  'chunked, then a Content-Length over the next request': encoding('Transfer-Encoding: chunked', 'Content-Length: 400'),
  'a Content-Length of 0 and chunked': encoding('Content-Length: 0', 'Transfer-Encoding: chunked'),
  'two Content-Length, the same': encoding('Content-Length: 5', 'Content-Length: 5'),
  'two Content-Length, both 0': encoding('Content-Length: 0', 'Content-Length: 0'),
  'two Content-Length, first 0': encoding('Content-Length: 0', 'Content-Length: 400'),
  'two Content-Length, last 0': encoding('Content-Length: 400', 'Content-Length: 0'),
  ...named('a Content-Length of', length, BAD_LENGTHS),
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
  'a body that is a DELETE of the neighbour': refused(withHeaders('Content-Length: {length}') + SMUGGLED),
  'a body that is too short': refused(withHeaders('Content-Length: 1000') + SMUGGLED),
  'a body of 9 exabytes that never comes': refused(withHeaders('Content-Length: 9007199254740991')),
  'another method and a body that is a DELETE of the neighbour': declined(
    405,
    withLine(`POST ${PATH} HTTP/1.1`, 'Content-Length: {length}') + SMUGGLED,
  ),
  'another path and a body that is a DELETE of the neighbour': declined(
    404,
    withLine('DELETE /nothing HTTP/1.1', 'Content-Length: {length}') + SMUGGLED,
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
