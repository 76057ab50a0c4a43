/**
 * A challenge (RFC 9110, section 11.6.1). Characters that a quoted string cannot hold are left out.
 */
export function challenge(scheme: string, parameters: Readonly<Record<string, string>>): string {
  const all = Object.entries(parameters);
  return `${scheme} ${all.map(([name, value]) => `${name}="${value.replaceAll(/[^\x20-\x7e]|["\\]/g, '')}"`).join(', ')}`;
}
