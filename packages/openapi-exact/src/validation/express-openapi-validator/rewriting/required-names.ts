import { fieldsOf, list, type Schema } from '../../../schema/openapi-document.ts';
import { propertyKey } from '../property-keys.ts';
import type { Source } from './step.ts';

/** Requires properties by the validator's keys, except those hidden in this direction. */
export function requiredNames(schema: Schema, { hidden }: Source): Schema {
  const { required, dependentRequired } = schema;
  const keysOf = (names: unknown): string[] =>
    list(names)
      .filter((name) => typeof name === 'string')
      .filter((name) => !hidden.has(name))
      .map((name) => propertyKey(name));
  const dependent = Object.entries(fieldsOf(dependentRequired)).map(([name, names]) => [
    propertyKey(name),
    keysOf(names),
  ]);
  return {
    ...schema,
    ...(required === undefined ? {} : { required: keysOf(required) }),
    ...(dependentRequired === undefined ? {} : { dependentRequired: Object.fromEntries(dependent) }),
  };
}
