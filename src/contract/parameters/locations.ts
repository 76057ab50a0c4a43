import { RequestError } from '../../errors.ts';
import type { Parameter, ParameterLocation } from '../document/openapi-document.ts';
import { MismatchError } from '../response-error.ts';
import { decodeCookie, decodePercent, decodeQuery } from './percent-encoding.ts';

/** The error for a value: its place, such as `ids/1`, and what it must be. */
export type Refuse = (place: string, requirement: string) => Error;

/** The rules of a location of parameters. */
export interface Location {
  /** Its styles; the first is the default (OpenAPI, "Style Values"). */
  readonly styles: readonly string[];
  readonly decode: (text: string) => string;
  readonly refuse: Refuse;
}

/** How a value is written as text. */
export interface Serialisation {
  readonly style: string;
  readonly explode: boolean;
}

export const LOCATIONS: Readonly<Record<ParameterLocation, Location>> = {
  path: { styles: ['simple', 'label', 'matrix'], decode: decodePercent, refuse: refusalOf('Path parameter') },
  query: {
    styles: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
    decode: decodeQuery,
    refuse: refusalOf('Query parameter'),
  },
  header: { styles: ['simple'], decode: (text) => text, refuse: refusalOf('Header') },
  cookie: { styles: ['form'], decode: decodeCookie, refuse: refusalOf('Cookie') },
};

/** The rules of response headers, of which a handler is told, not a client. */
export const RESPONSE_HEADER: Location = {
  ...LOCATIONS.header,
  refuse: (place, requirement) => new MismatchError(`/${place}`, requirement),
};

function refusalOf(what: string): Refuse {
  return (place, requirement) => new RequestError('invalidParameter', `${what} '${place}' ${requirement}.`);
}

/** The serialisation that a parameter declares, or the default of its location. */
export function serialisationOf(parameter: Parameter, { styles }: Location): Serialisation {
  const { style = styles[0] ?? '', explode = style === 'form' } = parameter;
  return { style, explode };
}
