import { AUTHORIZATION, PATH, refused, served, type Probe, type Probes } from './probe.ts';

function request(version: string, ...hosts: readonly string[]): string {
  return [`DELETE ${PATH} HTTP/${version}`, ...hosts, AUTHORIZATION, '', ''].join('\r\n');
}

/** An invalid Host (RFC 9110, section 7.2): the answer must be 400 (RFC 9112, section 3.2). */
function bad(host: string): Probe {
  return refused(request('1.1', `Host: ${host}`));
}

/** RFC 9112, section 3.2: one Host header with a valid value. */
export const HOSTS: Probes = {
  'no Host': refused(request('1.1')),
  'two Host, the same': refused(request('1.1', 'Host: plants', 'Host: plants')),
  'two Host, not the same': refused(request('1.1', 'Host: plants', 'Host: other')),
  'two Host, in other case': refused(request('1.1', 'Host: plants', 'hOST: plants')),
  'two Host in HTTP/1.0': refused(request('1.0\r\nConnection: keep-alive', 'Host: plants', 'Host: other')),
  'an empty Host': bad(''),
  'a Host with a port alone': bad(':3000'),
  'a Host with a space': bad('plants other'),
  'a Host that is a list': bad('plants, other'),
  'a Host with a tab': bad('plants\tother'),
  'a Host with a path': bad('plants/other'),
  'a Host with a query': bad('plants?other'),
  'a Host with a fragment': bad('plants#other'),
  'a Host with a user': bad('user@plants'),
  'a Host with a backslash': bad('plants\\other'),
  'a Host that is a URL': bad('http://plants'),
  'a Host whose port is no number': bad('plants:http'),
  'a Host with two ports': bad('plants:80:80'),
  'a Host with an open bracket': bad('[::1'),
  'a Host with an address that is none in brackets': bad('[plants]'),
  'a Host with letters beyond ASCII': bad('pl\xe4nts'),
  'a Host with a broken percent-encoding': bad('pl%zznts'),
  'a Host with angle brackets': bad('<plants>'),
  'a Host with a port': served(request('1.1', 'Host: plants:3000')),
  'a Host with a colon and no port': served(request('1.1', 'Host: plants:')),
  'a Host that is an IPv4 address': served(request('1.1', 'Host: 127.0.0.1:3000')),
  'a Host that is an IPv6 address': served(request('1.1', 'Host: [::1]:3000')),
  'a Host with percent-encoding': served(request('1.1', 'Host: pl%61nts')),
};
