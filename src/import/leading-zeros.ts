/** True for digits that would be an id without the zeros before them. */
export function hasLeadingZeros(text: string): boolean {
  return /^-?0+[0-9]+$/.test(text);
}
