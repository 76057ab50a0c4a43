import type { Format } from './codec.ts';

/** A format whose values have a type of their own: both functions must be there. */
type TypedFormat<Value> = Format<Value> & Required<Pick<Format<Value>, 'decode' | 'encode'>>;

/**
 * Custom formats, for the types that `openapi-exact generate --format` has written: each
 * has functions for the values of its type.
 * @example
 * const own: Formats<formats> = {
 *   'date-time': { decode: (text) => new Date(text), encode: (date) => date.toISOString() },
 * };
 */
export type Formats<Types extends object> = { readonly [Name in keyof Types]: TypedFormat<Types[Name]> };
