// Examples for schemas: what the contract gives, and otherwise the simplest value that fits.
/* global LosslessJSON */
import { typesOf } from './contract.js';

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
 */
export function exampleOf(contract, schema, direction, outer = []) {
  const given = contract.follow(schema) ?? {};
  for (const value of [given.example, given.examples?.[0], given.const, given.default, given.enum?.[0]]) {
    if (value !== undefined) return value;
  }
  // A schema within itself: its example would have no end.
  if (outer.includes(schema?.$ref)) return undefined;
  const within = schema?.$ref === undefined ? outer : [...outer, schema.$ref];
  const of = (inner) => exampleOf(contract, inner, direction, within);
  const parts = (given.allOf ?? []).map(of);
  const [alternative] = [...(given.oneOf ?? []), ...(given.anyOf ?? [])];
  if (alternative !== undefined) parts.push(of(alternative));
  const [type] = typesOf(given);
  if (type === 'object' || parts.some((part) => isObject(part))) {
    const own = Object.entries(given.properties ?? {})
      .filter(
        ([, property]) => contract.follow(property)?.[direction === 'request' ? 'readOnly' : 'writeOnly'] !== true,
      )
      .map(([name, property]) => [name, of(property)])
      .filter(([, value]) => value !== undefined);
    return Object.assign({}, ...parts.filter(isObject), Object.fromEntries(own));
  }
  if (parts.length > 0) return parts.at(-1);
  if (type === 'array') {
    const items = [...(given.prefixItems ?? [given.items ?? {}])].map(of);
    return items.filter((item) => item !== undefined);
  }
  if (type === 'integer' || type === 'number') return given.minimum ?? new LosslessJSON.LosslessNumber('1');
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return type === 'string' ? (TEXTS[given.format] ?? 'text') : undefined;
}

/** The examples of a media type, parameter or header by name; else one made from its schema. */
export function examplesOf(contract, { example, examples, schema }, direction) {
  const named = Object.entries(examples ?? {})
    .map(([name, reference]) => [name, contract.follow(reference)])
    .filter(([, { value, dataValue }]) => value !== undefined || dataValue !== undefined)
    .map(([name, { summary, value, dataValue }]) => [summary ?? name, value ?? dataValue]);
  if (named.length > 0) return named;
  const value = example ?? exampleOf(contract, schema, direction);
  return value === undefined ? [] : [['Example', value]];
}

/** A value as text of a media type; undefined where only the contract could say how, as for XML. */
export function textOf(value, mediaType = 'application/json') {
  if (typeof value === 'string' && !isJson(mediaType)) return value;
  return isObject(value) && /xml/i.test(mediaType) ? undefined : (LosslessJSON.stringify(value, undefined, 2) ?? '');
}

export function isJson(mediaType) {
  return /^application\/json\b|\+json\b|\/json$/i.test(mediaType);
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !LosslessJSON.isLosslessNumber(value);
}
