import {
  AUTHORIZATION,
  declined,
  named,
  PATH,
  refused,
  served,
  servedLast,
  withHeaders,
  withLine,
  type Probe,
  type Probes,
} from './probe.ts';

function version(text: string): Probe {
  return refused(withLine(`DELETE ${PATH} ${text}`));
}

function method(text: string, status = 501): Probe {
  return refused(withLine(`${text} ${PATH} HTTP/1.1`), status);
}

const OTHER_VERSIONS =
  'HTTP/0.9|HTTP/1.2|HTTP/2.0|HTTP/1|HTTP/01.1|HTTP/1.1.1|HTTP/11|HTTP/ 1.1|http/1.1|XHTTP/1.1|RTSP/1.0|HTTP/1.1 ';
/** PLAY is of RTSP, PRI of HTTP/2. */
const UNKNOWN_METHODS = 'delete|Delete|DELET|DELETEX|PLAY|PRI';

/** Methods (RFC 9110, section 9.1), versions (RFC 9112, section 2.3) and other protocols. */
export const VERSIONS: Probes = {
  'HTTP/1.0': servedLast(withLine(`DELETE ${PATH} HTTP/1.0`)),
  'HTTP/1.0 and no Host': servedLast(`DELETE ${PATH} HTTP/1.0\r\n${AUTHORIZATION}\r\n\r\n`),
  'HTTP/1.0 and keep-alive': servedLast(withLine(`DELETE ${PATH} HTTP/1.0`, 'Connection: keep-alive')),
  'HTTP/0.9': refused(`DELETE ${PATH}\r\n\r\n`),
  'HTTP/0.9 and headers': refused(`DELETE ${PATH}\r\nHost: plants\r\n${AUTHORIZATION}\r\n\r\n`),
  ...named('the version', version, OTHER_VERSIONS),
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
  'the method POST': declined(405, withLine(`POST ${PATH} HTTP/1.1`)),
};
