import {
  isSchema,
  type OpenApiDocument,
  type Parameter,
  type Schema,
} from '../../../src/contract/document/openapi-document.ts';
import type { Operation } from '../../../src/contract/document/load.ts';
import { boundaryValues, flatten, list, typesOf, type Value } from './values.ts';
import { bodyTypeOf, type RequestValues } from './wire.ts';

const GROUPS = { path: 'params', query: 'query', header: 'headers', cookie: 'headers' } as const;

/** The request that the examples of an operation describe, with its required parts only. */
export function exampleRequest(document: OpenApiDocument, operation: Operation): RequestValues {
  const values: Record<(typeof GROUPS)[keyof typeof GROUPS], Record<string, unknown>> = {
    params: {},
    query: {},
    headers: {},
  };
  for (const parameter of operation.parameters.filter(({ required }) => required === true)) {
    values[GROUPS[parameter.in]][parameter.name] = exampleOf(document, parameter);
  }
  const body = operation.requestBody?.content[bodyTypeOf(operation)];
  return { ...values, ...(body !== undefined && { body: exampleOf(document, body) }) };
}

/** The example of a parameter or a body: its own, or one that follows from its schema. */
function exampleOf(document: OpenApiDocument, described: Pick<Parameter, 'example' | 'examples' | 'schema'>): Value {
  const { example, examples = {}, schema = {} } = described;
  const [first] = [example, ...Object.values(examples).map(({ value }) => value)].filter((one) => one !== undefined);
  // The contract was parsed from YAML, so that an example is JSON.
  return first === undefined ? valueOf(document, schema) : (first as Value);
}

/** A value of a schema: its example, or one made of the examples of its parts. */
export function valueOf(document: OpenApiDocument, schema: Schema): Value {
  const flat = flatten(document, schema);
  const [given] = [flat['example'], ...list(flat['examples'])].filter((one) => one !== undefined);
  // As above.
  if (given !== undefined) return given as Value;
  const [alternative] = [...list(flat['oneOf']), ...list(flat['anyOf'])].filter(isSchema);
  if (alternative !== undefined) return valueOf(document, alternative);
  const { properties, items } = flat;
  if (isSchema(properties)) return objectOf(document, properties, list(flat['required']));
  if (typesOf(flat).includes('array')) return isSchema(items) ? [valueOf(document, items)] : [];
  return boundaryValues(flat)[0] ?? {};
}

function objectOf(document: OpenApiDocument, properties: Schema, required: readonly unknown[]): Value {
  const entries = Object.entries(properties)
    .filter(([name]) => required.includes(name))
    .map(([name, property]): [string, Value] => [name, isSchema(property) ? valueOf(document, property) : {}]);
  return Object.fromEntries(entries);
}
