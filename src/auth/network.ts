import { isIPv6 } from 'node:net';

/**
 * What stands for an address where addresses are counted: an IPv4 address itself, also when it is written as IPv6 (RFC 4291, section
 * 2.5.5.2); of an IPv6 address its first 64 bits, since one client has all the others (RFC 4291, section 2.5.4).
 */
export function networkOf(address: string): string {
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const [before = '', after] = plain.split('::');
  const head = before === '' ? [] : before.split(':');
  // An IPv4 address at the end takes the place of two groups.
  const tail = (after ?? '')
    .split(':')
    .flatMap((group) => (group.includes('.') ? [group, group] : group === '' ? [] : [group]));
  const gap = after === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(gap).fill('0'), ...tail];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
