import { stringify } from 'lossless-json';
import { isObject, type Header } from '../document/openapi-document.ts';

/**
 * The text of a response header that is an object, in the style `simple`, or JSON where its
 * `content` says so. Any other value is as it was given: a string is the text itself.
 */
export function headerText<T>(value: T, { content, explode = false }: Header): T | string {
  if (content !== undefined && typeof value === 'object') return stringify(value) ?? '';
  if (!isObject(value)) return value;
  const pairs = Object.entries(value).map(([name, one]) => `${name}${explode ? '=' : ','}${String(one)}`);
  return pairs.join(',');
}
