/**
 * Refuses misspelt options, as the compiler does.
 * @throws TypeError that names the unknown option and the known ones.
 */
export function requireKnown(options: object, known: readonly string[], of: string): void {
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new TypeError(`${of} has no option ${unknown.join(', ')}: its options are ${known.join(', ')}.`);
}
