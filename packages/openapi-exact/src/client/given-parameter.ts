import { exactJson } from '../json/exact-json.ts';
import type { ParameterStyle, QuerystringShape } from './shape.ts';

/** A field value (RFC 9110, section 5.5), of characters that `fetch` takes. */
export const FIELD_VALUE = /^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?$/;

/** A parameter of a call, with what all styles share: the texts of its parts and its errors. */
export class GivenParameter {
  readonly location: string;
  readonly name: string;
  readonly value: unknown;
  /** Undefined for the default style of its location. */
  readonly style: ParameterStyle | QuerystringShape | undefined;
  /** The names of other parameters in its location, as far as they are known. */
  readonly otherNames: readonly string[];

  constructor({ location, name, value, style, otherNames }: ParameterDetails) {
    this.location = location;
    this.name = name;
    this.value = value;
    this.style = style;
    this.otherNames = otherNames;
  }

  /** A property of a query that is one value, which is a form. */
  property(details: Omit<ParameterDetails, 'location'>): GivenParameter {
    return new GivenParameter({ location: this.location, ...details });
  }

  /** The value as JSON. */
  get json(): string {
    return exactJson(this.value);
  }

  /** Styles nest no further: any other array or object in one is JSON. */
  textOf(part: unknown): string {
    if (part === undefined || part === null) throw this.refusal(`must have no null: ${NO_TEXT}`);
    return typeof part === 'string' ? part : exactJson(part);
  }

  percentEncoded(text: string): string {
    return encodeURIComponent(this.wellFormed(text));
  }

  wellFormed(text: string): string {
    if (/\p{Cs}/u.test(text)) throw this.refusal('must have no half of a surrogate pair: UTF-8 has none');
    return text;
  }

  /** A text in a header. */
  fieldValue(text: string): string {
    if (FIELD_VALUE.test(text)) return text;
    throw this.refusal('must be Latin-1 without control characters and outer spaces');
  }

  /** The error for an empty list or object. */
  emptyRefusal(): TypeError {
    return this.refusal(`must have no empty list or object: ${NO_TEXT}`);
  }

  refusal(requirement: string): TypeError {
    return new TypeError(`params.${this.location}.${this.name} ${requirement}.`);
  }
}

type ParameterDetails = Pick<GivenParameter, 'location' | 'name' | 'value' | 'style' | 'otherNames'>;

/** Why a value is refused, and what would be right. */
const NO_TEXT = 'its style has no text for it. Leave it out';
