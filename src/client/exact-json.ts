import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { SCHEMAS } from './operations.ts';
import type { Shape } from './shape.ts';

/** An int64 is from −2^63 to 2^63 − 1. */
const LIMIT = 2n ** 63n;

/**
 * Checks the int64s of a value before it is sent: each must be a `bigint`, because a number of 2^53 or more is the neighbour
 * of what somebody meant.
 * @param place the value's name, for messages.
 * @throws TypeError for a number, RangeError for a bigint that is no int64.
 */
export function requireExact(value: unknown, shape: Shape, place: string): void {
  walk(value, [shape], place, (leaf, isInt64, name) => {
    if (!isInt64) return leaf;
    if (Number.isInteger(leaf)) {
      throw new TypeError(`${name} must be a bigint such as 12n, not a number: beyond 2^53 numbers are rounded.`);
    }
    if (typeof leaf === 'bigint' && (leaf < -LIMIT || leaf >= LIMIT)) {
      throw new RangeError(`${name} must be between ${-LIMIT} and ${LIMIT - 1n}, not ${leaf}.`);
    }
    return leaf;
  });
}

/** A JSON text with its `bigint`s as exact integers. */
export function exactJson(value: unknown): string {
  return stringify(value) ?? 'null';
}

/**
 * Parses JSON: an int64 of the contract becomes a `bigint`, every other number a number.
 * @throws SyntaxError when it is no JSON.
 */
export function parseExact(text: string, shape: Shape): unknown {
  return walk(parse(text), [shape], 'the body', (leaf, isInt64) => {
    if (!isLosslessNumber(leaf)) return leaf;
    return isInt64 && /^-?\d+$/.test(leaf.value) ? BigInt(leaf.value) : Number(leaf.value);
  });
}

type Visit = (leaf: unknown, isInt64: boolean, place: string) => unknown;

/** Replaces the leaves of a value by what `visit` returns for them. */
function walk(value: unknown, shapes: readonly Shape[], place: string, visit: Visit): unknown {
  const all = shapes.flatMap(alternatives);
  if (Array.isArray(value)) {
    return value.map((item, index) => walk(item, all.flatMap(itemsOf(index)), `${place}[${index}]`, visit));
  }
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) {
    return visit(
      value,
      all.some(({ int64 }) => int64 === true),
      place,
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      walk(child, all.flatMap(propertyOf(key)), `${place}.${key}`, visit),
    ]),
  );
}

/** A shape with those that it refers to. */
function alternatives(shape: Shape): Shape[] {
  const { $ref, anyOf = [] } = shape;
  const target = $ref === undefined ? undefined : SCHEMAS[$ref];
  return [shape, ...(target === undefined ? [] : alternatives(target)), ...anyOf.flatMap(alternatives)];
}

function propertyOf(key: string): (shape: Shape) => Shape[] {
  return ({ properties = {}, additional }) => {
    const found = Object.hasOwn(properties, key) ? properties[key] : additional;
    return found === undefined ? [] : [found];
  };
}

function itemsOf(index: number): (shape: Shape) => Shape[] {
  return ({ prefix = [], items }) => {
    const found = index < prefix.length ? prefix[index] : items;
    return found === undefined ? [] : [found];
  };
}
