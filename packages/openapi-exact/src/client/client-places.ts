import { BIGINTS, customCodecs, type AnyFormats } from '../schema/codec.ts';
import { Places } from '../schema/places.ts';
import type { ContractShapes } from './shape.ts';

/** Where the values of a client's contract have formats. */
export interface ClientPlaces {
  /** Of all formats. */
  readonly all: Places;
  /** Of the client's own formats, which are written by its functions; undefined for none. */
  readonly own: Places | undefined;
  /** Of bigints alone. */
  readonly bigints: Places;
}

/** The places of a contract with the formats of a client. */
export function clientPlaces({ schemas }: ContractShapes, formats: AnyFormats): ClientPlaces {
  const codecs = customCodecs(formats, { known: {}, isValidated: false });
  return {
    all: new Places(schemas, new Map([...BIGINTS, ...codecs])),
    own: codecs.size === 0 ? undefined : new Places(schemas, codecs),
    bigints: new Places(schemas, BIGINTS),
  };
}
