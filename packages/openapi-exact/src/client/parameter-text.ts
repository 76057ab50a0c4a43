import { asciiJson } from '../json/ascii-json.ts';
import { exactJson } from '../json/exact-json.ts';
import { reservedText } from './reserved-text.ts';
import type { ParameterStyle } from './shape.ts';

/** The prefix of a style, and the delimiters of its parts. */
interface StyleSyntax {
  readonly prefix: string;
  readonly exploded: string;
  readonly delimiter: string;
  /** Whether a value has its parameter's name before it. */
  readonly isNamed: boolean;
}

const SIMPLE: StyleSyntax = { prefix: '', exploded: ',', delimiter: ',', isNamed: false };
const FORM: StyleSyntax = { prefix: '', exploded: '&', delimiter: ',', isNamed: true };
/** OpenAPI 3.1.1, "Style Examples". */
const SYNTAXES: Readonly<Record<string, StyleSyntax>> = {
  label: { prefix: '.', exploded: '.', delimiter: ',', isNamed: false },
  matrix: { prefix: ';', exploded: ';', delimiter: ',', isNamed: true },
  form: FORM,
  spaceDelimited: { ...FORM, delimiter: '%20' },
  pipeDelimited: { ...FORM, delimiter: '|' },
};
/** What an item cannot have, since a server splits it there, encoded or not. */
const SPLITTING: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };
/** Why a value is refused, and what would be right. */
const NO_TEXT = 'its style has no text for it. Leave it out';
/** The names that the server finds again; RFC 6265, section 4.1.1, allows fewer. */
const COOKIE_NAME = /^[!#-%'-+\--:<>-~]+$/;
/** What a server finds again in a Cookie header without an encoding. */
const PLAIN_COOKIE = /^(?:[!-:<-~](?:[ -:<-~]*[!-:<-~])?)?$/;
/** A field value (RFC 9110, section 5.5), of characters that `fetch` takes. */
export const FIELD_VALUE = /^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?$/;

/** A parameter of a call. */
export interface GivenParameter {
  readonly location: string;
  readonly name: string;
  readonly value: unknown;
  readonly style: ParameterStyle;
  /** The known names of other parameters in its location. */
  readonly otherNames: readonly string[];
}

/**
 * A parameter of the path or the query as text.
 * @throws TypeError for a value that its style cannot write.
 */
export function serializeInUrl(parameter: GivenParameter): string {
  const { location, value, style } = parameter;
  const name = percentEncoded(parameter, parameter.name);
  if (style === 'json') return (location === 'path' ? '' : `${name}=`) + encodeURIComponent(exactJson(value));
  if (style.style === 'deepObject') return bracketTexts(parameter, name, value).join('&');
  const splitting = style.explode ? undefined : SPLITTING[style.style];
  const isDotted = style.style === 'label' && style.explode && typeof value === 'object';
  const { allowReserved } = style;
  const isPart = typeof value === 'object' || style.style === 'matrix';
  const encode = (part: unknown): string => {
    const text = scalarText(parameter, part);
    if (splitting !== undefined && text.includes(splitting))
      throw refusal(parameter, `must have no '${splitting}' in an item: ${style.style} splits it there`);
    const encoded =
      allowReserved === true
        ? reservedText(wellFormed(parameter, text), location, isPart)
        : percentEncoded(parameter, text);
    return isDotted ? encoded.replace(/\./g, '%2E') : encoded;
  };
  return styledText(
    parameter,
    { ...(SYNTAXES[style.style] ?? SIMPLE), name, encodeKey: encode, encode },
    style.explode,
  );
}

/**
 * A parameter as cookies. Names in cookies are not encoded.
 * @throws TypeError for a value that a cookie cannot hold.
 */
export function serializeCookie(parameter: GivenParameter): string {
  const { value, style } = parameter;
  const name = cookieName(parameter, parameter.name);
  if (style === 'json') return `${name}=${encodeURIComponent(exactJson(value))}`;
  const { explode: isExploded, allowReserved } = style;
  const isList = typeof value === 'object';
  const encode = (part: unknown): string => {
    const text = scalarText(parameter, part);
    if (style.style === 'cookie') return plainCookie(parameter, text, isList && !isExploded);
    if (allowReserved === true) return reservedText(wellFormed(parameter, text), 'cookie', isList);
    return percentEncoded(parameter, text);
  };
  const encodeKey = isExploded ? (key: string): string => cookieName(parameter, key) : encode;
  return styledText(parameter, { ...FORM, exploded: '; ', name, encodeKey, encode }, isExploded);
}

/** A header as text. @throws TypeError for a value that a header cannot hold. */
export function serializeHeader(parameter: GivenParameter): string {
  const { value, style } = parameter;
  if (style === 'json') return asciiJson(value);
  // An empty header is an empty list (RFC 9110, section 5.6.1).
  if (Array.isArray(value) && value.length === 0) return '';
  const isList = typeof value === 'object';
  const encode = (part: unknown): string => {
    const text = scalarText(parameter, part);
    if (!FIELD_VALUE.test(text))
      throw refusal(parameter, 'must be Latin-1 without control characters and outer spaces');
    if (isList && /^$|,/.test(text)) throw refusal(parameter, 'must have no empty item, and none with a comma');
    return text;
  };
  const encodeKey = (key: string): string => {
    if (!style.explode || !key.includes('=')) return encode(key);
    throw refusal(parameter, `must have no '=' in a name, as '${key}' has: the name ends there`);
  };
  return styledText(parameter, { ...SIMPLE, name: '', encodeKey, encode }, style.explode);
}

/** The syntax of a style with the functions that write its parts. */
interface Writing extends StyleSyntax {
  readonly name: string;
  readonly encodeKey: (key: string) => string;
  readonly encode: (part: unknown) => string;
}

function styledText(
  parameter: GivenParameter,
  { prefix, exploded, delimiter, isNamed, name, encodeKey, encode }: Writing,
  isExploded: boolean,
): string {
  const { value } = parameter;
  const named = isNamed ? `${name}=` : '';
  if (typeof value !== 'object' || value === null) return `${prefix}${named}${encode(value)}`;
  if (Array.isArray(value)) {
    if (value.length === 0) throw emptyRefusal(parameter);
    const items = value.map(encode);
    if (isExploded) return prefix + items.map((item) => named + item).join(exploded);
    return `${prefix}${named}${items.join(delimiter)}`;
  }
  const texts = scalarEntries(parameter, value).map(([key, part]) => [encodeKey(key), encode(part)]);
  if (texts.length === 0) throw emptyRefusal(parameter);
  const taken =
    isExploded && isNamed ? Object.keys(value).find((key) => parameter.otherNames.includes(key)) : undefined;
  if (taken !== undefined) throw refusal(parameter, `must have no property '${taken}': it is a parameter of its own`);
  if (isExploded) return prefix + texts.map((pair) => pair.join('=')).join(exploded);
  return `${prefix}${named}${texts.flat().join(delimiter)}`;
}

/** The properties of an object: a list comes once for each of its items. */
function scalarEntries(parameter: GivenParameter, value: object): [key: string, part: unknown][] {
  return Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
    if (part === undefined) return [];
    if (!Array.isArray(part)) return [[key, part]];
    if (part.length === 0) throw emptyRefusal(parameter);
    return part.map((item) => [key, item]);
  });
}

