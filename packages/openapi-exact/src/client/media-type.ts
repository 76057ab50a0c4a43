import { parameterValue } from '../http/media-type.ts';

/** The charset of a media type, in lower case; undefined if it names none. */
export function charsetOf(type: string): string | undefined {
  return parameterValue(type, 'charset')?.toLowerCase();
}

/** A text in the charset of its media type, or UTF-8; undefined if the charset is unknown. */
export function decodedText(bytes: ArrayBuffer | Uint8Array, type: string): string | undefined {
  try {
    return new TextDecoder(charsetOf(type) ?? 'utf-8').decode(bytes);
  } catch {
    return undefined;
  }
}
