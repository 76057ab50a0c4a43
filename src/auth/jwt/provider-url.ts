/**
 * Reads the URL of an identity provider: https, or http to this machine itself, without a password or fragment.
 * @returns undefined when it is none. What comes from another machine over http, anybody on the way may have written.
 */
export function readProviderUrl(text: string): URL | undefined {
  // URL drops white space and control characters, which a comparison with the issuer of a token would not.
  if (!/^[\x21-\x7e]{1,2000}$/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  return isSafe && url.username === '' && url.password === '' && !text.includes('#') ? url : undefined;
}

/** True when a URL leads to this machine itself (RFC 6761, section 6.3; RFC 1122, section 3.2.1.3). */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}
