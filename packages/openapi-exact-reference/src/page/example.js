// Examples for schemas: what the contract gives, and otherwise the simplest value that fits.
/* global LosslessJSON */
import { discriminatorValue, typesOf } from './contract.js';

/** From this depth on, an example has only what is required: schemas may refer to each other. */
const DEEP = 4;
/** A text without a format. */
const TEXT = 'text';
const TEXTS = {
  date: '2030-01-31',
  'date-time': '2030-01-31T12:00:00Z',
  email: 'name@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  time: '12:00:00Z',
  uri: 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/**
 * An example of a schema.
 * @param direction `request` leaves out what is read-only, `response` what is write-only.
 * @param outer the references that led here, `depth` how many values this one is within, `isPart`
 *   whether it is part of an `allOf`, whose schema is chosen already.
 */
export function exampleOf(contract, schema, direction, { outer = [], depth = 0, isPart = false } = {}) {
  const given = contract.follow(schema) ?? {};
  for (const value of [given.example, given.examples?.[0], given.const, given.default, given.enum?.[0]]) {
    if (value !== undefined) return value;
  }
  // A schema within itself: its example would have no end.
  if (outer.includes(schema?.$ref)) return undefined;
  const within = schema?.$ref === undefined ? outer : [...outer, schema.$ref];
  const of = (inner) => exampleOf(contract, inner, direction, { outer: within, depth: depth + 1 });
  const [heir] = isPart ? [] : contract.heirsOf(schema);
  // It has this schema within itself.
  if (heir !== undefined) return exampleOf(contract, heir, direction, { outer, depth });
  const parts = (given.allOf ?? []).map((part) =>
    exampleOf(contract, part, direction, { outer: within, depth, isPart: true }),
  );
  const [alternative] = [...(given.oneOf ?? []), ...(given.anyOf ?? [])];
  if (alternative !== undefined) parts.push(exampleOf(contract, alternative, direction, { outer: within, depth }));
  const [type] = typesOf(given);
  if (type === 'object' || parts.some((part) => isObject(part))) {
    const own = Object.entries(given.properties ?? {})
      .filter(([name]) => depth < DEEP || given.required?.includes(name))
      .filter(
        ([, property]) => contract.follow(property)?.[direction === 'request' ? 'readOnly' : 'writeOnly'] !== true,
      )
      .map(([name, property]) => [name, of(property)])
      .filter(([, value]) => value !== undefined);
    const chosen = Object.assign({}, ...parts.filter(isObject));
    // A part may say more of a text than that it is one.
    const members = {
      ...chosen,
      ...Object.fromEntries(own.filter(([name, value]) => value !== TEXT || !(name in chosen))),
    };
    return { ...members, ...discriminated(contract, schema, alternative, members) };
  }
  if (parts.length > 0) return parts.at(-1);
  if (type === 'array') {
    const items = [...(given.prefixItems ?? [given.items ?? {}])].map(of);
    return items.filter((item) => item !== undefined);
  }
  if (type === 'integer' || type === 'number') return given.minimum ?? new LosslessJSON.LosslessNumber('1');
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (type !== 'string') return undefined;
  const json = isJson(given.contentMediaType ?? '') ? of(given.contentSchema) : undefined;
  return json === undefined ? (TEXTS[given.format] ?? TEXT) : LosslessJSON.stringify(json);
}

/** The properties of discriminators whose values nothing else says. */
function discriminated(contract, schema, alternative, members) {
  const { allOf = [], discriminator } = contract.follow(schema);
  const choices = allOf.map((part) => [contract.follow(part)?.discriminator, schema]);
  const values = [...choices, [discriminator, alternative]]
    .filter(([by, chosen]) => by !== undefined && chosen !== undefined)
    .map(([by, chosen]) => [by.propertyName, discriminatorValue(by, chosen)])
    .filter(([name, value]) => value !== undefined && [undefined, TEXT].includes(members[name]));
  return Object.fromEntries(values);
}

/**
 * The examples of a media type, parameter or header by name, each with its text if the contract has
 * one; else one made from its schema.
 */
export function examplesOf(contract, { example, examples, schema, stream }, direction) {
  const named = Object.entries(examples ?? {})
    .map(([name, reference]) => [name, contract.follow(reference)])
    .filter(([, example]) =>
      [example.value, example.dataValue, example.serializedValue].some((shown) => shown !== undefined),
    )
    .map(([name, { summary, value, dataValue, serializedValue }]) => [
      summary ?? name,
      value ?? dataValue,
      serializedValue,
    ]);
  if (named.length > 0) return named;
  const value =
    example ?? exampleOf(contract, stream === undefined ? schema : arrayOf(contract, stream, schema), direction);
  return value === undefined ? [] : [['Example', value]];
}

/** The schema of a stream's items as an array, with the first items that `schema` describes. */
function arrayOf(contract, { item }, schema) {
  const { prefixItems = [], example, examples } = contract.unwrapped(schema);
  return { example, examples, prefixItems: [...prefixItems, item], type: 'array' };
}

/** A value as text of a media type; undefined where only the contract could say how, as for XML. */
export function textOf(value, mediaType = 'application/json') {
  if (typeof value === 'string' && !isJson(mediaType)) return value;
  return isObject(value) && /xml/i.test(mediaType) ? undefined : (LosslessJSON.stringify(value, undefined, 2) ?? '');
}

export function isJson(mediaType) {
  return /[/+]json\s*(?:;|$)/i.test(mediaType);
}

/** Whether a person can read and write what has a media type. */
export function isText(mediaType) {
  return /^text\/|json|xml|yaml|javascript|urlencoded|csv/i.test(mediaType);
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !LosslessJSON.isLosslessNumber(value);
}
