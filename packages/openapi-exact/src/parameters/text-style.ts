import type { ValueCount } from '../json/value-count.ts';
import type { Serialisation } from './locations.ts';
import { trimWhitespace } from '../http/optional-whitespace.ts';
import { decodePercent } from '../http/percent-encoding.ts';

/** A name and its text. */
export type Entry = readonly [name: string, text: string];

/** The prefix of a value, and the separators of its parts: unless exploded, and if exploded. */
interface Layout {
  readonly prefix: string;
  readonly delimiters: readonly [string | RegExp, string | RegExp];
}

/**
 * OpenAPI 3.1.1, "Style Examples". Before 3.1.1 and 3.0.4 its table had dots in a label that is not
 * exploded: RFC 6570, section 3.2.5, has commas, and a dot may be part of a number.
 */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  simple: { prefix: '', delimiters: [',', ','] },
  label: { prefix: '.', delimiters: [',', '.'] },
  matrix: { prefix: ';', delimiters: [',', ';'] },
  form: { prefix: '', delimiters: [',', ','] },
  cookie: { prefix: '', delimiters: [',', ','] },
  spaceDelimited: { prefix: '', delimiters: [/%20|[+ ]/, /%20|[+ ]/] },
  pipeDelimited: { prefix: '', delimiters: [/\||%7C/i, /\||%7C/i] },
};
/** A list in a header may have spaces around its commas, and empty items (RFC 9110, 5.6.1). */
const HEADER: Layout = { prefix: '', delimiters: [',', ','] };

/**
 * Takes a value in one text apart, before it is decoded. Each method returns undefined for a text
 * that is not of the style, and throws the error of the count for too many parts.
 */
export class TextStyle {
  readonly #name: string;
  readonly #layout: Layout;
  readonly #style: string;
  readonly #explode: boolean;

  constructor({ style, explode }: Serialisation, name: string, isHeader: boolean) {
    this.#name = name;
    this.#layout = (isHeader ? HEADER : LAYOUTS[style]) ?? HEADER;
    this.#style = style;
    this.#explode = explode;
  }

  scalar(text: string): string | undefined {
    const { prefix } = this.#layout;
    if (!text.startsWith(prefix)) return undefined;
    const unprefixed = text.slice(prefix.length);
    if (this.#style !== 'matrix') return unprefixed;
    // Each part of a matrix has a name.
    return unprefixed.includes(';') ? undefined : this.#textBehindName(unprefixed);
  }

  items(text: string, count: ValueCount): readonly string[] | undefined {
    const parts = this.#textParts(text, count);
    if (this.#layout === HEADER) return parts?.filter((item) => item !== '');
    if (this.#style !== 'matrix' || !this.#explode) return parts;
    const items = parts?.map((part) => this.#textBehindName(part)).filter((item) => item !== undefined);
    return items?.length === parts?.length ? items : undefined;
  }

  /** The properties of an object: `a=1` in each part, or names and texts in turn. */
  entries(text: string, count: ValueCount): readonly Entry[] | undefined {
    const parts = this.#textParts(text, count);
    if (this.#explode) return parts?.every((part) => part.includes('=')) === true ? parts.map(splitEntry) : undefined;
    if (parts === undefined || parts.length % 2 === 1) return undefined;
    return parts.flatMap((name, index): Entry[] => (index % 2 === 0 ? [[name, parts[index + 1] ?? '']] : []));
  }

  #textParts(text: string, count: ValueCount): readonly string[] | undefined {
    const { prefix, delimiters } = this.#layout;
    if (this.#layout === HEADER) return count.split(text, ',').map(trimWhitespace);
    if (this.#explode) {
      return text.startsWith(prefix) ? count.split(text.slice(prefix.length), delimiters[1]) : undefined;
    }
    const scalar = this.scalar(text);
    return scalar === undefined ? undefined : count.split(scalar, delimiters[0]);
  }

  /** The value in `name=value`, where an empty value needs no `=`. */
  #textBehindName(part: string): string | undefined {
    const [name, text] = splitEntry(part);
    return decodePercent(name) === this.#name ? text : undefined;
  }
}

/** A name and a text around the first `=`; without one, the text is empty. */
export function splitEntry(text: string): Entry {
  const end = text.indexOf('=');
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}
