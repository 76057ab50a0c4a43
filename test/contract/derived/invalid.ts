import type { Schema } from '../../../src/contract/document/openapi-document.ts';
import { rangeOf, typesOf, type Value } from './values.ts';

/**
 * Texts that no numeric parameter accepts, though one or the other language would read a number
 * from them.
 */
const NO_NUMBERS = ['x', '0x10', '0b1', '1_0', 'NaN', 'Infinity', 'null', 'true', ' 1', '1 ', '+1', '١', '1\n', '\0'];
const NO_INTEGERS = [...NO_NUMBERS, '007', '-0', '1.0', '1.', '1e3'];

/**
 * Texts of a parameter one step beyond what its (flattened) schema allows, and of the wrong type.
 */
export function invalidTexts(schema: Schema): string[] {
  const [type] = typesOf(schema).filter((one) => one !== 'null');
  // An empty text is tested separately.
  const beyond = beyondBounds(schema)
    .map(String)
    .filter((text) => text !== '');
  if (Array.isArray(schema['enum'])) return [...beyond, 'none-of-them', `${schema['enum'].join('')}x`];
  if (type === 'integer') return [...beyond, ...NO_INTEGERS, '9'.repeat(400)];
  if (type === 'number') return [...beyond, ...NO_NUMBERS];
  if (type === 'boolean') return ['0', '1', 'yes', 'TRUE', 'null', '2'];
  return beyond;
}

/** Values of JSON that break a flattened scalar schema. */
export function invalidValues(schema: Schema): Value[] {
  const types = typesOf(schema);
  const samples: [string, Value][] = [
    ['string', 'text'],
    ['integer', 12n],
    ['number', 1.5],
    ['boolean', true],
    ['null', null],
    ['array', []],
    ['object', {}],
  ];
  const isOf = (type: string): boolean => types.includes(type) || (type === 'integer' && types.includes('number'));
  const wrongTypes = types.length === 0 ? [] : samples.filter(([type]) => !isOf(type)).map(([, value]) => value);
  const { enum: allowed, const: only } = schema;
  const none = Array.isArray(allowed) || only !== undefined ? ['none of them', 1234567] : [];
  return [
    ...wrongTypes,
    ...beyondBounds(schema),
    ...none.filter((value) => isOf(typeof value === 'string' ? 'string' : 'number')),
  ];
}

function beyondBounds(schema: Schema): Value[] {
  const [type] = typesOf(schema).filter((one) => one !== 'null');
  const { minimum, maximum, minLength, maxLength, pattern, multipleOf } = schema;
  if (type === 'integer') {
    const { low, high } = rangeOf(schema);
    const off = typeof multipleOf === 'number' && multipleOf > 1 ? [BigInt(multipleOf) + 1n] : [];
    return [low - 1n, high + 1n, ...off];
  }
  if (type === 'number') {
    return [minimum, maximum].flatMap((bound, index) =>
      bound === undefined ? [] : [index === 0 ? Number(bound) - 0.5 : Number(bound) + 0.5],
    );
  }
  if (type !== 'string') return [];
  return [
    ...(typeof minLength === 'number' && minLength > 0 ? ['x'.repeat(minLength - 1)] : []),
    ...(typeof maxLength === 'number' ? ['x'.repeat(maxLength + 1)] : []),
    ...(typeof pattern === 'string' ? ['\u0001', '~ ~'].filter((text) => !new RegExp(pattern, 'u').test(text)) : []),
    ...(['date', 'date-time', 'uuid', 'email', 'uri'].includes(schema.format ?? '')
      ? ['no such thing', '2026-13-45']
      : []),
  ];
}
