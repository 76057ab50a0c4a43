import { encodedArgument, IN_JSON } from './encoded-argument.ts';
import type { OperationShape } from './shape.ts';
import type { ClientPlaces } from './client-places.ts';

/** The parameters of a call, by location and name. */
export type CallParameters = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/**
 * Validates the parameters of a call.
 * @returns them with the texts of values that have a format.
 * @throws TypeError for an int64 that is not a `bigint`, for a number that is not finite, and for a
 * value that its format cannot write; RangeError for a bigint outside int64.
 */
export function encodedParameters(
  { parameters, querystring, styles }: OperationShape,
  places: ClientPlaces,
  params: CallParameters,
): CallParameters {
  const encoded: Record<string, Record<string, unknown>> = {};
  for (const [location, values] of Object.entries(params)) {
    if (values === undefined) continue;
    if (location === 'query' && querystring !== undefined) {
      // The value itself: its type is that of the contract.
      const rules = querystring.kind === 'json' ? IN_JSON : undefined;
      encoded[location] = encodedArgument(values, querystring.shape, places, 'params.query', rules) as typeof values;
      continue;
    }
    const shapes = parameters[location] ?? {};
    const written = Object.entries(values).map(([name, value]): [string, unknown] => {
      const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
      const rules = styles?.[location]?.[name] === 'json' ? IN_JSON : undefined;
      return [name, encodedArgument(value, shape ?? {}, places, `params.${location}.${name}`, rules)];
    });
    encoded[location] = Object.fromEntries(written);
  }
  return encoded;
}
