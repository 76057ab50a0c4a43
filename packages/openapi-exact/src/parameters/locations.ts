import { RequestError } from '../errors/errors.ts';
import type { Parameter, ParameterLocation } from '../schema/openapi-document.ts';
import type { Fault } from '../errors/limits.ts';
import { faultSentence, shownKeys } from '../errors/messages.ts';
import { MismatchError } from '../errors/invalid-response-error.ts';
import { keyOfToken } from '../json/json-pointer.ts';
import { decodeCookie, decodePercent, decodeQuery } from '../http/percent-encoding.ts';

/**
 * The error for a value: its fault, whose place is a name with tokens of a JSON pointer behind it,
 * such as `ids/1`, and the given text.
 */
export type Refuse = (fault: Fault, given?: string) => Error;

/** The rules of a location of parameters. */
export interface Location {
  /** Its styles; the first is the default (OpenAPI, "Style Values"). */
  readonly styles: readonly string[];
  readonly decode: (text: string) => string;
  readonly refuse: Refuse;
}

/** The parameter location of each group in a request. */
export const GROUPS = {
  params: 'path',
  query: 'query',
  headers: 'header',
  cookies: 'cookie',
} as const satisfies Record<string, ParameterLocation>;

export type ParameterGroup = keyof typeof GROUPS;

export function isParameterGroup(name: string): name is ParameterGroup {
  return Object.hasOwn(GROUPS, name);
}

export const PARAMETER_GROUPS: readonly ParameterGroup[] = ['params', 'query', 'headers', 'cookies'];

const LOCATION_SUBJECTS = { path: 'Path parameter', query: 'Query parameter', header: 'Header', cookie: 'Cookie' };

/** How a value is written as text. */
export interface Serialisation {
  readonly style: string;
  readonly explode: boolean;
}

export const LOCATIONS: Readonly<Record<ParameterLocation, Location>> = {
  path: { styles: ['simple', 'label', 'matrix'], decode: decodePercent, refuse: refusalIn('path') },
  query: {
    styles: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
    decode: decodeQuery,
    refuse: refusalIn('query'),
  },
  header: { styles: ['simple'], decode: (text) => text, refuse: refusalIn('header') },
  cookie: { styles: ['form', 'cookie'], decode: decodeCookie, refuse: refusalIn('cookie') },
};

/** The rules of the style `cookie`, whose texts have no encoding (OpenAPI 3.2, "Style Values"). */
export const PLAIN_COOKIE: Location = { ...LOCATIONS.cookie, decode: (text) => text };

/** The rules of response headers, for messages to the author of the handler. */
export const RESPONSE_HEADER: Location = {
  ...LOCATIONS.header,
  refuse: (fault) => new MismatchError({ ...fault, place: `/${fault.place}` }),
};

function refusalIn(location: ParameterLocation): Refuse {
  return (fault, given) => refuseParameter(location, fault, given);
}

/**
 * The refusal of the value of a parameter, which is shown unless it is in a header.
 * @param fault its place is the name and the keys in the value, as tokens of a JSON pointer.
 */
export function refuseParameter(
  location: ParameterLocation,
  { place, keyword, limits }: Fault,
  given: unknown,
): RequestError {
  const isShown = location === 'path' || location === 'query';
  const isWholeQuery = location === 'query' && place === '';
  const subject = (name: string): string => (isWholeQuery ? 'The query' : `${LOCATION_SUBJECTS[location]} '${name}'`);
  const message = faultSentence(subject, keyOfToken(shownKeys(place)), limits, isShown ? given : undefined);
  const [name = '', ...keys] = place.split('/');
  const pointer = [keyOfToken(name), ...keys].join('/');
  return new RequestError('invalidParameter', message, { faults: [{ in: location, pointer, keyword, message }] });
}

/** The serialisation that a parameter declares, or the default of its location. */
export function serialisationOf(parameter: Parameter, { styles }: Location): Serialisation {
  const { style = styles[0] ?? '', explode = style === 'form' || style === 'cookie' } = parameter;
  return { style, explode };
}
