import { isRange, bodyKind, type BodyKind } from '../http/media-type.ts';
import type { Header, OpenApiDocument, Parameter, Schema } from '../schema/openapi-document.ts';
import { RESPONSE_HEADER } from './locations.ts';
import { ValueReader } from './value-reader.ts';

/** The schema of the values of parameters, by name. */
export function groupSchema(document: OpenApiDocument, parameters: readonly Parameter[]): Schema {
  return {
    type: 'object',
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, valueSchema(document, parameter)])),
  };
}

/**
 * Whether a text of this media type is JSON. Under a range such as `*∕*`, JSON is the only text of
 * an array or object.
 */
export function isJsonText(mediaType: string, { isScalar }: Pick<ValueReader, 'isScalar'>): boolean {
  return bodyKind(mediaType) === 'json' || (isRange(mediaType) && !isScalar);
}

/** The schema of the value of a parameter or header. */
export function valueSchema(document: OpenApiDocument, { schema, content = {} }: Header): Schema {
  const [[mediaType, media] = ['', {}]] = Object.entries(content);
  return schema ?? contentSchema(document, mediaType, media.schema);
}

/**
 * The schema of a body or other content. A text is one scalar, or not checked.
 * @param values the kinds of media types that become arrays and objects.
 */
export function contentSchema(
  document: OpenApiDocument,
  mediaType: string,
  schema: Schema = {},
  values: readonly BodyKind[] = ['json'],
): Schema {
  if (isRange(mediaType) || values.includes(bodyKind(mediaType))) return schema;
  return new ValueReader(document, schema, RESPONSE_HEADER.refuse).isScalar ? schema : {};
}
