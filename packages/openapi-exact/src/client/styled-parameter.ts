import { asciiJson } from '../json/ascii-json.ts';
import type { GivenParameter } from './given-parameter.ts';
import { reservedText } from './reserved-text.ts';
import type { ParameterStyle } from './shape.ts';
import { wholeQueryText } from './whole-query.ts';

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
/** The names that the server finds again; RFC 6265, section 4.1.1, allows fewer. */
const COOKIE_NAME = /^[!#-%'-+\--:<>-~]+$/;
/** What a server finds again in a Cookie header without an encoding. */
const PLAIN_COOKIE = /^(?:[!-:<-~](?:[ -:<-~]*[!-:<-~])?)?$/;
/** The style of each location, unless the contract says another one (OpenAPI, "Style Values"). */
const SIMPLE_STYLE: NamedStyle = { style: 'simple', explode: false };
const FORM_STYLE: NamedStyle = { style: 'form', explode: true };

type NamedStyle = Exclude<ParameterStyle, 'json'>;

/**
 * A parameter in any style: a part of the path or the query, cookies, or a header. A call that
 * needs it imports it, so that it gets what the client has anyway from the parameter.
 * @throws TypeError for a value that its style cannot write.
 */
export function styledText(parameter: GivenParameter): string {
  const { location, style } = parameter;
  if (typeof style === 'object' && 'kind' in style) return wholeQueryText(parameter, style, styledText);
  if (location === 'header') return styledHeader(parameter, style ?? SIMPLE_STYLE);
  if (location === 'cookie') return cookieText(parameter, style ?? FORM_STYLE);
  return urlText(parameter, style ?? (location === 'query' ? FORM_STYLE : SIMPLE_STYLE));
}

function urlText(parameter: GivenParameter, style: ParameterStyle): string {
  const { location, value } = parameter;
  const name = parameter.percentEncoded(parameter.name);
  if (style === 'json') return (location === 'path' ? '' : `${name}=`) + encodeURIComponent(parameter.json);
  if (style.style === 'deepObject') return bracketTexts(parameter, name, value).join('&');
  const splitting = style.explode ? undefined : SPLITTING[style.style];
  const isDotted = style.style === 'label' && style.explode && typeof value === 'object';
  const isPart = typeof value === 'object' || style.style === 'matrix';
  const encode = (part: unknown): string => {
    const text = parameter.textOf(part);
    if (splitting !== undefined && text.includes(splitting))
      throw parameter.refusal(`must have no '${splitting}' in an item: ${style.style} splits it there`);
    const encoded =
      style.allowReserved === true
        ? reservedText(parameter.wellFormed(text), location, isPart)
        : parameter.percentEncoded(text);
    return isDotted ? encoded.replace(/\./g, '%2E') : encoded;
  };
  const syntax = SYNTAXES[style.style] ?? SIMPLE;
  return joinedText(parameter, { ...syntax, name, encodeKey: encode, encode }, style.explode);
}

/** A parameter as cookies. Names in cookies are not encoded. */
function cookieText(parameter: GivenParameter, style: ParameterStyle): string {
  const name = cookieName(parameter, parameter.name);
  if (style === 'json') return `${name}=${encodeURIComponent(parameter.json)}`;
  const { explode: isExploded, allowReserved } = style;
  const isList = typeof parameter.value === 'object';
  const encode = (part: unknown): string => {
    const text = parameter.textOf(part);
    if (style.style === 'cookie') return plainCookie(parameter, text, isList && !isExploded);
    if (allowReserved === true) return reservedText(parameter.wellFormed(text), 'cookie', isList);
    return parameter.percentEncoded(text);
  };
  const encodeKey = isExploded ? (key: string): string => cookieName(parameter, key) : encode;
  return joinedText(parameter, { ...FORM, exploded: '; ', name, encodeKey, encode }, isExploded);
}

function styledHeader(parameter: GivenParameter, style: ParameterStyle): string {
  const { value } = parameter;
  if (style === 'json') return asciiJson(parameter.json);
  // An empty header is an empty list (RFC 9110, section 5.6.1).
  if (Array.isArray(value) && value.length === 0) return '';
  const isList = typeof value === 'object';
  const encode = (part: unknown): string => {
    const text = parameter.fieldValue(parameter.textOf(part));
    if (isList && /^$|,/.test(text)) throw parameter.refusal('must have no empty item, and none with a comma');
    return text;
  };
  const encodeKey = (key: string): string => {
    if (!style.explode || !key.includes('=')) return encode(key);
    throw parameter.refusal(`must have no '=' in a name, as '${key}' has: the name ends there`);
  };
  return joinedText(parameter, { ...SIMPLE, name: '', encodeKey, encode }, style.explode);
}

/** The syntax of a style with the functions that write its parts. */
interface Writing extends StyleSyntax {
  readonly name: string;
  readonly encodeKey: (key: string) => string;
  readonly encode: (part: unknown) => string;
}

function joinedText(
  parameter: GivenParameter,
  { prefix, exploded, delimiter, isNamed, name, encodeKey, encode }: Writing,
  isExploded: boolean,
): string {
  const { value } = parameter;
  const named = isNamed ? `${name}=` : '';
  if (typeof value !== 'object' || value === null) return `${prefix}${named}${encode(value)}`;
  if (Array.isArray(value)) {
    if (value.length === 0) throw parameter.emptyRefusal();
    const items = value.map(encode);
    if (isExploded) return prefix + items.map((item) => named + item).join(exploded);
    return `${prefix}${named}${items.join(delimiter)}`;
  }
  const texts = scalarEntries(parameter, value).map(([key, part]) => [encodeKey(key), encode(part)]);
  if (texts.length === 0) throw parameter.emptyRefusal();
  const taken =
    isExploded && isNamed ? Object.keys(value).find((key) => parameter.otherNames.includes(key)) : undefined;
  if (taken !== undefined) throw parameter.refusal(`must have no property '${taken}': it is a parameter of its own`);
  if (isExploded) return prefix + texts.map((pair) => pair.join('=')).join(exploded);
  return `${prefix}${named}${texts.flat().join(delimiter)}`;
}

/** The properties of an object: a list comes once for each of its items. */
function scalarEntries(parameter: GivenParameter, value: object): [key: string, part: unknown][] {
  return Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
    if (part === undefined) return [];
    if (!Array.isArray(part)) return [[key, part]];
    if (part.length === 0) throw parameter.emptyRefusal();
    return part.map((item) => [key, item]);
  });
}

