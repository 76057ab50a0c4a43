import { RequestError } from '../errors/errors.ts';
import type { Parameter, ParameterLocation } from '../schema/openapi-document.ts';
import { faultOf, shownKeys } from '../errors/messages.ts';
import { MismatchError } from '../errors/invalid-response-error.ts';
import { keyOfToken } from '../json/json-pointer.ts';
import { decodeCookie, decodePercent, decodeQuery } from '../http/percent-encoding.ts';

/**
 * The error for a value: its place, such as `ids/1`, whose keys are tokens of a JSON pointer, the
 * keyword that is not met, the requirement, and the given text. `ofHandler` is the requirement for a
 * handler, where that differs.
 */
export type Refuse = (place: string, keyword: string, requirement: string, given?: string, ofHandler?: string) => Error;

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
  cookie: { styles: ['form'], decode: decodeCookie, refuse: refusalIn('cookie') },
};

/** The rules of response headers, for messages to the author of the handler. */
export const RESPONSE_HEADER: Location = {
  ...LOCATIONS.header,
  refuse: (place, keyword, requirement, _given, ofHandler = requirement) =>
    new MismatchError(`/${place}`, ofHandler, { keyword }),
};

function refusalIn(location: ParameterLocation): Refuse {
  return (place, keyword, requirement, given) => refuseParameter(location, place, keyword, requirement, given);
}

/**
 * The refusal of the value of a parameter, which is shown unless it is in a header.
 * @param place its name and the keys in it, as tokens of a JSON pointer.
 */
export function refuseParameter(
  location: ParameterLocation,
  place: string,
  keyword: string,
  requirement: string,
  given: unknown,
): RequestError {
  const isShown = location === 'path' || location === 'query';
  const subject = (name: string): string => `${LOCATION_SUBJECTS[location]} '${name}'`;
  const message = faultOf(subject, keyOfToken(shownKeys(place)), requirement, isShown ? given : undefined);
  const [name = '', ...keys] = place.split('/');
  const pointer = [keyOfToken(name), ...keys].join('/');
  return new RequestError('invalidParameter', message, { faults: [{ in: location, pointer, keyword, message }] });
}

/** The serialisation that a parameter declares, or the default of its location. */
export function serialisationOf(parameter: Parameter, { styles }: Location): Serialisation {
  const { style = styles[0] ?? '', explode = style === 'form' } = parameter;
  return { style, explode };
}
