import { asciiJson } from '../ascii-json.ts';
import { isObject, type Header } from '../document/openapi-document.ts';

/**
 * The text of a response header that is an object, in the style `simple`, or JSON where its
 * `content` says so. Any other value is as it was given: a string is the text itself.
 */
export function headerText<T>(value: T, { content, explode = false }: Header): T | string {
  if (content !== undefined && typeof value === 'object') return asciiJson(value);
  if (!isObject(value)) return value;
  const given = Object.entries(value).filter(([, property]) => property !== undefined);
  const pairs = given.map(([name, property]) => `${name}${explode ? '=' : ','}${String(property)}`);
  return pairs.join(',');
}
