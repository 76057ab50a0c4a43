import { requireExact } from './require-exact.ts';
import type { OperationShape } from './shape.ts';
import type { Schemas } from './shapes.ts';

/** The parameters of a call, by location and name, and its body. */
export interface CallArguments {
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/**
 * Validates the arguments of a call.
 * @throws TypeError for a path parameter that is missing or would change the path, and for an int64
 * that is not a `bigint`; RangeError for a bigint outside int64.
 */
export function requireArguments(operation: OperationShape, schemas: Schemas, { params, body }: CallArguments): void {
  for (const [location, shapes] of Object.entries(operation.parameters)) {
    const group = params[location];
    for (const [name, shape] of Object.entries(shapes)) {
      const value: unknown = typeof group === 'object' && group !== null ? Reflect.get(group, name) : undefined;
      const place = `params.${location}.${name}`;
      if (location === 'path') requireSegment(value, place);
      requireExact(value, shape, schemas, place);
    }
  }
  requireExact(body, operation.body, schemas, 'body');
}

/**
 * Rejects `.` and `..`, which URLs resolve, even percent-encoded (WHATWG URL, "single-dot" and
 * "double-dot URL path segment").
 */
function requireSegment(value: unknown, place: string): void {
  // openapi-fetch omits null and undefined.
  const text = (typeof value === 'object' && value !== null ? Object.values(value) : [value]).join();
  if (text === '') throw new TypeError(`${place} is missing.`);
  if (text === '.' || text === '..') {
    throw new TypeError(`${place} must not be '${text}': in a URL it stands for another path.`);
  }
}
