import {
  fieldsOf,
  isSchema,
  list,
  own,
  resolve,
  targetOf,
  type MediaTypeObject,
  type OpenApiDocument,
  type Schema,
} from '../schema/openapi-document.ts';
import { alternatives, typesOf } from '../schema/alternatives.ts';
import { ValueReader } from '../parameters/value-reader.ts';
import { MULTIPART_LOCATION } from './form-reader.ts';
import { BODY_KINDS, bodyKind, type BodyKind } from '../http/media-type.ts';

/** The kinds of the media types that a part may have. */
function kindsOf(contentType: string | undefined): readonly BodyKind[] | undefined {
  return contentType?.split(',').map((mediaType) => bodyKind(mediaType.trim()));
}

/** True when no media type that a part may have has a JSON value. */
export function isOpaque(contentType: string | undefined): boolean {
  return kindsOf(contentType)?.every((kind) => BODY_KINDS[kind].isOpaque) ?? false;
}

/** True when all media types that a part may have are bytes. */
export function areBytes(contentType: string | undefined): boolean {
  return kindsOf(contentType)?.every((kind) => kind === 'bytes') ?? false;
}

/**
 * The schema of a body without those of arrays and objects that are XML or bytes by their encoding,
 * which have no JSON value. One that allows no object is about the bytes of the body.
 */
export function withoutOpaque(document: OpenApiDocument, { schema = {}, encoding = {} }: MediaTypeObject): Schema {
  const types = alternatives(document, schema).map(typesOf);
  if (!types.some((alternativeTypes) => alternativeTypes.length === 0 || alternativeTypes.includes('object')))
    return {};
  const { $ref, ...beside } = schema;
  const target = $ref === undefined ? schema : targetOf(document, $ref);
  const properties = fieldsOf(target['properties']);
  const opaque = Object.entries(encoding).flatMap(([name, { contentType }]): [string, Schema][] => {
    const property = own(properties, name);
    if (!isSchema(property) || !isOpaque(contentType)) return [];
    const { items, ...array } = resolve<Schema>(document, property);
    const isText = new ValueReader(document, property, MULTIPART_LOCATION.refuse).isScalar;
    return isText ? [] : [[name, items === undefined ? {} : { ...array, items: {} }]];
  });
  if (opaque.length === 0) return schema;
  const readable = { ...target, properties: { ...properties, ...Object.fromEntries(opaque) } };
  return $ref === undefined ? readable : { ...beside, allOf: [...list(beside['allOf']), readable] };
}
