import { exactJson } from './exact-json.ts';

/** A value as JSON in ASCII: a header cannot hold other characters (RFC 9110, section 5.5). */
export function asciiJson(value: unknown): string {
  const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return exactJson(value).replaceAll(/[^ -~]/g, escaped);
}