/** The style deepObject, with the keys of what is nested in brackets too. */
function bracketTexts(parameter: GivenParameter, name: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null)
    return [`${name}=${parameter.percentEncoded(parameter.textOf(value))}`];
  // The key [] makes a list also where no schema says so; longer keys need numbers.
  const isAppended = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  const texts = Object.entries(value).flatMap(([key, part]) => {
    if (part === undefined) return [];
    if (/^$|[[\]]/.test(key)) throw parameter.refusal('must have no brackets in a name, and none that is empty');
    return bracketTexts(parameter, `${name}[${isAppended ? '' : parameter.percentEncoded(key)}]`, part);
  });
  if (texts.length === 0) throw parameter.emptyRefusal();
  return texts;
}

/** A text in the style `cookie`, which has no encoding. */
function plainCookie(parameter: GivenParameter, text: string, isListed: boolean): string {
  if (!PLAIN_COOKIE.test(text))
    throw parameter.refusal("must be ASCII without ';', control characters and outer spaces: its style encodes none");
  if (isListed && text.includes(',')) throw parameter.refusal('must have no comma in a part: it would end there');
  return text;
}

/** A name of a cookie, which is not encoded (RFC 6265, section 4.1.1). */
function cookieName(parameter: GivenParameter, name: string): string {
  if (COOKIE_NAME.test(name)) return name;
  throw parameter.refusal(`cannot be a cookie named '${name}': its name must be ASCII without spaces and , ; = & "`);
}
