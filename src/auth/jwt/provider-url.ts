/**
 * Parses the URL of an identity provider: https, or http to a loopback address, without password
 * and fragment. Elsewhere http is unsafe, since any machine on the path can alter responses.
 * @returns undefined for every other text.
 */
export function readProviderUrl(text: string): URL | undefined {
  // URL strips white space and control characters; the comparison with a token's issuer does not.
  if (!/^[\x21-\x7e]{1,2000}$/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  return isSafe && url.username === '' && url.password === '' && !text.includes('#') ? url : undefined;
}

/** True for a loopback URL (RFC 6761, section 6.3; RFC 1122, section 3.2.1.3). */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}
