import { integerOf } from '../json/decimal.ts';

/** What a custom format does: it validates texts, and turns them into values and back. */
export interface Format<Value = unknown> {
  /** Whether a text, or a number's text, is of the format. Replaces the built-in rule, if any. */
  readonly validate?: ((text: string) => boolean) | undefined;
  /** The value of a text, or of the text of a number. What it throws refuses the text. */
  readonly decode?: ((text: string) => Value) | undefined;
  /** The text of a value, or its number. */
  readonly encode?: ((value: Value) => string | number | bigint) | undefined;
}

/** A format of any values. */
export interface AnyFormat extends Omit<Format, 'encode'> {
  readonly encode?: ((value: never) => string | number | bigint) | undefined;
}

/** The formats of the option `formats`, by name. */
export type AnyFormats = Readonly<Record<string, AnyFormat | undefined>>;

/** The result for a JSON value that is not of the format. */
export const NOT_OF_FORMAT = Symbol();

/** A text that is not of its format. The message follows the name of its place. */
export class FormatError extends Error {
  readonly format: string;

  constructor(format: string, cause?: unknown) {
    super(`must match format "${format}"`, { cause });
    this.format = format;
  }
}

/** Turns the texts of a format into values, and back. */
export interface Codec {
  readonly format: string;
  /** Whether its values are `bigint`s, which JSON writes as integers. */
  readonly isBigint: boolean;
  /**
   * @param text of a text or a number.
   * @param isOnly whether the contract allows no other values of this JSON type.
   * @returns NOT_OF_FORMAT for a text that the contract allows otherwise.
   * @throws FormatError.
   */
  decodeText(text: string, isOnly: boolean): unknown;
  /** A text, a number or a bigint. @throws what the author's function throws. */
  encodeValue(value: unknown): unknown;
}

/**
 * The built-in codecs: an integer becomes a `bigint` where its schema has the format int64 or
 * uint64, or allows integers beyond 2^53.
 */
export const BIGINTS: Codecs = new Map(
  ['int64', 'uint64', 'integer'].map((format): [string, Codec] => [
    format,
    {
      ...{ format, isBigint: true, encodeValue: String },
      decodeText: (text) => integerOf(text) ?? NOT_OF_FORMAT,
    },
  ]),
);

/** Codecs by the names of their formats. */
export type Codecs = ReadonlyMap<string, Codec>;

/** Codecs that know nothing but the names of formats: for places, and types. */
export function formatCodecs(formats: readonly string[]): Codecs {
  const decode = (text: string): unknown => text;
  const named = Object.fromEntries(formats.map((format) => [format, { decode, encode: String }]));
  return formats.length === 0 ? NO_CODECS : customCodecs(named, { known: {}, isValidated: true });
}

/** The codecs of a contract without custom formats. */
export const NO_CODECS: Codecs = new Map();

/** How the codecs of custom formats are made. */
export interface CodecRules {
  /** The library's own rules for formats of texts, without that of a format which has its own. */
  readonly known: Readonly<Record<string, (text: string) => boolean>>;
  /** Whether texts were validated where the contract allows no others. */
  readonly isValidated: boolean;
}

/** The codecs of the custom formats that decode their texts, not of those that only validate. */
export function customCodecs(formats: AnyFormats, { known, isValidated }: CodecRules): Codecs {
  const codecs = new Map<string, Codec>();
  for (const [name, format] of Object.entries(formats)) {
    if (format?.decode === undefined && (isValidated || format?.validate === undefined)) continue;
    const rule = Object.hasOwn(known, name) ? known[name] : undefined;
    codecs.set(name, new CustomCodec(name, format, format.validate ?? rule, isValidated));
  }
  return codecs;
}

/** A custom format that decodes its texts. */
class CustomCodec implements Codec {
  readonly format: string;
  readonly isBigint = false;
  readonly #functions: AnyFormat;
  readonly #validate: ((text: string) => boolean) | undefined;
  readonly #isValidated: boolean;

  constructor(
    format: string,
    functions: AnyFormat,
    validate: ((text: string) => boolean) | undefined,
    isValidated: boolean,
  ) {
    this.format = format;
    this.#functions = functions;
    this.#validate = validate;
    this.#isValidated = isValidated;
  }

  decodeText(text: string, isOnly: boolean): unknown {
    const validate = this.#validate;
    if (validate !== undefined && !(isOnly && this.#isValidated) && !isOfFormat(this.format, validate, text)) {
      if (isOnly) throw new FormatError(this.format);
      return NOT_OF_FORMAT;
    }
    const { decode } = this.#functions;
    if (decode === undefined) return NOT_OF_FORMAT;
    let value: unknown;
    try {
      value = decode(text);
      // Among other texts, one without a rule is of the format if its value can be written again.
      if (!isOnly && validate === undefined) this.encodeValue(value);
    } catch (cause) {
      if (isOnly || validate !== undefined) throw new FormatError(this.format, cause);
      return NOT_OF_FORMAT;
    }
    if (value instanceof Date && Number.isNaN(value.getTime())) throw new FormatError(this.format);
    return value;
  }

  encodeValue(value: unknown): unknown {
    const { encode } = this.#functions;
    // The author's function gets the author's values.
    const written: unknown = encode === undefined ? value : encode(value as never);
    if (typeof written !== 'string' && typeof written !== 'number' && typeof written !== 'bigint')
      throw misuse('encode', this.format, 'a text or a number');
    // The service validates what is sent, but not what a client is about to send.
    const validate = this.#isValidated ? undefined : this.#validate;
    if (validate !== undefined && !isOfFormat(this.format, validate, String(written)))
      throw new FormatError(this.format);
    return written;
  }
}

/**
 * Whether the author's function calls a text valid.
 * @throws TypeError unless it returns true or false: a promise would be taken for true.
 */
export function isOfFormat(format: string, validate: (text: string) => unknown, text: string): boolean {
  const verdict = validate(text);
  if (typeof verdict === 'boolean') return verdict;
  throw misuse('validate', format, 'true or false');
}

/** The error for a function that returns something else than it must. */
export function misuse(name: string, format: string, what: string): TypeError {
  return new TypeError(`The ${name} of the format '${format}' must return ${what}.`);
}
