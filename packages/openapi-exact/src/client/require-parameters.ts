import { requireExact } from './require-exact.ts';
import type { OperationShape } from './shape.ts';
import type { Schemas } from './shapes.ts';

/** The parameters of a call, by location and name. */
export type Parameters = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/**
 * Validates the int64s in the parameters of a call.
 * @throws TypeError for an int64 that is not a `bigint`; RangeError for a bigint outside int64.
 */
export function requireParameters({ parameters }: OperationShape, schemas: Schemas, params: Parameters): void {
  for (const [location, shapes] of Object.entries(parameters)) {
    for (const [name, shape] of Object.entries(shapes))
      requireExact(params[location]?.[name], shape, schemas, `params.${location}.${name}`);
  }
}
