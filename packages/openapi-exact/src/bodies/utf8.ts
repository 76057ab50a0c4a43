import { isUtf8 as isWellFormed } from 'node:buffer';
import { parameterValue } from '../http/media-type.ts';
import { malformedBody } from './body-refusals.ts';

/** Whether a media type names no other charset than UTF-8. */
export function isUtf8(mediaType: string): boolean {
  return /^utf-?8$/i.test(parameterValue(mediaType, 'charset') ?? 'utf-8');
}

/**
 * A byte order mark is a part of the text.
 * @param what the text, as messages name it. @param pointer to it in the body.
 * @throws RequestError malformedBody for other bytes than UTF-8.
 */
export function decodeUtf8(bytes: Buffer, what = 'The request body', pointer = ''): string {
  if (isWellFormed(bytes)) return bytes.toString('utf8');
  throw malformedBody(`${what} must be well-formed UTF-8.`, pointer);
}
