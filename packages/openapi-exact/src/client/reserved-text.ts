/**
 * The reserved characters (RFC 3986, section 2.2) that a text can have in each location, where they
 * do not end it.
 */
const WRITTEN: Readonly<Record<string, string>> = {
  path: ":@!$&'()*+,;=",
  query: ":/?@!$'()*,;=",
  cookie: ":/?#[]@!$'()*+=",
};
/** Characters that separate the parts of a value, or its name from it. */
const SEPARATING = ',;=';

/**
 * A text in reserved expansion (RFC 6570, section 3.2.3): reserved characters and percent-encoded
 * ones are written unchanged, except where they would end the text.
 * @param isPart whether separators would end it: it is a part of a value, or has a name before it.
 */
export function reservedText(text: string, location: string, isPart: boolean): string {
  const written = WRITTEN[location] ?? '';
  return text.replace(/%[0-9a-f]{2}|[^%]|%/giu, (part) => {
    const isKept = part.length === 3 || (written.includes(part) && !(isPart && SEPARATING.includes(part)));
    return isKept ? part : encodeURIComponent(part);
  });
}
