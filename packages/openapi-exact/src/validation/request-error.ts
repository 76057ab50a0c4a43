import { isLosslessNumber } from 'lossless-json';
import type { RequestError } from '../errors/errors.ts';
import { refuseBody } from '../bodies/body-refusals.ts';
import { fieldsOf, type OpenApiDocument, type Schema } from '../schema/openapi-document.ts';
import { partsOf, reachableSchemas } from '../schema/schema-graph.ts';
import { keyOfToken, valueAt } from '../json/json-pointer.ts';
import { exactOf } from '../json/decimal.ts';
import { GROUPS, refuseParameter } from '../parameters/locations.ts';
import { withNumbers, type Fault } from '../errors/limits.ts';
import { placeInPart, type Message } from '../bodies/message-parts.ts';

type Parts = Message['parts'];

/**
 * The refusal of a value of a request, in the contract's terms.
 * @param message the parts of the request: the first token of the place is the name of one.
 * @param secrets the properties whose values are not shown.
 * @param placeInBody the JSON pointer into the body for one into what the message has as its body.
 */
export function requestError(
  { place, keyword, limits }: Fault,
  message: Parts,
  secrets: ReadonlySet<string>,
  placeInBody: (pointer: string) => string,
): RequestError {
  const { group, pointer } = placeInPart(place);
  const names = pointer.split('/').slice(1);
  const value = valueAt(message, place);
  const given = names.some((name) => secrets.has(keyOfToken(name))) ? undefined : shownValue(value);
  if (group !== undefined) return refuseParameter(GROUPS[group], { place: pointer.slice(1), keyword, limits }, given);
  const isBeyondDoubles = isLosslessNumber(value) && Number.isNaN(exactOf(value.value));
  return refuseBody(
    { place: placeInBody(pointer), keyword, limits: isBeyondDoubles ? withNumbers(limits, 'double') : limits },
    given,
  );
}

/** A number that a double holds as that, however it was written. */
function shownValue(value: unknown): unknown {
  const exact = isLosslessNumber(value) ? exactOf(value.value) : NaN;
  return typeof exact === 'number' && !Number.isNaN(exact) ? exact : value;
}

/** The properties that hold secrets: passwords, and what no response shows. */
export function secretsOf(document: OpenApiDocument, schemas: readonly Schema[]): ReadonlySet<string> {
  const properties = [...reachableSchemas(document, schemas)].flatMap(({ properties: named }) =>
    Object.entries(fieldsOf(named)),
  );
  const isSecret = ({ format, writeOnly }: Schema): boolean => format === 'password' || writeOnly === true;
  return new Set(properties.filter(([, schema]) => partsOf(document, schema).some(isSecret)).map(([name]) => name));
}
