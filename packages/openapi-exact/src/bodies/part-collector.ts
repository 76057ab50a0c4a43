import { getOrInsert } from '../json/get-or-insert.ts';
import { tokenOfKey } from '../json/json-pointer.ts';
import { isSpecialKey } from '../json/special-keys.ts';
import type { ValueCount } from '../json/value-count.ts';
import { fieldsOf, isObject, own } from '../schema/openapi-document.ts';
import { refuseBody, tooLarge } from './body-refusals.ts';
import type { BodyLimits } from './limits.ts';
import type { Part, PartReaders } from './part-readers.ts';
import type { RequestMemory } from './request-memory.ts';

/**
 * Collects what the parts of one body make: the object that its schema describes, with a
 * placeholder for each file.
 */
export class PartCollector {
  /** The count of the values of the parts. */
  readonly count: ValueCount;
  /** The count of the values of the object: those of the parts are values a second time. */
  readonly wholeCount: ValueCount;
  readonly #readers: PartReaders;
  readonly #limits: BodyLimits;
  readonly #names = new Set<string>();
  /** The fields that are texts, by name. */
  readonly #texts = new Map<string, string[]>();
  /** The other fields, and the placeholders of files. */
  readonly #values = new Map<string, unknown[]>();
  #ofTexts: unknown;
  #parts = 0;
  /** The size of the fields, and of the names of all parts. */
  #bytes = 0;

  constructor(readers: PartReaders, limits: BodyLimits, memory: RequestMemory) {
    this.#readers = readers;
    this.#limits = limits;
    this.count = memory.valueCount();
    this.wholeCount = memory.valueCount();
  }

  /** @throws RequestError for a part beyond the limit, with an undeclared name, or repeated. */
  addPart(name: string, isFile: boolean): void {
    if (++this.#parts > this.#limits.parts) {
      throw tooLarge(`The request body must not have more than ${this.#limits.parts} parts.`);
    }
    // A copy of an object with such a property would have another prototype.
    if (name === '__proto__') {
      throw refuseBody({ place: '', keyword: 'additionalProperties', limits: 'prototypePart' });
    }
    const place = `/${tokenOfKey(name)}`;
    this.#readers.form.requireStyle(name);
    if (!this.#readers.allowsPart(name, isFile)) {
      throw refuseBody({ place, keyword: 'additionalProperties', limits: 'undeclared' });
    }
    const isRepeated =
      this.#names.has(name) && this.#readers.declares(name) && !this.#readers.readerOf(name, this.count).isArray;
    if (isRepeated) throw refuseBody({ place, keyword: 'type', limits: 'once' });
    this.#names.add(name);
    this.keepBytes(name.length);
    this.count.addName(name);
    if (isSpecialKey(name)) this.count.isPlain = false;
  }

  /** Adds to what is kept until the end of the body. @throws RequestError bodyTooLarge. */
  keepBytes(size: number): void {
    this.#bytes += size;
    if (this.#bytes <= this.#limits.buffered) return;
    throw tooLarge(
      `The fields of the request body, with the names of its parts, must not be larger than ${this.#limits.buffered} bytes in all.`,
    );
  }

  /** Keeps a field. @returns its value. @throws RequestError for a text that cannot be one. */
  addField(name: string, bytes: Buffer, contentType: string): unknown {
    const reader = this.#readers.readerOf(name, this.count);
    const text = reader.fieldText(name, bytes, contentType);
    // A piece of a property is a text, which becomes a value with the other pieces.
    const isJson = this.#readers.isProperty(name) && reader.isJson(text, contentType);
    const value = reader.fieldValue(name, text, isJson, this.count);
    if (isJson) appendTo(this.#values, name, value);
    else appendTo(this.#texts, name, text);
    return value;
  }

  /** Keeps a placeholder for a file: a text as short as its schema allows. */
  addFile(name: string, size: number): void {
    const { minLength } = this.#readers.readerOf(name, this.count);
    appendTo(this.#values, name, 'x'.repeat(Math.min(size, minLength)));
  }

  /** A part for each property that was sent in pieces, such as `a[b]` and `a[c]`. */
  composedParts(): readonly Part[] {
    const properties = Object.entries(fieldsOf(this.#textObject()));
    return properties
      .filter(([name]) => !this.#names.has(name))
      .map(([name, value]) => ({ name, contentType: 'text/plain', headers: {}, value }));
  }

  /** The fields that are texts, as the object that their names and styles make. */
  #textObject(): unknown {
    this.#ofTexts ??= this.#readers.form.formValue(this.#texts, this.wholeCount);
    if (!this.wholeCount.isPlain) this.count.isPlain = false;
    return this.#ofTexts;
  }

  /**
   * The object that the schema of the body describes.
   * @throws RequestError invalidBody when a name is repeated whose property takes no array.
   */
  object(): unknown {
    const texts = this.#textObject();
    if (!this.count.isPlain) this.wholeCount.isPlain = false;
    if (!isObject(texts)) return texts;
    const values = [...this.#values].map(([name, given]): [string, unknown] => {
      const { isArray, isFlat } = this.#readers.readerOf(name, this.count);
      const text = own(texts, name);
      const all = [...(text === undefined ? [] : [text].flat()), ...(isFlat ? given.flat() : given)];
      if (isArray) return [name, all];
      if (all.length === 1 || !this.#readers.declares(name)) return [name, all.length === 1 ? all[0] : all];
      throw refuseBody({ place: `/${tokenOfKey(name)}`, keyword: 'type', limits: 'once' });
    });
    return { ...texts, ...Object.fromEntries(values) };
  }
}

/** A part of multipart/mixed has no name, so that no property describes it. */
function appendTo<T>(fields: Map<string, T[]>, name: string, value: T): void {
  if (name !== '') getOrInsert(fields, name, () => []).push(value);
}
