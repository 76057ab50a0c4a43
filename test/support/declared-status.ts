/** The key under which responses declare a status: itself, its range or `default`. */
export function declaredStatus(responses: Readonly<Record<string, unknown>>, status: number): string | undefined {
  const range = `${String(status)[0]}XX`;
  return [String(status), range, 'default'].find((key) => Object.hasOwn(responses, key));
}
