import {
  isObject,
  isReference,
  isSchema,
  list,
  own,
  type OpenApiDocument,
  type Schema,
} from '../document/openapi-document.ts';
import { partsOf } from '../document/schema-graph.ts';
import type { Kind } from '../document/structure.ts';
import { copyFields } from './copy-fields.ts';

/**
 * Copies a document in words that openapi-typescript does not misread. It ignores what stands
 * beside a `$ref`, and what a part of an `allOf` requires of another one; takes `anyOf` for one
 * more alternative of what stands beside it; takes the discriminating property out of a base
 * wherever `allOf` names it; and gives additional properties a type that declared ones do not have.
 */
export function restatedDocument(document: OpenApiDocument): OpenApiDocument {
  const named = new Set(Object.values(document.components?.schemas ?? {}));
  const copyOf = (kind: Kind, node: unknown): unknown => {
    if (!isObject(node)) return node;
    const copy = copyFields(kind, node, (child, field) => copyOf(field.kind, child));
    if (kind !== 'schema') return copy;
    const whole = withRequired(document, node, withAllOfReference(copy));
    return withMixedValues(withAllOfAny(withBases(document, whole, named.has(node))));
  };
  // A copy of an OpenAPI document is one.
  return copyOf('document', document) as OpenApiDocument;
}

/** Keywords that openapi-typescript has types for. */
const TYPED = ['properties', 'required', 'additionalProperties', 'patternProperties', 'allOf', 'anyOf', 'oneOf'];

function withAllOfReference(schema: Schema): Schema {
  const { $ref, allOf, ...others } = schema;
  if ($ref === undefined || !TYPED.some((key) => key in schema)) return schema;
  return { ...others, allOf: [{ $ref }, ...list(allOf)] };
}

/** A part of an `allOf` may require what another one declares. */
function withRequired(document: OpenApiDocument, original: Schema, schema: Schema): Schema {
  if (schema['allOf'] === undefined) return schema;
  const elsewhere = partsOf(document, original).flatMap(({ required, properties }) =>
    list(required).filter((name) => own(properties, String(name)) === undefined),
  );
  return { ...schema, required: [...new Set([...list(schema['required']), ...elsewhere])] };
}

/**
 * A named schema is an heir of the bases in its allOf, which openapi-typescript looks for at the
 * start. Anywhere else, as in a wrapper with a description, a base stands for each of its heirs.
 */
function withBases(document: OpenApiDocument, schema: Schema, isNamed: boolean): Schema {
  const parts = list(schema['allOf']);
  const bases = parts.filter((one) => isReference(one) && partsOf(document, one).some(isDiscriminated));
  if (bases.length === 0) return schema;
  const isHeir = isNamed && (parts.length > 1 || 'properties' in schema);
  const others = parts.filter((one) => !bases.includes(one));
  // openapi-typescript takes only a reference for a base.
  return { ...schema, allOf: [...bases.map((base) => (isHeir ? base : { oneOf: [base] })), ...others] };
}

function isDiscriminated({ discriminator }: Schema): boolean {
  return isObject(discriminator);
}

function withAllOfAny(schema: Schema): Schema {
  const { anyOf, ...others } = schema;
  if (anyOf === undefined) return schema;
  if (!('oneOf' in others)) return { ...others, oneOf: anyOf };
  return { ...others, allOf: [...list(others['allOf']), { oneOf: anyOf }] };
}

/** The index signature of TypeScript must hold for declared properties too. */
function withMixedValues(schema: Schema): Schema {
  const { properties, additionalProperties, patternProperties } = schema;
  const declared = Object.values(isObject(properties) ? properties : {});
  if (declared.length === 0 || !(isSchema(additionalProperties) || isObject(patternProperties))) return schema;
  return { ...schema, patternProperties: { ...(patternProperties ?? {}), '': { oneOf: declared } } };
}
