import { RequestError } from '../errors/errors.ts';
import { parameterValue } from '../http/media-type.ts';

/** Whether a media type names no other charset than UTF-8. */
export function isUtf8(mediaType: string): boolean {
  return /^utf-?8$/i.test(parameterValue(mediaType, 'charset') ?? 'utf-8');
}

/**
 * A byte order mark is a part of the text.
 * @throws RequestError malformedBody for other bytes than UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array, what = 'The request body'): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new RequestError('malformedBody', `${what} must be well-formed UTF-8.`, { cause });
  }
}
