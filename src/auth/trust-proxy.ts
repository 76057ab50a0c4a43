import { isIP } from 'node:net';
import type { Setting } from '../setting.ts';

/** Trusted proxies: their number, or their addresses and networks. */
export const PROXIES: Pick<Setting<number | readonly string[]>, 'expected' | 'parse'> = {
  expected: 'the number of proxies in front of the service, from 0 to 9, or their addresses, such as 10.0.0.0/8,::1',
  parse: (text) => {
    if (/^\d$/.test(text)) return Number(text);
    const proxies = text.split(',').map((proxy) => proxy.trim());
    return proxies.every(isAddressOrNetwork) ? proxies : undefined;
  },
};

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (rest.length > 0 || longest < 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= longest);
}
