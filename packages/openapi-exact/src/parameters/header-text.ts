import { asciiJson } from '../json/ascii-json.ts';
import { exactJson } from '../json/exact-json.ts';
import { described } from '../errors/described.ts';
import { bodyKind } from '../http/media-type.ts';
import { isObject, type Header } from '../schema/openapi-document.ts';
import { JsonBody } from '../json/json-body.ts';
import { unwrittenKind } from '../json/unwritten-kind.ts';

/** A response header whose `content` is JSON: the value that is validated, and the text of it. */
export class JsonHeader {
  readonly json: JsonBody;
  readonly #text: string;

  constructor(value: unknown) {
    this.json = new JsonBody(value);
    this.#text = asciiJson(exactJson(this.json.value));
  }

  toString(): string {
    return this.#text;
  }
}

/**
 * The text of a response header's value: JSON for an object or a string whose `content`
 * says so, and for another object its text in the style `simple`. Any other value is as given.
 * @throws TypeError for an object that the style cannot write.
 */
export function headerText<T>(name: string, value: T, { content, explode = false }: Header): T | string | JsonHeader {
  if (content !== undefined && (typeof value === 'object' || (typeof value === 'string' && isJson(content)))) {
    return new JsonHeader(value);
  }
  if (!isObject(value)) return value;
  const unwritten = unwrittenKind(value);
  if (unwritten !== undefined) throw new TypeError(`The header ${name} must be a text, not a ${unwritten}.`);
  const given = Object.entries(value).filter(([, property]) => property !== undefined);
  const pairs = given.map(([key, property]) => [key, partText(name, property)] as const);
  const splitting = pairs.find(([key, text]) => text.includes(',') || (explode ? /[,=]/ : /,/).test(key));
  if (splitting !== undefined) {
    throw new TypeError(`The header ${name} must have no comma in ${splitting[0]}: the value would end there.`);
  }
  return pairs.map((pair) => pair.join(explode ? '=' : ',')).join(',');
}

/** True for a `content`, which has one media type, of JSON. */
function isJson(content: object): boolean {
  return Object.keys(content).some((mediaType) => bodyKind(mediaType) === 'json');
}

/**
 * The text of a scalar in a response header, as checked. A number beyond 2^53 has a form that
 * no integer has: a double may have rounded it.
 * @throws TypeError for what has no text.
 */
export function partText(name: string, value: unknown): string {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return value.toExponential();
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  throw new TypeError(`The header ${name} must have texts, numbers or booleans, not ${described(value)}.`);
}

/** The text of a response header's value, whose list has its items in one text. */
export function checkedText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => partText(name, item)).join(',');
  return value instanceof JsonHeader || value === null ? String(value) : partText(name, value);
}
