import {
  collectValues,
  normalizePath,
  rawSegments,
  segmentPattern,
  templateQuery,
  templateSegments,
  writtenLiteral,
} from '../document/path-template.ts';
import { GivenParameter } from './given-parameter.ts';
import { isPlain } from './plain-parameter.ts';
import type { CallParameters } from './require-parameters.ts';
import type { OperationShape, ParameterStyle } from './shape.ts';

/** Writes a parameter. @throws TypeError for a value that its style cannot write. */
type ParameterWriter = (parameter: GivenParameter) => string;

/** Segments that URLs resolve, encoded or not (URL Standard, "double-dot URL path segment"). */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/** Whether `plainText` writes all parameters of a call. */
export function arePlain(operation: OperationShape, params: CallParameters): boolean {
  return Object.keys(params).every((location) => givenParameters(operation, location, params).every(isPlain));
}

/**
 * The path and query of a request, with its parameters in the styles of the contract.
 * @throws TypeError for a path parameter that is missing or would change the path, and what `write`
 * throws.
 */
export function requestTarget(
  operation: OperationShape,
  template: string,
  params: CallParameters,
  write: ParameterWriter,
): string {
  const path = rawSegments(template)
    .map((segment) => `/${segmentText(operation, segment, params, write)}`)
    .join('');
  // A path may have a query of its own. A query that is one value may be empty.
  const given = givenParameters(operation, 'query', params).map(write);
  const query = [...templateQuery(template), ...given.filter((text) => text !== '')];
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** The header parameters of a call, by name. @throws what `write` throws. */
export function headerParameters(
  operation: OperationShape,
  params: CallParameters,
  write: ParameterWriter,
): Record<string, string> {
  const given = givenParameters(operation, 'header', params);
  return Object.fromEntries(given.map((parameter) => [parameter.name, write(parameter)]));
}

/** The cookie parameters of a call as pairs. @throws what `write` throws. */
export function cookieParameters(operation: OperationShape, params: CallParameters, write: ParameterWriter): string[] {
  return givenParameters(operation, 'cookie', params).map(write);
}

/** The parameters of a call in one location, without those that are undefined. */
function givenParameters(operation: OperationShape, location: string, params: CallParameters): GivenParameter[] {
  const { parameters, querystring } = operation;
  const values = params[location];
  if (values === undefined) return [];
  if (location === 'query' && querystring !== undefined)
    return [new GivenParameter({ location, name: '', value: values, style: querystring, otherNames: [] })];
  const names = [...Object.keys(parameters[location] ?? {}), ...Object.keys(values)];
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const otherNames = names.filter((known) => known !== name);
      return new GivenParameter({ location, name, value, style: styleOf(operation, location, name), otherNames });
    });
}

function segmentText(
  operation: OperationShape,
  segment: string,
  params: CallParameters,
  write: ParameterWriter,
): string {
  const names: string[] = [];
  const values: string[] = [];
  const text = segment.replace(/\{([^{}]+)\}|[^{}]+/g, (part, name?: string) => {
    if (name === undefined) return writtenLiteral(part);
    const value = params['path']?.[name];
    names.push(`params.path.${name}`);
    const style = styleOf(operation, 'path', name);
    const isMissing = value === undefined || value === '' || (value === null && style !== 'json');
    const given = new GivenParameter({ location: 'path', name, value, style, otherNames: [] });
    const written = isMissing ? '' : write(given);
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

/** Undefined for the default style of the location. */
function styleOf({ styles }: OperationShape, location: string, name: string): ParameterStyle | undefined {
  const declared = styles?.[location] ?? {};
  return Object.hasOwn(declared, name) ? declared[name] : undefined;
}
