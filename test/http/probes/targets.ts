import { AUTHORIZATION, declined, PATH, refused, served, withLine, type Probe, type Probes } from './probe.ts';

function target(text: string, method = 'DELETE'): string {
  return withLine(`${method} ${text} HTTP/1.1`);
}

/** A target that is none. */
function malformed(text: string): Probe {
  return refused(target(text));
}

/** A target that is one, but of no plant. */
function other(status: number, text: string): Probe {
  return declined(status, target(text));
}

/** The four forms of a request target (RFC 9112, section 3.2), and what looks like one. */
export const TARGETS: Probes = {
  'the absolute form': served(target(`http://plants${PATH}`)),
  'the absolute form in capitals': served(target(`HTTP://PLANTS${PATH}`)),
  'the absolute form of another host, which overrules Host': served(target(`http://other${PATH}`)),
  'the absolute form of a host with a port': served(target(`HTTP://127.0.0.1:3000${PATH}`)),
  'the absolute form of a port beyond all': served(target(`http://h:99999999${PATH}`)),
  'the absolute form of an IPv6 address': served(target(`http://[::1]${PATH}`)),
  'the absolute form of another scheme': other(404, `ftp://plants${PATH}`),
  'the absolute form without host': other(404, `http://${PATH}`),
  'the absolute form with a user': malformed(`http://user@plants${PATH}`),
  'the absolute form with a port that is none': malformed(`http://plants:x${PATH}`),
  'the absolute form without Host header': refused(`DELETE http://plants${PATH} HTTP/1.1\r\n${AUTHORIZATION}\r\n\r\n`),
  'the absolute form of no plant': other(404, 'http://plants'),
  'the absolute form with a plant in its query': other(404, `http://plants?${PATH}`),
  'the absolute form with a way over another path': other(404, `http://plants/x/..${PATH}`),
  'the absolute form with two slashes': other(404, `http://plants/${PATH}`),
  'the authority form': malformed('plants:80'),
  'the asterisk form': malformed('*'),
  'the asterisk form with OPTIONS': declined(404, target('*', 'OPTIONS')),
  'the asterisk before a path': malformed(`*${PATH}`),
  'the asterisk before a path with OPTIONS': refused(target(`*${PATH}`, 'OPTIONS')),
  'no target': refused(withLine('DELETE HTTP/1.1')),
  'no target and two spaces': refused(withLine('DELETE  HTTP/1.1')),
  'a path without slash': malformed('plants/{id}'),
  'two slashes first': other(404, `/${PATH}`),
  'two slashes within': other(404, '/plants//{id}'),
  'a slash behind': other(404, `${PATH}/`),
  'a backslash': other(404, '/plants\\{id}'),
  'a semicolon': other(400, `${PATH};x=y`),
  'a way over the neighbour': other(404, '/plants/{neighbour}/../{id}'),
  'a dot segment': other(404, '/plants/./{id}'),
  'an encoded way over the neighbour': other(400, '/plants/{neighbour}%2f..%2f{id}'),
  'a fragment': other(400, `${PATH}#x`),
  'a query': other(400, `${PATH}?id={neighbour}`),
  'a NUL': malformed(`${PATH}\0`),
  'a DEL': malformed(`${PATH}\x7f`),
  'a control character': malformed(`${PATH}\x01`),
  'a letter beyond ASCII': malformed(`${PATH}\xe4`),
  'a bare CR': malformed(`${PATH}\r`),
  'an encoded NUL': other(400, `${PATH}%00`),
  'an encoded line end': other(400, `${PATH}%0d%0aX:%20y`),
  'an encoded space': other(400, `${PATH}%20`),
  'an overlong encoding of a slash': other(400, `/plants%c0%af{id}`),
  'an encoding that is none': other(400, `${PATH}%zz`),
  'a space': malformed(`${PATH} {neighbour}`),
  'a tab': malformed(`${PATH}\t`),
  // Section 3 lets a server read any white space as the one space.
  'two spaces before its target': served(target(` ${PATH}`)),
  'two spaces behind its target': served(target(`${PATH} `)),
  'a tab before its target': refused(withLine(`DELETE\t${PATH} HTTP/1.1`)),
  'a tab behind its target': refused(withLine(`DELETE ${PATH}\tHTTP/1.1`)),
  'an encoded letter': served(target('/plant%73/{id}')),
};
