import { requireExact } from './require-exact.ts';
import type { OperationShape } from './shape.ts';

/** What is about to be sent: parameters by location and name, and a body. */
export interface Arguments {
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/**
 * Checks what is about to be sent.
 * @throws TypeError when a parameter of the path is missing or would make the path another one, or when an int64 is no
 * `bigint`; RangeError when a bigint is no int64.
 */
export function requireArguments(operation: OperationShape, { params, body }: Arguments): void {
  for (const [location, shapes] of Object.entries(operation.parameters)) {
    const group = params[location];
    for (const [name, shape] of Object.entries(shapes)) {
      const value: unknown = typeof group === 'object' && group !== null ? Reflect.get(group, name) : undefined;
      const place = `params.${location}.${name}`;
      if (location === 'path') requireSegment(value, place);
      requireExact(value, shape, place);
    }
  }
  requireExact(body, operation.body, 'body');
}

/** URLs resolve the segments `.` and `..`, percent-encoded too (WHATWG URL, "single-dot" and "double-dot URL path segment"). */
function requireSegment(value: unknown, place: string): void {
  // As openapi-fetch writes them: null and undefined are nothing.
  const text = (typeof value === 'object' && value !== null ? Object.values(value) : [value]).join();
  if (text === '') throw new TypeError(`${place} is missing.`);
  if (text === '.' || text === '..') {
    throw new TypeError(`${place} must not be '${text}': in a URL it stands for another path.`);
  }
}
