import type { Querystring } from '../document/operations.ts';
import { decodePercent } from '../http/percent-encoding.ts';
import { bodyKind } from '../http/media-type.ts';
import type { ValueCount } from '../json/value-count.ts';
import { LOCATIONS, type Location } from '../parameters/locations.ts';
import { ValueReader } from '../parameters/value-reader.ts';
import { isJsonText } from '../parameters/value-schema.ts';
import type { OpenApiDocument } from '../schema/openapi-document.ts';
import { FormReader } from './form-reader.ts';

/** Reads a query as one value. @throws RequestError invalidParameter or malformedUrl. */
export type ReadQuerystring = (query: string, count: ValueCount) => unknown;

const { query: QUERY } = LOCATIONS;
/** A form whose values are in the query. */
const QUERY_FORM: Location = {
  ...QUERY,
  refuse: ({ place, ...fault }, given) => QUERY.refuse({ ...fault, place: place.replace(/^\//, '') }, given),
};

/** The reader of a query that is one value, by its media type: a form, JSON or a text. */
export function querystringReader(document: OpenApiDocument, { mediaType, media }: Querystring): ReadQuerystring {
  if (bodyKind(mediaType) === 'form') {
    const form = new FormReader(document, media, QUERY_FORM);
    return (query, count) => form.parseForm(query, count);
  }
  const values = new ValueReader(document, media.schema, QUERY_FORM.refuse);
  // Of these media types, none has `+` for a space.
  if (isJsonText(mediaType, values)) return (query, count) => values.json(decodePercent(query), '', count);
  if (!values.isScalar) return decodePercent;
  return (query, count) => values.text(decodePercent(query), '', count);
}
