import { isSchema, own, type Schema } from './openapi-document.ts';
import { schemasOfPatterns } from './pattern.ts';

/** What the keywords of one schema demand of a property. */
interface PropertyDescription {
  /** The schema under its name, if there is one. */
  readonly named: readonly unknown[];
  /** The schemas of the patterns that its name matches. */
  readonly matched: readonly unknown[];
  /** The schema of `additionalProperties`, if the property has neither of the others. */
  readonly additional: readonly unknown[];
}

/** What one schema demands of a property of this name. */
export function schemasOfProperty(schema: Schema, name: string): PropertyDescription {
  const { properties, additionalProperties } = schema;
  const property = own(properties, name);
  const named = property === undefined ? [] : [property];
  const matched = schemasOfPatterns(schema, name);
  const isAdditional = named.length + matched.length === 0 && isSchema(additionalProperties);
  return { named, matched, additional: isAdditional ? [additionalProperties] : [] };
}
