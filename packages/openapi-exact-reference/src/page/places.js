// Which values of a message the client takes as bigints, by their places in the schemas.
/* global LosslessJSON */
import { isObject } from './example.js';

/** What makes the integers of a schema bigints. */
const BIGINT_FORMATS = ['int64', 'uint64'];
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'const'];
const NUMBERS = ['integer', 'number'];
const INTEGER = /^-?\d+$/;

/** Whether the client takes bigints for the integers at a place that these schemas describe. */
export function isBigintPlace(schemas) {
  return schemas.some(isBigint);
}

/** The schemas of the item of a list at a place. */
export function itemSchemas(contract, schemas, index) {
  return partsOf(contract, { anyOf: schemas.map(({ prefixItems, items }) => prefixItems?.[index] ?? items) });
}

/** The schemas of the member of an object at a place. */
export function memberSchemas(contract, schemas, name) {
  return partsOf(contract, { anyOf: schemas.flatMap((schema) => propertyOf(schema, name)) });
}

/** The schemas of a property by its name. */
function propertyOf({ properties = {}, patternProperties = {}, additionalProperties }, name) {
  const matching = Object.keys(patternProperties).filter((pattern) => new RegExp(pattern, 'u').test(name));
  const found = [properties[name], ...matching.map((pattern) => patternProperties[pattern])];
  return found.every((schema) => schema === undefined) ? [additionalProperties] : found;
}

/** The rule of openapi-exact for one schema. */
function isBigint(schema) {
  const { type, format, enum: allowed = [], const: only } = schema;
  const types = [type].flat();
  if (BIGINT_FORMATS.includes(format)) return type === undefined || types.some((name) => NUMBERS.includes(name));
  if (type === undefined) return areBigints(only === undefined ? allowed : [only]);
  if (!types.includes('integer') || types.includes('number') || format === 'int32') return false;
  return [...BOUNDS.map((key) => schema[key]), ...allowed].some(isBeyondDoubles);
}

/** True for constants whose numbers are integers, at least one of them beyond 2^53. */
function areBigints(constants) {
  const numbers = constants.filter((constant) => LosslessJSON.isLosslessNumber(constant));
  return numbers.some(isBeyondDoubles) && numbers.every((number) => INTEGER.test(number));
}

/** True for an integer that a number of JavaScript does not hold. */
function isBeyondDoubles(value) {
  return LosslessJSON.isLosslessNumber(value) && INTEGER.test(value) && !Number.isSafeInteger(Number(value));
}

/** A schema and all that it is composed of. */
export function partsOf(contract, schema, outer = []) {
  const followed = contract.follow(schema);
  if (!isObject(followed) || outer.includes(schema)) return [];
  const { allOf = [], oneOf = [], anyOf = [] } = followed;
  const within = [...outer, schema];
  return [followed, ...[...allOf, ...oneOf, ...anyOf].flatMap((part) => partsOf(contract, part, within))];
}
