import { AUTHORIZATION, named, PATH, refused, served, type Probe, type Probes } from './probe.ts';

function request(version: string, ...hosts: readonly string[]): string {
  return [`DELETE ${PATH} HTTP/${version}`, ...hosts, AUTHORIZATION, '', ''].join('\r\n');
}

/** An invalid Host (RFC 9110, section 7.2): the answer must be 400 (RFC 9112, section 3.2). */
function bad(host: string): Probe {
  return refused(request('1.1', `Host: ${host}`));
}

const BAD =
  '|:3000|plants other|plants, other|plants\tother|plants/other|plants?other|plants#other|user@plants|plants\\other|' +
  'http://plants|plants:http|plants:80:80|[::1|[plants]|pl\xe4nts|pl%zznts|<plants>';

/** RFC 9112, section 3.2: one Host header with a valid value. */
export const HOSTS: Probes = {
  'no Host': refused(request('1.1')),
  'two Host, the same': refused(request('1.1', 'Host: plants', 'Host: plants')),
  'two Host, not the same': refused(request('1.1', 'Host: plants', 'Host: other')),
  'two Host, in other case': refused(request('1.1', 'Host: plants', 'hOST: plants')),
  'two Host in HTTP/1.0': refused(request('1.0\r\nConnection: keep-alive', 'Host: plants', 'Host: other')),
  ...named('the Host', bad, BAD),
  'a Host with a port': served(request('1.1', 'Host: plants:3000')),
  'a Host with a colon and no port': served(request('1.1', 'Host: plants:')),
  'a Host that is an IPv4 address': served(request('1.1', 'Host: 127.0.0.1:3000')),
  'a Host that is an IPv6 address': served(request('1.1', 'Host: [::1]:3000')),
  'a Host with percent-encoding': served(request('1.1', 'Host: pl%61nts')),
};
