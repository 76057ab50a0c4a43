import {
  collectValues,
  normalizePath,
  rawSegments,
  segmentPattern,
  templateQuery,
  templateSegments,
  writtenLiteral,
} from '../document/path-template.ts';
import { serializeCookie, serializeInUrl, serializeHeader, type GivenParameter } from './parameter-text.ts';
import type { CallParameters } from './require-parameters.ts';
import { querystringTexts } from './querystring.ts';
import type { OperationShape, ParameterStyle } from './shape.ts';

/** The style of each location, unless the contract says another one (OpenAPI, "Style Values"). */
const DEFAULTS: Readonly<Record<string, ParameterStyle>> = {
  path: { style: 'simple', explode: false },
  header: { style: 'simple', explode: false },
  query: { style: 'form', explode: true },
  cookie: { style: 'form', explode: true },
};
/** Segments that URLs resolve, encoded or not (URL Standard, "double-dot URL path segment"). */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/**
 * The path and query of a request, with its parameters in the styles of the contract.
 * @throws TypeError for a path parameter that is missing or would change the path, and for a value
 * that its style cannot write.
 */
export function requestTarget(operation: OperationShape, template: string, params: CallParameters): string {
  // A path may have a query of its own.
  const fixed = templateQuery(template);
  const path = rawSegments(template)
    .map((segment) => `/${segmentText(operation, segment, params)}`)
    .join('');
  const { querystring } = operation;
  const texts =
    querystring === undefined
      ? givenParameters(operation, 'query', params).map(serializeInUrl)
      : querystringTexts(querystring, params['query']);
  const query = [...fixed, ...texts];
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** The header parameters of a call, by name. @throws TypeError for a value without a text. */
export function headerParameters(operation: OperationShape, params: CallParameters): Record<string, string> {
  const given = givenParameters(operation, 'header', params);
  return Object.fromEntries(given.map((parameter) => [parameter.name, serializeHeader(parameter)]));
}

/** The cookie parameters of a call as pairs. @throws TypeError for a value without a text. */
export function cookieParameters(operation: OperationShape, params: CallParameters): string[] {
  return givenParameters(operation, 'cookie', params).map(serializeCookie);
}

/** The parameters of a call in one location, without those that are undefined. */
function givenParameters(
  { parameters, styles }: OperationShape,
  location: string,
  params: CallParameters,
): GivenParameter[] {
  const names = [...Object.keys(parameters[location] ?? {}), ...Object.keys(params[location] ?? {})];
  return Object.entries(params[location] ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({
      ...{ location, name, value, style: styleOf(styles, location, name) },
      otherNames: names.filter((known) => known !== name),
    }));
}

function segmentText({ styles }: OperationShape, segment: string, params: CallParameters): string {
  const names: string[] = [];
  const values: string[] = [];
  const text = segment.replace(/\{([^{}]+)\}|[^{}]+/g, (part, name?: string) => {
    if (name === undefined) return writtenLiteral(part);
    const value = params['path']?.[name];
    names.push(`params.path.${name}`);
    const style = styleOf(styles, 'path', name);
    const isMissing = value === undefined || value === '' || (value === null && style !== 'json');
    const given = { location: 'path', name, value, style, otherNames: [] };
    const written = isMissing ? '' : serializeInUrl(given);
    if (written === '') throw new TypeError(`params.path.${name} is missing.`);
    values.push(normalizePath(written));
    return written;
  });
  if (names.length === 0) return text;
  const refuse = (why: string): TypeError => new TypeError(`${names.join(' and ')} must not make '${text}': ${why}.`);
  if (DOT_SEGMENT.test(text)) throw refuse('in a URL it stands for another path');
  if (names.length > 1 && !isFoundAgain(segment, text, values)) throw refuse('there the service ends them elsewhere');
  return text;
}

/** Whether a service finds the same values between the literal texts of a segment. */
function isFoundAgain(template: string, text: string, values: readonly string[]): boolean {
  const found: string[] = [];
  for (const { literals } of templateSegments(`/${template}`))
    collectValues(segmentPattern(literals), normalizePath(text), found);
  return found.every((value, index) => value === values[index]);
}

function styleOf(styles: OperationShape['styles'], location: string, name: string): ParameterStyle {
  const declared = styles?.[location] ?? {};
  const style = Object.hasOwn(declared, name) ? declared[name] : DEFAULTS[location];
  return style ?? { style: 'simple', explode: false };
}
