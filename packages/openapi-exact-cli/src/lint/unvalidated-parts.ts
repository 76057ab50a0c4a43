import {
  PartReaders,
  alternatives,
  bodyKind,
  essenceOf,
  typesOf,
  type Contract,
  type MediaTypeObject,
  type OpenApiDocument,
  type Diagnostic,
} from 'openapi-exact/contract';

/** Warnings of multipart bodies with parts that no schema can be told to describe. */
export function unvalidatedParts({ document, operations }: Contract): readonly Diagnostic[] {
  const bodies = operations.flatMap(({ requestBody }) => Object.entries(requestBody?.content ?? {}));
  return bodies.flatMap(([type, mediaType]) => {
    const isNameless =
      mediaType.itemSchema === undefined && bodyKind(type) === 'multipart' && essenceOf(type) !== 'multipart/form-data';
    const reason = isNameless ? unvalidatedReason(document, type, mediaType) : undefined;
    return reason === undefined ? [] : [{ node: mediaType, key: 'schema', reason }];
  });
}

function unvalidatedReason(document: OpenApiDocument, type: string, mediaType: MediaTypeObject): string | undefined {
  const types = alternatives(document, mediaType.schema ?? {}).flatMap(typesOf);
  if (types.includes('array')) {
    return `the parts of ${type} are not validated, since their schema is that of a list: describe an object with a property for each, or write openapi: 3.2.0.`;
  }
  const { ambiguous } = new PartReaders(document, mediaType).names;
  if (ambiguous.length === 0) return undefined;
  return `a part of ${type} without a name is not validated if it may be ${ambiguous.join(' or ')}: give each property an encoding with a contentType of its own.`;
}
