import type { Schema } from './document.ts';
import { describeInt64, INT64_MAX, INT64_MIN, parseInt64 } from './int64.ts';

/** What express-openapi-validator calls a "serDes": how strings of a format become values. */
export interface Deserializer {
  readonly format: string;
  readonly deserialize: (text: string) => bigint;
}

const NAME = /^int64:(-?\d+):(-?\d+)$/;

/** The format under which the validator knows an int64 parameter with these bounds. */
export function int64Format(minimum?: number, maximum?: number): string {
  return `int64:${bound(minimum, INT64_MIN)}:${bound(maximum, INT64_MAX)}`;
}

/**
 * A deserialiser for each int64 format in use. Its error message reaches the client behind the parameter's name.
 */
export function int64Deserializers(schemas: readonly (Schema | undefined)[]): Deserializer[] {
  const formats = new Set(schemas.flatMap((schema) => formatsIn(schema)));
  return [...formats].map((format) => {
    const [, minimum = '', maximum = ''] = NAME.exec(format) ?? [];
    return { format, deserialize: reader(BigInt(minimum), BigInt(maximum)) };
  });
}

function formatsIn(schema: Schema | undefined): string[] {
  if (schema === undefined) return [];
  const items = schema['items'];
  const own = schema.format !== undefined && NAME.test(schema.format) ? [schema.format] : [];
  return typeof items === 'object' && items !== null ? [...own, ...formatsIn(items as Schema)] : own;
}

function reader(minimum: bigint, maximum: bigint): (text: string) => bigint {
  const message = `must be ${describeInt64(minimum, maximum)}`;
  return (text) => {
    const value = parseInt64(text);
    if (value === undefined || value < minimum || value > maximum) throw new Error(message);
    return value;
  };
}

/** YAML reads a bound beyond 2^53 as the nearest double; those at the ends of int64 mean the ends of int64. */
function bound(value: number | undefined, end: bigint): bigint {
  if (value === undefined || Math.abs(value) >= 2 ** 63) return end;
  return BigInt(Math.trunc(value));
}
