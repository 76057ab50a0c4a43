import { LosslessNumber } from 'lossless-json';
import type { Limits } from '../errors/limits.ts';
import { setOwn } from './set-own.ts';
import { MAX_NUMBER_LENGTH } from './decimal.ts';
import { MAX_DEPTH } from './scan-json.ts';
import type { ValueCount } from './value-count.ts';

/** The error for a text that is not well-formed, or whose value is beyond a limit. */
export type RefuseJson = (reason: 'malformedBody' | 'invalidBody', limits: Limits) => Error;

/**
 * Parses JSON with `LosslessNumber`s (RFC 8259). A key may occur once in an object.
 * @param count of the values of the message: they are counted while they are made.
 * @throws the error of `refuse` or `count`.
 */
export function parseJson(json: string, refuse: RefuseJson, count: ValueCount): unknown {
  return new JsonParser(json, refuse, count).parse();
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS: Readonly<Record<string, readonly [text: string, value: boolean | null]>> = {
  t: ['true', true],
  f: ['false', false],
  n: ['null', null],
};

/**
 * Parses in one pass. Its time is linear in the text, and its memory in the number of values and
 * the length of their texts.
 */
class JsonParser {
  readonly #json: string;
  readonly #refuse: RefuseJson;
  readonly #count: ValueCount;
  #at = 0;
  #depth = 0;
  /** The length of the keys that lead to the current object. */
  #place = 0;

  constructor(json: string, refuse: RefuseJson, count: ValueCount) {
    this.#json = json;
    this.#refuse = refuse;
    this.#count = count;
  }

  parse(): unknown {
    // A byte order mark in front is ignored (section 8.1).
    if (this.#json.startsWith('\uFEFF')) this.#at = 1;
    const value = this.#value();
    if (this.#at < this.#json.length) throw this.#malformed();
    return value;
  }

  /** A value with the white space around it. */
  #value(): unknown {
    this.#count.addToCount();
    this.#skipWhitespace();
    const value = this.#bareValue();
    this.#skipWhitespace();
    return value;
  }

  #bareValue(): unknown {
    const first = this.#json[this.#at] ?? '';
    if (first === '"') return this.#string();
    if (first === '{' || first === '[') return this.#nested(first);
    const [text, value] = LITERALS[first] ?? [];
    if (text === undefined) return this.#parseNumber();
    if (!this.#json.startsWith(text, this.#at)) throw this.#malformed();
    this.#at += text.length;
    return value;
  }

  #nested(first: '{' | '['): unknown {
    if (++this.#depth > MAX_DEPTH) throw this.#refuse('invalidBody', { deepest: MAX_DEPTH });
    this.#at += 1;
    const value = first === '{' ? this.#parseObject() : this.#parseArray();
    this.#at += 1;
    this.#depth -= 1;
    return value;
  }

  /** The properties of an object, up to its closing brace. */
  #parseObject(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#skipWhitespace();
    if (this.#json[this.#at] === '}') return object;
    for (;;) {
      this.#skipWhitespace();
      if (this.#json[this.#at] !== '"') throw this.#malformed();
      const start = this.#at;
      const key = this.#string();
      // A copy of an object with such a property would have another prototype.
      if (key === '__proto__') throw this.#refuse('invalidBody', 'prototypeProperty');
      if (Object.hasOwn(object, key)) throw this.#malformed(start);
      this.#count.addName(key, this.#place);
      this.#skipWhitespace();
      if (this.#json[this.#at] !== ':') throw this.#malformed();
      this.#at += 1;
      this.#place += key.length;
      setOwn(object, key, this.#value());
      this.#place -= key.length;
      if (!this.#continues('}')) return object;
    }
  }

  /** The items of an array, up to its closing bracket. */
  #parseArray(): unknown[] {
    const items: unknown[] = [];
    this.#skipWhitespace();
    if (this.#json[this.#at] === ']') return items;
    do items.push(this.#value());
    while (this.#continues(']'));
    return items;
  }

  /** Steps over a comma. @returns false at the end of the array or object. */
  #continues(end: string): boolean {
    const next = this.#json[this.#at];
    if (next === end) return false;
    if (next !== ',') throw this.#malformed();
    this.#at += 1;
    return true;
  }

  #string(): string {
    let end = this.#json.indexOf('"', this.#at + 1);
    while (end !== -1 && this.#isEscaped(end)) end = this.#json.indexOf('"', end + 1);
    if (end === -1) throw this.#malformed();
    const text = this.#json.slice(this.#at, end + 1);
    try {
      // It decodes escapes, refuses control characters and makes a copy: a slice would keep the
      // whole text in memory.
      const string = JSON.parse(text) as string;
      this.#at = end + 1;
      return string;
    } catch {
      throw this.#malformed();
    }
  }

  /** Whether an odd number of backslashes precedes a quote. */
  #isEscaped(quote: number): boolean {
    let first = quote;
    while (this.#json[first - 1] === '\\') first -= 1;
    return (quote - first) % 2 === 1;
  }

  #parseNumber(): LosslessNumber {
    NUMBER.lastIndex = this.#at;
    if (!NUMBER.test(this.#json)) throw this.#malformed();
    const text = this.#json.slice(this.#at, NUMBER.lastIndex);
    if (text.length > MAX_NUMBER_LENGTH) {
      throw this.#refuse('invalidBody', { longestNumber: MAX_NUMBER_LENGTH });
    }
    this.#at += text.length;
    return new LosslessNumber(text);
  }

  #skipWhitespace(): void {
    while (isJsonWhitespace(this.#json.charCodeAt(this.#at))) this.#at += 1;
  }

  /** @param at where the text stops being JSON, or repeats a key. */
  #malformed(at = this.#at): Error {
    let [line, start] = [1, this.#json.startsWith('\uFEFF') ? 1 : 0];
    for (let end = this.#json.indexOf('\n'); end !== -1 && end < at; end = this.#json.indexOf('\n', end + 1)) {
      line += 1;
      start = end + 1;
    }
    const place = `line ${line}, column ${at - start + 1}`;
    return this.#refuse('malformedBody', { json: place });
  }
}

/** Space, tab, line feed and carriage return (section 2). */
function isJsonWhitespace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
