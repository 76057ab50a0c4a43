/**
 * Headers of every response: no caching, no sniffing, no framing (OWASP REST Security Cheat Sheet).
 * openapi-exact sets them too.
 */
export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};
