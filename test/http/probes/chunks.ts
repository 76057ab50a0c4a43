import { declined, named, PATH, refused, SMUGGLED, withHeaders, withLine, type Probe, type Probes } from './probe.ts';

/** Chunks of a POST, which is answered 405 before its body: the body must be read all the same. */
function broken(chunks: string): Probe {
  return refused(withLine(`POST ${PATH} HTTP/1.1`, 'Transfer-Encoding: chunked') + chunks + SMUGGLED, 405);
}

/** Chunks that are well-formed: the next request is one. */
function wellFormed(chunks: string): Probe {
  return declined(405, withLine(`POST ${PATH} HTTP/1.1`, 'Transfer-Encoding: chunked') + chunks);
}

/** Chunks of a DELETE, which takes none. */
function unwanted(chunks: string): Probe {
  return refused(withHeaders('Transfer-Encoding: chunked') + chunks + SMUGGLED);
}

/** Invalid chunk sizes, some with an extension; 2^64 is 0 in 64 bits. */
const SIZES = '-1|+0|0x0|0_0|10000000000000000|000010000000000000000|g|| 0|0\t|0;|0;a=\0|0;a=\rb';

/** Chunks (RFC 9112, section 7.1). */
export const CHUNKS: Probes = {
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
