import { isLosslessNumber } from 'lossless-json';
import type { RequestError } from '../errors/errors.ts';
import { refuseBody } from '../bodies/body-refusals.ts';
import { fieldsOf, type OpenApiDocument, type Schema } from '../schema/openapi-document.ts';
import { partsOf, reachableSchemas } from '../schema/schema-graph.ts';
import { keyOfToken } from '../json/json-pointer.ts';
import { exactOf } from '../json/decimal.ts';
import { GROUPS, refuseParameter } from '../parameters/locations.ts';
import type { MismatchError } from '../errors/invalid-response-error.ts';
import { placeInPart, type Message } from '../bodies/message-parts.ts';

type Parts = Message['parts'];

/**
 * The refusal of a value of a request, in the contract's terms.
 * @param message the parts of the request: the first token of the place is the name of one.
 * @param secrets the properties whose values are not shown.
 */
export function requestError(
  { place, requirement, keyword: unmet }: MismatchError,
  message: Parts,
  secrets: ReadonlySet<string>,
): RequestError {
  const { group, pointer } = placeInPart(place);
  const names = pointer.split('/').slice(1);
  const value = valueAt(message, place);
  const given = names.some((name) => secrets.has(keyOfToken(name))) ? undefined : shownValue(value);
  const keyword = typeof unmet === 'function' ? unmet(value) : unmet;
  if (group === undefined) return refuseBody(pointer, keyword, ofDoubles(requirement, value), given);
  return refuseParameter(GROUPS[group], pointer.slice(1), keyword, requirement, given);
}

/** A number that a double holds as that, however it was written. */
function shownValue(value: unknown): unknown {
  const exact = isLosslessNumber(value) ? exactOf(value.value) : NaN;
  return typeof exact === 'number' && !Number.isNaN(exact) ? exact : value;
}

/** A requirement, which for a number outside the range of doubles tells of that range. */
function ofDoubles(requirement: string, value: unknown): string {
  const isBeyond = isLosslessNumber(value) && Number.isNaN(exactOf(value.value));
  return isBeyond ? requirement.replace(/\ba number\b/, 'a number that a double holds') : requirement;
}

/** The properties that hold secrets: passwords, and what no response shows. */
export function secretsOf(document: OpenApiDocument, schemas: readonly Schema[]): ReadonlySet<string> {
  const properties = [...reachableSchemas(document, schemas)].flatMap(({ properties: named }) =>
    Object.entries(fieldsOf(named)),
  );
  const isSecret = ({ format, writeOnly }: Schema): boolean => format === 'password' || writeOnly === true;
  return new Set(properties.filter(([, schema]) => partsOf(document, schema).some(isSecret)).map(([name]) => name));
}

/** The value at a JSON pointer; undefined where there is none. */
function valueAt(message: Parts, place: string): unknown {
  const tokens = place.split('/').slice(1);
  return tokens.reduce<unknown>((value, token) => {
    const key = keyOfToken(token);
    const isPlain = typeof value === 'object' && value !== null && !isLosslessNumber(value);
    return isPlain && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }, message);
}
