/** The challenge of RFC 6750, section 3, with these parameters; values must not need escapes. */
export function bearerChallenge(parameters: Readonly<Record<string, string>> = {}): string {
  const all = Object.entries({ realm: 'plant-store', ...parameters });
  return `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}`;
}
