import type { OpenApiDocument, Parameter } from '../schema/openapi-document.ts';
import type { ValueCount } from '../json/value-count.ts';
import { PLAIN_COOKIE, serialisationOf, type Location } from './locations.ts';
import type { FormTexts, Pairs } from './pairs.ts';
import { SpreadField } from './spread-field.ts';
import { TextField } from './text-field.ts';

/** Reads the parameters of a query, a Cookie header or another form: texts with names. */
export class FormFields {
  readonly isEmpty: boolean;
  readonly #fields: readonly (TextField | SpreadField)[];
  /** The names that are those of parameters themselves. */
  readonly #names: ReadonlySet<string>;
  /** The names of parameters that are unused if they are empty (`allowEmptyValue`). */
  readonly #emptiable: readonly string[];

  /** @param location the rules of the form. */
  constructor(document: OpenApiDocument, parameters: readonly Parameter[], location: Location) {
    this.isEmpty = parameters.length === 0;
    this.#fields = parameters.map((parameter) => {
      const { style, explode } = serialisationOf(parameter, location);
      const isSpread = parameter.content === undefined && (explode || style === 'deepObject');
      const rules = style === 'cookie' ? PLAIN_COOKIE : location;
      return new (isSpread ? SpreadField : TextField)(document, parameter, rules);
    });
    this.#emptiable = parameters
      .filter((parameter) => parameter.allowEmptyValue === true && parameter.in === 'query')
      .filter((parameter) => serialisationOf(parameter, location).style === 'form')
      .map(({ name }) => name);
    this.#names = new Set(this.#fields.filter((field) => field.claims(field.name)).map(({ name }) => name));
  }

  /** Whether a parameter takes this name. */
  takesName(name: string): boolean {
    return this.#fields.some((field) => field.isFree || field.claims(name));
  }

  /** Whether a name belongs to an array or object with a text for each part. */
  isSpread(name: string): boolean {
    return this.#fields.some((field) => field.isSpread && field.claims(name));
  }

  /** Whether a name belongs to a parameter whose text is taken unchanged. */
  isPlain(name: string): boolean {
    return this.#fields.some((field) => field.isPlain && (field.isFree || field.claims(name)));
  }

  /**
   * The values of the parameters that have one.
   * @param count of the values of the message. @param isOther whether a name is none of a field.
   * @throws RequestError for texts that cannot be a value.
   */
  fieldValues(
    pairs: Pairs,
    count: ValueCount,
    isOther: (name: string) => boolean = () => false,
  ): Record<string, unknown> {
    const texts = this.#texts(pairs, count, isOther);
    const values = this.#fields.map((field) => [field.name, field.readTexts(texts)] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }

  /**
   * Functions that read one parameter each, as {@link fieldValues} does all.
   * @param count counts the values of all of them together.
   */
  readers(pairs: Pairs, count: ValueCount, isOther: (name: string) => boolean): readonly (() => unknown)[] {
    const texts = this.#texts(pairs, count, isOther);
    return this.#fields.map((field) => () => field.readTexts(texts));
  }

  #texts(pairs: Pairs, count: ValueCount, isOther: (name: string) => boolean): FormTexts {
    const used = this.#used(pairs);
    return { pairs: used, count, names: this.#names, isClaimed: this.#claimed(used, isOther) };
  }

  /** The pairs without parameters that are unused, since they are empty. */
  #used(pairs: Pairs): Pairs {
    const unused = this.#emptiable.filter((name) => pairs.get(name)?.every((text) => text === '') === true);
    return unused.length === 0 ? pairs : new Map([...pairs].filter(([name]) => !unused.includes(name)));
  }

  /** Whether a name belongs to some parameter, which each parameter for free names asks. */
  #claimed(pairs: Pairs, isOther: (name: string) => boolean): (name: string) => boolean {
    if (!this.#fields.some(({ isFree }) => isFree)) return isOther;
    const isOwn = (name: string): boolean => isOther(name) || this.#fields.some((field) => field.claims(name));
    const claimed = new Set([...pairs.keys()].filter(isOwn));
    return (name) => claimed.has(name);
  }
}
