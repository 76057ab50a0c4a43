import type { Bundle, DocumentNode } from './bundle.ts';
import { sequenceFormat } from '../http/media-type.ts';
import {
  fieldsOf,
  isObject,
  isReference,
  isVersion32,
  resolve,
  type OpenApiDocument,
} from '../schema/openapi-document.ts';
import { describesArray } from '../schema/item-parts.ts';

/**
 * Gives only sequential media types an `itemSchema`, as in OpenAPI 3.2. In 3.0 and 3.1 it is the
 * extension `x-itemSchema`. In 3.2 an array as the `schema` of such a type describes its items too.
 */
export function completeItemSchemas(
  document: OpenApiDocument,
  { nodes, versionOf }: Pick<Bundle, 'nodes' | 'versionOf'>,
): void {
  const sequential = sequentialTypes(document, nodes);
  // A media type that a reference has filled is not among the nodes.
  for (const mediaType of new Set([...(nodes.get('mediaType') ?? []), ...sequential])) {
    const is32 = isVersion32(versionOf(mediaType));
    const { schema, itemSchema: given, 'x-itemSchema': extension } = mediaType;
    const implied = is32 && describesArray(document, schema) ? {} : undefined;
    const itemSchema = (is32 ? given : extension) ?? implied;
    Reflect.deleteProperty(mediaType, 'itemSchema');
    if (itemSchema !== undefined && sequential.has(mediaType)) mediaType['itemSchema'] = itemSchema;
  }
}

/** The objects of media types that are sequential, which do not know their own names. */
function sequentialTypes(document: OpenApiDocument, nodes: Bundle['nodes']): ReadonlySet<DocumentNode> {
  const messages = [...(nodes.get('requestBody') ?? []), ...(nodes.get('response') ?? [])];
  return new Set(
    messages
      .flatMap(({ content }) => Object.entries(fieldsOf(content)))
      .filter(([type]) => sequenceFormat(type) !== undefined)
      .map(([, mediaType]) => (isReference(mediaType) ? resolve<DocumentNode>(document, mediaType) : mediaType))
      .filter(isObject),
  );
}
