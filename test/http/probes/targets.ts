import {
  AUTHORIZATION,
  declined,
  named,
  PATH,
  refused,
  served,
  SMUGGLED,
  withLine,
  type Probe,
  type Probes,
} from './probe.ts';

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

/** Targets that are none: authority and asterisk forms, users, and bytes that no URL has. */
const MALFORMED =
  'http://user@plants/plants/{id}|http://plants:x/plants/{id}|plants:80|*|*/plants/{id}|plants/{id}|' +
  '/plants/{id}\0|/plants/{id}\x7f|/plants/{id}\x01|/plants/{id}\xe4|/plants/{id}\r|' +
  '/plants/{id} {neighbour}|/plants/{id}\t';

/** Targets of no plant: of another path, scheme or host, with empty or dot segments. */
const UNKNOWN =
  'ftp://plants/plants/{id}|http:///plants/{id}|http://plants|http://plants?/plants/{id}|' +
  'http://plants/x/../plants/{id}|http://plants//plants/{id}|//plants/{id}|/plants//{id}|' +
  '/plants/{id}/|/plants\\{id}|/plants/{neighbour}/../{id}|/plants/./{id}';

/** Targets whose id, query or encoding is wrong. */
const INVALID =
  '/plants/{id};x=y|/plants/{neighbour}%2f..%2f{id}|/plants/{id}?id={neighbour}|/plants/{id}?x=1;y=2|' +
  '/plants/{id}#|/plants/{id}#{neighbour}|/plants/{id}?#|/#/plants/{id}|//a@[x/#|http://plants/plants/{id}#x|' +
  '/plants/{id}%00|/plants/{id}%0d%0aX:%20y|/plants/{id}%20|/plants%c0%af{id}|/plants/{id}%zz';

/** The four forms of a request target (RFC 9112, section 3.2), and what looks like one. */
export const TARGETS: Probes = {
  'the absolute form': served(target(`http://plants${PATH}`)),
  'the absolute form in capitals': served(target(`HTTP://PLANTS${PATH}`)),
  'the absolute form of another host, which overrules Host': served(target(`http://other${PATH}`)),
  'the absolute form of https': refused(target(`https://plants${PATH}`), 421),
  'the absolute form of https in capitals': refused(target(`HTTPS://other:1${PATH}`) + SMUGGLED, 421),
  'the absolute form of a host with a port': served(target(`HTTP://127.0.0.1:3000${PATH}`)),
  'the absolute form of a port beyond all': served(target(`http://h:99999999${PATH}`)),
  'the absolute form of an IPv6 address': served(target(`http://[::1]${PATH}`)),
  ...named('the target', (text) => other(404, text), UNKNOWN),
  ...named('the target', malformed, MALFORMED),
  'the absolute form without Host header': refused(`DELETE http://plants${PATH} HTTP/1.1\r\n${AUTHORIZATION}\r\n\r\n`),
  'the asterisk form with OPTIONS': declined(404, target('*', 'OPTIONS')),
  'the asterisk before a path with OPTIONS': refused(target(`*${PATH}`, 'OPTIONS')),
  'no target': refused(withLine('DELETE HTTP/1.1')),
  'no target and two spaces': refused(withLine('DELETE  HTTP/1.1')),
  ...named('the target', (text) => other(400, text), INVALID),
  // Section 3 lets a server read any white space as the one space.
  'two spaces before its target': served(target(` ${PATH}`)),
  'two spaces behind its target': served(target(`${PATH} `)),
  'a tab before its target': refused(withLine(`DELETE\t${PATH} HTTP/1.1`)),
  'a tab behind its target': refused(withLine(`DELETE ${PATH}\tHTTP/1.1`)),
  'an empty query': served(target(`${PATH}?`)),
  'an encoded letter': served(target('/plant%73/{id}')),
};
