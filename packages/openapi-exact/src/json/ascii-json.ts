/** JSON in ASCII: a header cannot hold other characters (RFC 9110, section 5.5). */
export function asciiJson(json: string): string {
  const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replaceAll(/[^ -~]/g, escaped);
}