/** The style deepObject, with the keys of what is nested in brackets too. */
function bracketTexts(parameter: GivenParameter, name: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null)
    return [`${name}=${percentEncoded(parameter, scalarText(parameter, value))}`];
  // The key [] makes a list also where no schema says so; longer keys need numbers.
  const isAppended = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  const texts = Object.entries(value).flatMap(([key, part]) => {
    if (part === undefined) return [];
    if (/^$|[[\]]/.test(key)) throw refusal(parameter, 'must have no brackets in a name, and none that is empty');
    return bracketTexts(parameter, `${name}[${isAppended ? '' : percentEncoded(parameter, key)}]`, part);
  });
  if (texts.length === 0) throw emptyRefusal(parameter);
  return texts;
}

/** Styles nest no further: any other array or object in one is JSON. */
function scalarText(parameter: GivenParameter, value: unknown): string {
  if (value === undefined || value === null) throw refusal(parameter, `must have no null: ${NO_TEXT}`);
  return typeof value === 'string' ? value : exactJson(value);
}

function percentEncoded(parameter: GivenParameter, text: string): string {
  return encodeURIComponent(wellFormed(parameter, text));
}

function wellFormed(parameter: GivenParameter, text: string): string {
  if (/\p{Cs}/u.test(text)) throw refusal(parameter, 'must have no half of a surrogate pair: UTF-8 has none');
  return text;
}

/** A text in the style `cookie`, which has no encoding. */
function plainCookie(parameter: GivenParameter, text: string, isListed: boolean): string {
  if (!PLAIN_COOKIE.test(text))
    throw refusal(parameter, "must be ASCII without ';', control characters and outer spaces: its style encodes none");
  if (isListed && text.includes(',')) throw refusal(parameter, 'must have no comma in a part: it would end there');
  return text;
}

/** A name of a cookie, which is not encoded (RFC 6265, section 4.1.1). */
function cookieName(parameter: GivenParameter, name: string): string {
  if (COOKIE_NAME.test(name)) return name;
  throw refusal(parameter, `cannot be a cookie named '${name}': its name must be ASCII without spaces and , ; = & "`);
}

function emptyRefusal(parameter: GivenParameter): TypeError {
  return refusal(parameter, `must have no empty list or object: ${NO_TEXT}`);
}

function refusal({ location, name }: GivenParameter, requirement: string): TypeError {
  return new TypeError(`params.${location}.${name} ${requirement}.`);
}
