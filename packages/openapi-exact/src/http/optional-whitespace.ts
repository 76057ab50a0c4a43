/** A text without the spaces and tabs around it (RFC 9110, section 5.6.3). */
export function trimWhitespace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlankAt(text, start)) start += 1;
  while (end > start && isBlankAt(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

function isBlankAt(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t';
}
