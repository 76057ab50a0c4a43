import { isOfFormat, ownCodecs, type AnyFormats, type Codecs } from '../schema/codec.ts';
import { TEXT_FORMATS } from './text-formats.ts';

/** The option `formats`, as the parts of the library need it. */
export interface OwnFormats {
  /** The rules that replace the library's, or are added to them, by the names of formats. */
  readonly rules: ReadonlyMap<string, (text: string) => boolean>;
  /** The codecs of the formats with values of one's own. */
  readonly codecs: Codecs;
}

/** The rules and the codecs of formats. */
export function ownFormats(formats: AnyFormats): OwnFormats {
  const rules = Object.entries(formats).flatMap(([name, format]): [string, (text: string) => boolean][] => {
    const validate = format?.validate;
    return validate === undefined ? [] : [[name, (text) => isOfFormat(name, validate, text)]];
  });
  return { rules: new Map(rules), codecs: ownCodecs(formats, { known: TEXT_FORMATS, isValidated: true }) };
}

/** No formats of one's own. */
export const NO_FORMATS: OwnFormats = ownFormats({});
