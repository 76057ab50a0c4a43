import {
  ValueCount,
  alternatives,
  bodyKind,
  fieldsOf,
  isSchema,
  list,
  mergedSchemas,
  namedProperties,
  type Contract,
  type OpenApiDocument,
  type Diagnostic,
  type Schema,
} from 'openapi-exact/contract';

/** Thrown when the schemas of a message need more merges than it may take. */
class TooManyMerges extends Error {}

/**
 * Warnings of parameters, forms and multipart bodies whose choices lead to so many others, level by
 * level, that a message may be refused for them.
 */
export function manyMerges({ document, operations }: Contract): readonly Diagnostic[] {
  const described = operations.flatMap(({ parameters, requestBody }) => [
    ...parameters.filter(({ content }) => content === undefined),
    ...Object.entries(requestBody?.content ?? {})
      .filter(([type]) => ['form', 'multipart'].includes(bodyKind(type)))
      .map(([, mediaType]) => mediaType),
  ]);
  return [...new Set(described)]
    .filter(({ schema }) => isSchema(schema) && hasManyMerges(document, schema))
    .map((node) => ({
      node,
      key: 'schema',
      reason:
        'the alternatives of nested values have too many combinations to read some messages, which are refused: ' +
        'refer to one schema where the same choice is meant, or describe a body of JSON.',
    }));
}

/** Follows all places of a value that differ. */
function hasManyMerges(document: OpenApiDocument, schema: Schema): boolean {
  const count = new ValueCount(Infinity, () => new TooManyMerges());
  try {
    const places = new Set([schema]);
    // A set takes new members while it is iterated.
    for (const place of places) {
      for (const parts of partsWithin(alternatives(document, place, count))) {
        places.add(mergedSchemas(document).composed('anyOf', parts));
      }
    }
    return false;
  } catch (error) {
    if (error instanceof TooManyMerges) return true;
    throw error;
  }
}

/** The schemas of each part of a value. */
function partsWithin(found: readonly Schema[]): readonly (readonly unknown[])[] {
  const length = Math.max(0, ...found.map(({ prefixItems }) => list(prefixItems).length));
  const items = Array.from({ length: length + 1 }, (_, index) =>
    found.flatMap(({ prefixItems, items: others, contains }) => [list(prefixItems)[index] ?? others, contains]),
  );
  const others = found.flatMap(({ additionalProperties, unevaluatedProperties }) => [
    additionalProperties ?? unevaluatedProperties,
  ]);
  const patterns = found.flatMap(({ patternProperties }) => Object.values(fieldsOf(patternProperties)));
  return [...namedProperties(found).values(), ...items, others, ...patterns.map((pattern) => [pattern])]
    .map((schemas) => schemas.filter(isSchema))
    .filter((schemas) => schemas.length > 0);
}
