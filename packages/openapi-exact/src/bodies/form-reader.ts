import {
  isObject,
  isSchema,
  type Encoding,
  type MediaTypeObject,
  type OpenApiDocument,
  type Parameter,
  type Schema,
} from '../schema/openapi-document.ts';
import { alternatives, namedProperties } from '../schema/alternatives.ts';
import { FormFields } from '../parameters/form-fields.ts';
import { LOCATIONS, type Location } from '../parameters/locations.ts';
import { OtherProperties } from '../parameters/other-properties.ts';
import { formPairs, type Pairs } from '../parameters/pairs.ts';
import { decodeForm } from '../http/percent-encoding.ts';
import { tokenOfKey } from '../json/json-pointer.ts';
import type { ValueCount } from '../json/value-count.ts';
import { bracketKeys, TextTree, type Key } from '../parameters/text-tree.ts';
import { ValueReader } from '../parameters/value-reader.ts';
import { bodyKind } from '../http/media-type.ts';
import { refuseBody } from './body-refusals.ts';

/** A form in the encoding of HTML; its texts have the styles of a query. */
export const FORM_LOCATION: Location = {
  ...LOCATIONS.query,
  decode: decodeForm,
  refuse: ({ place, keyword, limits }, given) => {
    const pointer = place === '' || place.startsWith('/') ? place : `/${place}`;
    return refuseBody({ place: pointer, keyword, limits }, given);
  },
};
/** The fields of a multipart body, which are not percent-encoded. */
export const MULTIPART_LOCATION: Location = { ...FORM_LOCATION, decode: (text) => text };

/**
 * Reads the names and texts of a form as the object that its schema describes, with numbers as
 * `LosslessNumber`s. Where `encoding` says nothing, a repeated name is an array, a name may have
 * keys in brackets, as in `a[b]=1`, and the text of an object is JSON.
 */
export class FormReader {
  /** The properties that the schema declares. */
  readonly properties: ReadonlyMap<string, Schema>;
  /** The properties that the schema allows without a declaration. */
  readonly otherProperties: OtherProperties;
  readonly #values: ValueReader;
  /** The properties for which `encoding` names a style or JSON. */
  readonly #encoded: FormFields;
  readonly #encodedNames: readonly string[];
  readonly #location: Location;

  /** @param location {@link FORM_LOCATION} or {@link MULTIPART_LOCATION}. */
  constructor(document: OpenApiDocument, { schema = {}, encoding = {} }: MediaTypeObject, location: Location) {
    this.#location = location;
    const objects = alternatives(document, schema);
    this.properties = declaredProperties(objects);
    this.otherProperties = new OtherProperties(objects);
    this.#values = new ValueReader(document, schema, location.refuse);
    const encoded = Object.entries(encoding).flatMap(([name, propertyEncoding]) =>
      asParameter(name, this.properties.get(name) ?? {}, propertyEncoding),
    );
    this.#encodedNames = encoded.map(({ name }) => name);
    this.#encoded = new FormFields(document, encoded, location);
  }

  /**
   * @param text a form in the encoding of HTML (URL Standard, section 5.1).
   * @param count of the values of the message.
   * @throws RequestError malformedBody or invalidBody.
   */
  parseForm(text: string, count: ValueCount): unknown {
    const { decode } = this.#location;
    return this.formValue(formPairs(text, count, decode, this.#isStyled ? undefined : decode), count);
  }

  /** Whether texts have styles, by which they are taken apart before they are decoded. */
  get #isStyled(): boolean {
    return !this.#encoded.isEmpty;
  }

  /**
   * @param pairs with texts that are still encoded for the location if they have styles.
   * @throws RequestError invalidBody.
   */
  formValue(pairs: Pairs, count: ValueCount): unknown {
    if (!this.#isStyled) return this.#unstyledValue(pairs, count);
    const isOther = (name: string): boolean => this.properties.has(name) && !this.#encodedNames.includes(name);
    const encoded = this.#encoded.fieldValues(pairs, count, isOther);
    const unencoded = new Map<string, string[]>();
    for (const [name, texts] of pairs) {
      if (this.#encoded.takesName(name) && !isOther(name)) continue;
      this.requireStyle(name);
      unencoded.set(name, texts.map(this.#location.decode));
    }
    const value = this.#unstyledValue(unencoded, count);
    return isObject(value) ? { ...value, ...encoded } : value;
  }

  /** The value of decoded texts without a style. */
  #unstyledValue(pairs: Pairs, count: ValueCount): unknown {
    if (pairs.size === 0) return {};
    // Names without keys are those of properties: the pairs are the tree.
    if (![...pairs.keys()].some((name) => name.includes('['))) {
      return this.#values.tree({ texts: [], children: pairs, isAppended: false }, '', count);
    }
    const tree = new TextTree(this.#location.refuse, '', count);
    for (const [name, texts] of pairs) {
      tree.addTexts(this.#bracketedKeys(name), [...texts]);
    }
    return this.#values.tree(tree, '', count);
  }

  /** @throws RequestError invalidBody for a property whose style writes it under other names. */
  requireStyle(name: string): void {
    if (!this.#encodedNames.includes(name) || this.#encoded.takesName(name)) return;
    throw this.#location.refuse({ place: tokenOfKey(name), keyword: 'style', limits: 'style' });
  }

  /** Whether a schema allows a text with this name, which is or belongs to a property. */
  allowsText(name: string): boolean {
    const [first = name] = this.#bracketedKeys(name);
    return (
      this.properties.has(first ?? '') || this.#encoded.takesName(name) || this.otherProperties.allowsName(first ?? '')
    );
  }

  /** Whether a name has keys in brackets, or is written in a style with names of its own. */
  hasKeys(name: string): boolean {
    return this.#bracketedKeys(name).length > 1 || this.#encoded.takesName(name);
  }

  /** Whether a name belongs to a property for which `encoding` names a style or JSON. */
  isEncoded(name: string): boolean {
    return this.#encoded.takesName(name);
  }

  /** The keys of a name such as `a[b][0]`. */
  #bracketedKeys(name: string): readonly Key[] {
    const start = name.indexOf('[');
    if (start < 1 || this.properties.has(name)) return [name];
    const keys = bracketKeys(name.slice(start));
    return keys === undefined ? [name] : [name.slice(0, start), ...keys];
  }
}

/**
 * A property as a parameter of a query, which has the same styles; none without a style or JSON.
 */
export function asParameter(name: string, schema: Schema, { style, explode, contentType = '' }: Encoding): Parameter[] {
  const base = { name, in: 'query' } as const;
  if (style !== undefined || explode !== undefined) {
    const known = FORM_LOCATION.styles.find((knownStyle) => knownStyle === style) ?? 'form';
    return [{ ...base, schema, style: known, explode: explode ?? known === 'form' }];
  }
  return bodyKind(contentType) === 'json' ? [{ ...base, content: { [contentType]: { schema } } }] : [];
}

/** The properties that schemas declare, each with all that it may be. */
function declaredProperties(objects: readonly Schema[]): Map<string, Schema> {
  return new Map(
    [...namedProperties(objects)].map(([name, [first, ...furtherSchemas]]) => [
      name,
      furtherSchemas.length === 0 && isSchema(first) ? first : { anyOf: [first, ...furtherSchemas] },
    ]),
  );
}
