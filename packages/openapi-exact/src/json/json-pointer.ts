/** The token of a key in a JSON pointer (RFC 6901, section 3). */
export function tokenOfKey(key: string): string {
  if (!key.includes('~') && !key.includes('/')) return key;
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The key of a token. Joins pieces: to replace in a long text takes V8 several times as long. */
export function keyOfToken(token: string): string {
  if (!token.includes('~')) return token;
  return token.split('~1').join('/').split('~0').join('~');
}
