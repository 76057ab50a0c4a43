/** Begins a text that was a number; a text that begins so itself has two. */
export const MARK = '\0';
const WRITTEN_MARK = String.raw`\u0000`;

/**
 * JSON in which each number is a text with a mark, so that `JSON.parse` keeps its digits. Node.js
 * 20 lacks `context.source`. Linear in the text.
 */
export function markedNumbers(json: string): string {
  const parts: string[] = [];
  for (let at = 0; at < json.length;) {
    const quote = json.indexOf('"', at);
    const end = quote === -1 ? json.length : quote;
    parts.push(json.slice(at, end).replace(/-?\d[\d.e+-]*/gi, `"${WRITTEN_MARK}$&"`));
    at = quote === -1 ? end : endOfText(json, quote);
    if (json.startsWith(WRITTEN_MARK, end + 1)) parts.push(`"${WRITTEN_MARK}`, json.slice(end + 1, at));
    else parts.push(json.slice(end, at));
  }
  return parts.join('');
}

/** The index behind the quote that ends a text. */
function endOfText(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (json[before] === '\\') before -= 1;
    // The quote is escaped by an odd number of backslashes.
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return json.length;
}
