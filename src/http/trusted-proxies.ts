import { BlockList, isIPv6 } from 'node:net';

/** Whether the peer of a connection is a trusted proxy. */
export type IsProxy = (address: string | undefined) => boolean;

/**
 * Reads TRUST_PROXY for the peer of a connection. A number of proxies does not name any address, so
 * with one or more every peer is a proxy, as it is for Express.
 * @param trustProxy how many proxies there are, or their addresses and subnets.
 */
export function proxyMatcher(trustProxy: number | readonly string[]): IsProxy {
  if (typeof trustProxy === 'number') return () => trustProxy > 0;
  const proxies = new BlockList();
  for (const proxy of trustProxy) {
    const [address = '', bits] = proxy.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  return (address) => address !== undefined && proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
