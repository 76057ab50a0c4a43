import { requireExact } from './require-exact.ts';
import type { OperationShape } from './shape.ts';
import type { Schemas } from './value-shapes.ts';

/** The parameters of a call, by location and name. */
export type CallParameters = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/**
 * Validates the parameters of a call.
 * @throws TypeError for an int64 that is not a `bigint`, and for a number that is not finite;
 * RangeError for a bigint outside int64.
 */
export function requireParameters({ parameters }: OperationShape, schemas: Schemas, params: CallParameters): void {
  for (const [location, values = {}] of Object.entries(params)) {
    const shapes = parameters[location] ?? {};
    for (const [name, value] of Object.entries(values)) {
      const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
      requireExact(value, shape ?? {}, schemas, `params.${location}.${name}`);
    }
  }
}
