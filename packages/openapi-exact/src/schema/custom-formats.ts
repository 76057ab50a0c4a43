import { FormatError, isOfFormat, NOT_OF_FORMAT, customCodecs, type AnyFormats, type Codecs } from './codec.ts';
import { TEXT_FORMATS } from './text-formats.ts';

/** The option `formats`, as the parts of the library need it. */
export interface CustomFormats {
  /** The rules that replace the library's, or are added to them, by the names of formats. */
  readonly rules: ReadonlyMap<string, (text: string) => boolean>;
  /** The codecs of the custom formats that decode their texts. */
  readonly codecs: Codecs;
}

/** The rules and the codecs of formats. */
export function customFormats(formats: AnyFormats): CustomFormats {
  const rules = Object.entries(formats).flatMap(([name, format]): [string, (text: string) => boolean][] => {
    const validate = format?.validate;
    return validate === undefined ? [] : [[name, (text) => isOfFormat(name, validate, text)]];
  });
  return { rules: new Map(rules), codecs: customCodecs(formats, { known: TEXT_FORMATS, isValidated: true }) };
}

/** No custom formats. */
export const NO_FORMATS: CustomFormats = customFormats({});

/** Whether a text is of a custom format: its rule allows it, and it has a value. */
export function isOfCustomFormat({ rules, codecs }: CustomFormats, format: string, text: string): boolean {
  if (rules.get(format)?.(text) === false) return false;
  try {
    return codecs.get(format)?.decodeText(text, false) !== NOT_OF_FORMAT;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
