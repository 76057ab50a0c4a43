import ipaddr from 'ipaddr.js';

/**
 * The network of a client, for counting: an IPv4 address, also when written as IPv6 (RFC 4291,
 * section 2.5.5.2), or the /64 network of an IPv6 address (section 2.5.4). Ignores a port.
 * Undefined for any other text.
 */
export function networkOf(text: string): string | undefined {
  const [, bracketed, v4] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const written = bracketed ?? v4 ?? text;
  // ipaddr.js also reads shorter, octal and hexadecimal forms of IPv4.
  if (!ipaddr.IPv4.isValidFourPartDecimal(written) && !ipaddr.IPv6.isValid(written)) return undefined;
  const address = ipaddr.process(written);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
