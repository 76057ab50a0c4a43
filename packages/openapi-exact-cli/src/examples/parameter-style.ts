import { isObject, objectOf, writeJson, type Json, type JsonObject, textOf } from './json-value.ts';

/** How a parameter is written by default, by its place (OpenAPI 3.1.1, section 4.8.12.2.1). */
const DEFAULT_STYLES: Readonly<Record<string, string>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};

/** The separator of values that are not exploded, percent-encoded where it must be. */
const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** The style and explode of a parameter or of the encoding of a form's field. */
export interface Style {
  readonly style: string;
  readonly explode: boolean;
}

export function styleOf(parameter: JsonObject, place = textOf(parameter['in'])): Style {
  const style = typeof parameter['style'] === 'string' ? parameter['style'] : (DEFAULT_STYLES[place] ?? 'form');
  const { explode } = parameter;
  return { style, explode: typeof explode === 'boolean' ? explode : style === 'form' || style === 'cookie' };
}

/** Writes the value of a parameter by the table of the specification, "Style Examples". */
export function writeParameter(parameter: JsonObject, value: Json): string {
  const place = textOf(parameter['in']);
  const name =
    place === 'cookie' || place === 'header'
      ? textOf(parameter['name'])
      : encodeURIComponent(textOf(parameter['name']));
  const text = (scalar: Json): string => {
    const plain = textOf(scalar);
    if (place === 'header' || place === 'cookie') return plain;
    return parameter['allowReserved'] === true ? encodeReserved(plain) : encodeURIComponent(plain);
  };
  if (isObject(parameter['content'])) {
    const [type = ''] = Object.keys(objectOf(parameter['content']));
    const content = isJson(type) ? text(writeJson(value)) : text(value);
    return place === 'path' || place === 'header' ? content : `${name}=${content}`;
  }
  const { style, explode } = styleOf(parameter);
  if (style === 'simple') return listed(value, text, explode, ',');
  if (style === 'label') return `.${listed(value, text, explode, explode ? '.' : ',')}`;
  const separator = place === 'cookie' ? '; ' : '&';
  if (style === 'matrix') return `;${pairs(name, value, text, { style, explode }).join(';')}`;
  return pairs(name, value, text, { style, explode }).join(separator);
}

/** The pairs of a form: a query, a cookie or an urlencoded body. */
export function pairs(name: string, value: Json, text: (scalar: Json) => string, { style, explode }: Style): string[] {
  if (style === 'deepObject') return deep(name, value, text);
  if (explode && Array.isArray(value)) return value.map((item) => `${name}=${text(item)}`);
  if (explode && isObject(value))
    return Object.entries(value).map(([key, property]) => `${text(key)}=${text(property)}`);
  return [`${name}=${listed(value, text, false, SEPARATORS[style] ?? ',')}`];
}

/** Beyond objects of scalars, deepObject is not defined; most writers continue with brackets. */
function deep(name: string, value: Json, text: (scalar: Json) => string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => deep(`${name}[${index}]`, item, text));
  if (!isObject(value)) return [`${name}=${text(value)}`];
  return Object.entries(value).flatMap(([key, property]) => deep(`${name}[${text(key)}]`, property, text));
}

function listed(value: Json, text: (scalar: Json) => string, explode: boolean, separator: string): string {
  if (Array.isArray(value)) return value.map(text).join(separator);
  if (!isObject(value)) return text(value);
  const members = Object.entries(value).map(([key, property]) => [text(key), text(property)]);
  return members.map((member) => member.join(explode ? '=' : separator)).join(separator);
}

/**
 * The members of an object that the specification says how to write in a form or parameter.
 * @param lists whether lists of scalars are among them, as in a form.
 */
export function writableMembers(value: JsonObject, lists: boolean): JsonObject {
  const isList = (property: Json): boolean =>
    lists && Array.isArray(property) && property.length > 0 && property.every(isScalar);
  const isFlat = (property: Json): boolean => lists && isObject(property) && Object.values(property).every(isScalar);
  const members = Object.entries(value).filter(
    ([, property]) => isScalar(property) || isList(property) || isFlat(property),
  );
  return Object.fromEntries(members);
}

/** Whether it can be written in a list. */
export function isScalar(value: Json): boolean {
  return typeof value !== 'object' && value !== '';
}

/** The media types of JSON. */
export const JSON_TYPE = /^[^;]*[/+]json\s*(;|$)/i;

export function isJson(mediaType: string): boolean {
  return JSON_TYPE.test(mediaType);
}

/** Leaves the reserved characters as they are, except those that would end the value. */
function encodeReserved(text: string): string {
  return encodeURIComponent(text).replaceAll(/%(3A|2F|40|24|3B|3F)/g, (escaped) => decodeURIComponent(escaped));
}
