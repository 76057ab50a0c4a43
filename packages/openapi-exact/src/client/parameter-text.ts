import { exactJson } from './exact-json.ts';
import type { ParameterStyle } from './shape.ts';

/** What stands before a value, between its exploded parts and between others. */
interface Layout {
  readonly prefix: string;
  readonly exploded: string;
  readonly delimiter: string;
  /** Whether a value has its parameter's name before it. */
  readonly isNamed: boolean;
}

const SIMPLE: Layout = { prefix: '', exploded: ',', delimiter: ',', isNamed: false };
const FORM: Layout = { prefix: '', exploded: '&', delimiter: ',', isNamed: true };
/** OpenAPI 3.1.1, "Style Examples". */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  label: { prefix: '.', exploded: '.', delimiter: ',', isNamed: false },
  matrix: { prefix: ';', exploded: ';', delimiter: ',', isNamed: true },
  form: FORM,
  spaceDelimited: { ...FORM, delimiter: '%20' },
  pipeDelimited: { ...FORM, delimiter: '|' },
};
/** What an item cannot have, since a server splits it there, encoded or not. */
const SPLITTING: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };
/** A field value (RFC 9110, section 5.5), of characters that `fetch` takes. */
const FIELD_VALUE = /^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?$/;

/** A parameter of a call. */
export interface GivenParameter {
  readonly location: string;
  readonly name: string;
  readonly value: unknown;
  readonly style: ParameterStyle;
}

/**
 * A parameter of the path, the query or a cookie as text; empty for an empty list.
 * @throws TypeError for a value that its style cannot write.
 */
export function encodedText(parameter: GivenParameter): string {
  const { location, value, style } = parameter;
  const name = encodeURIComponent(parameter.name);
  if (style === 'json') return (location === 'path' ? '' : `${name}=`) + encodeURIComponent(exactJson(value));
  if (style.style === 'deepObject') return bracketTexts(parameter, name, value).join('&');
  const layout = LAYOUTS[style.style] ?? SIMPLE;
  const splitting = style.explode ? undefined : SPLITTING[style.style];
  const isDotted = style.style === 'label' && style.explode && typeof value === 'object';
  const encode = (part: unknown): string => {
    const text = scalarText(parameter, part);
    if (splitting !== undefined && text.includes(splitting))
      throw refusal(parameter, `must have no '${splitting}' in an item: ${style.style} splits it there`);
    return isDotted ? encodeURIComponent(text).replace(/\./g, '%2E') : encodeURIComponent(text);
  };
  const exploded = location === 'cookie' ? '; ' : layout.exploded;
  return styledText(name, value, { ...layout, exploded }, style.explode, encode);
}

/** A header as text. @throws TypeError for a value that a header cannot hold. */
export function headerText(parameter: GivenParameter): string {
  const { value, style } = parameter;
  if (style === 'json') return asciiJson(value);
  const isList = typeof value === 'object';
  const asIs = (part: unknown): string => {
    const text = scalarText(parameter, part);
    if (!FIELD_VALUE.test(text))
      throw refusal(parameter, 'must be Latin-1 without control characters and outer spaces');
    if (isList && /^$|,/.test(text)) throw refusal(parameter, 'must have no empty item, and none with a comma');
    return text;
  };
  return styledText('', value, SIMPLE, style.explode, asIs);
}

/** JSON without the characters that a header cannot hold. */
function asciiJson(value: unknown): string {
  const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return exactJson(value).replace(/[^ -~]/g, escaped);
}

function styledText(
  name: string,
  value: unknown,
  { prefix, exploded, delimiter, isNamed }: Layout,
  isExploded: boolean,
  encode: (part: unknown) => string,
): string {
  const named = isNamed ? `${name}=` : '';
  if (typeof value !== 'object' || value === null) return `${prefix}${named}${encode(value)}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return '';
    const items = value.map(encode);
    if (isExploded) return prefix + items.map((item) => named + item).join(exploded);
    return `${prefix}${named}${items.join(delimiter)}`;
  }
  const entries = Object.entries(value).filter(([, property]) => property !== undefined);
  if (entries.length === 0) return '';
  const texts = entries.map(([key, property]) => [encode(key), encode(property)]);
  if (isExploded) return prefix + texts.map((pair) => pair.join('=')).join(exploded);
  return `${prefix}${named}${texts.flat().join(delimiter)}`;
}

/** The style deepObject, with the keys of what is nested in brackets too. */
function bracketTexts(parameter: GivenParameter, name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null)
    return [`${name}=${encodeURIComponent(scalarText(parameter, value))}`];
  return Object.entries(value).flatMap(([key, part]) => {
    if (/^$|[[\]]/.test(key)) throw refusal(parameter, 'must have no brackets in a name, and none that is empty');
    return bracketTexts(parameter, `${name}[${encodeURIComponent(key)}]`, part);
  });
}

/** Styles nest no further: an array or object in one is JSON. */
function scalarText(parameter: GivenParameter, value: unknown): string {
  if (value === undefined || value === null) throw refusal(parameter, 'must not contain null: a text has none');
  return typeof value === 'string' ? value : exactJson(value);
}

function refusal({ location, name }: GivenParameter, requirement: string): TypeError {
  return new TypeError(`params.${location}.${name} ${requirement}.`);
}
