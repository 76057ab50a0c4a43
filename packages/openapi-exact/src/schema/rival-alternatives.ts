import { list, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { partsOf } from './schema-graph.ts';
import { constantsOf, type Discriminated } from './choices.ts';

/** An alternative of oneOf that must not admit what a discriminator gives to another one. */
interface Rival {
  readonly schema: Schema;
  /** The properties that a value needs for it. */
  readonly required: readonly string[];
  /** The values of the discriminator for which it must not admit the value. */
  readonly excluded: readonly unknown[];
}

/**
 * The alternatives of a `oneOf` that may admit values of the one that its discriminator names.
 * Exactly one must hold, whatever the discriminator says (OpenAPI 3.1.1, section 4.8.25), except
 * for those that require no more than the named one: there the discriminator decides.
 * @param hidden the properties of a schema that messages of this direction do not have.
 */
export function rivalAlternatives(
  document: OpenApiDocument,
  { oneOf }: Schema,
  { property, alternatives }: Discriminated,
  hidden: (schema: Schema) => ReadonlySet<string>,
): readonly Rival[] {
  const exclusive = alternatives.filter(({ schema }) => list(oneOf).includes(schema));
  const described = exclusive.map(({ schema, values }) => {
    const names = partsOf(document, schema).flatMap((part) => list(part['required']));
    const unseen = hidden(schema);
    const required = new Set(names.filter((name) => typeof name === 'string' && !unseen.has(name)).map(String));
    return { schema, values, required, constants: constantsOf(document, schema, property) };
  });
  return described.flatMap(({ schema, required, constants }) => {
    const isAllowed = (other: (typeof described)[number]): boolean =>
      other.schema === schema ||
      [...required].every((name) => other.required.has(name)) ||
      (constants !== undefined && !other.values.some((value) => constants.includes(value)));
    const excluded = described.filter((other) => !isAllowed(other)).flatMap(({ values }) => values);
    return excluded.length === 0 ? [] : [{ schema, required: [...required], excluded }];
  });
}
