/**
 * The origin of the page that this client runs in, if the service has another one: there a browser
 * hides responses without CORS headers, and does not tell programs why. Undefined elsewhere.
 */
export function foreignOrigin(baseUrl: string): string | undefined {
  const { location } = globalThis as { readonly location?: { readonly origin?: unknown } };
  const origin = location?.origin;
  return typeof origin === 'string' && origin !== new URL(baseUrl).origin ? origin : undefined;
}
